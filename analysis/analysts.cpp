#include "analysis/analysts.h"

#include "base/error.h"
#include "play/shipped.h"

namespace toguz {

Networks::Networks(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    Engine::Network network = Engine::loadNetwork(path);
    const std::string name = network->rules().name();
    if (!networks_.emplace(name, std::move(network)).second)
      throw UsageError("--model: two models of " + name + "; leave out " + path);
  }
}

Engine::Network Networks::of(const Rules& rules) {
  if (const auto known = networks_.find(rules.name()); known != networks_.end())
    return known->second;
  const auto path = shippedModel(rules);
  if (!path)
    throw UsageError("no engine for '" + rules.name() +
                     "' comes with the program: give a model of it (--model)");
  return networks_.emplace(rules.name(), Engine::loadNetwork(*path)).first->second;
}

Analyst& Analysts::of(const Rules& rules) {
  auto& analyst = analysts_[rules.name()];
  if (!analyst) analyst = std::make_unique<Analyst>(networks_.of(rules), threads_);
  return *analyst;
}

void Analysts::finish() {
  for (const auto& [variant, analyst] : analysts_)
    if (analyst) analyst->finish();
}

}  // namespace toguz
