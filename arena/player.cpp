#include "arena/player.h"

#include "arena/player_factories.h"
#include "arena/player_spec.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "play/engine.h"

namespace toguz {
namespace {

constexpr std::int64_t kMaxNodes = 100'000'000;
constexpr std::int64_t kMaxMovetime = 86'400'000;  // a day
constexpr const char* kForms =
    "random, greedy, alphabeta:depth=N or :movetime=MS, mcts:nodes=N, model:PATH[,nodes=N]"
    "[,movetime=MS][,threads=T][,level=L][,precision=fp32|int8|auto], exec:COMMAND";

// A factory under the name that the user gave it.
class NamedFactory final : public PlayerFactory {
 public:
  NamedFactory(std::string name, std::unique_ptr<PlayerFactory> inner)
      : name_(std::move(name)), inner_(std::move(inner)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Player> make() const override { return inner_->make(); }

 private:
  std::string name_;
  std::unique_ptr<PlayerFactory> inner_;
};

std::unique_ptr<PlayerFactory> parseAlphaBeta(const std::string& text, const std::string& options,
                                              const Rules& rules) {
  const PlayerSpec spec(text, options, {"depth", "movetime"});
  const auto depth = spec.number("depth", 1, AlphaBeta::kMaxDepth);
  const auto movetime = spec.number("movetime", 1, kMaxMovetime);
  if (!depth && !movetime)
    throw UsageError("player '" + text +
                     "' has no limit: write alphabeta:depth=N or "
                     "alphabeta:movetime=MS");
  return makeAlphaBetaFactory(
      rules, {static_cast<int>(depth.value_or(0)), static_cast<double>(movetime.value_or(0))});
}

std::unique_ptr<PlayerFactory> parseMcts(const std::string& text, const std::string& options,
                                         const Rules& rules) {
  const PlayerSpec spec(text, options, {"nodes"});
  const auto nodes = spec.number("nodes", 1, kMaxNodes);
  if (!nodes) throw UsageError("player '" + text + "' has no limit: write mcts:nodes=N");
  return makeMctsFactory(rules, {.nodes = *nodes});
}

std::unique_ptr<PlayerFactory> parseModel(const std::string& text, const std::string& options,
                                          const Rules& rules, double ties) {
  const PlayerSpec spec(text, options,
                        {"nodes", "movetime", "threads", "level", "precision", "cpuct", "fpu",
                         "margin", "batch", "loss", "ties"},
                        true);
  EngineSettings settings;
  const auto threads = spec.number("threads", 1, EngineOptions::kMaxThreads);
  const auto nodes = spec.number("nodes", 1, kMaxNodes);
  const auto movetime = spec.number("movetime", 1, kMaxMovetime);
  if (const auto level = spec.number("level", 1, kLevels)) {
    settings.level = static_cast<int>(*level);
    if (settings.level < kLevels && (nodes || movetime))
      throw UsageError("player '" + text + "': a level below " + std::to_string(kLevels) +
                       " has nodes of its own: leave out nodes and movetime");
    if (settings.level == kLevels) settings.nodes = kFullStrengthNodes;
  }
  if (threads) settings.threads = static_cast<int>(*threads);
  if (nodes || movetime) settings.nodes = nodes.value_or(0);
  if (movetime) settings.movetimeMs = static_cast<double>(*movetime);
  if (const auto cpuct = spec.real("cpuct", 0.01, 100))
    settings.params.cpuct = static_cast<float>(*cpuct);
  if (const auto fpu = spec.real("fpu", 0, 10))
    settings.params.fpuReduction = static_cast<float>(*fpu);
  if (const auto margin = spec.real("margin", 0, 1))
    settings.params.marginWeight = static_cast<float>(*margin);
  if (const auto loss = spec.real("loss", 0, 1))
    settings.params.virtualLoss = static_cast<float>(*loss);
  settings.ties = spec.real("ties", 0, 1).value_or(ties);
  if (const auto batch = spec.number("batch", 1, 256)) settings.maxBatch = static_cast<int>(*batch);
  const Precision precision =
      parsePrecision(spec.word("precision").value_or("auto"), "player '" + text + "': precision");
  const auto network = Engine::loadNetwork(spec.path(), precision);
  if (!(network->rules() == rules))
    throw UsageError("model '" + spec.path() + "' plays " + network->rules().name() + ", not " +
                     rules.name() + ": give --variant " + network->rules().name());
  return makeModelFactory(network, settings, text);
}

}  // namespace

std::string modelFileHash(const std::string& player) {
  constexpr std::string_view kModel = "model:";
  if (!player.starts_with(kModel)) return "";
  const std::string path = player.substr(kModel.size(), player.find(',') - kModel.size());
  try {
    return hash128Hex(readFile(path));
  } catch (const Error& error) {
    throw UsageError(error.what());  // whoever named the file can name another
  }
}

std::unique_ptr<PlayerFactory> parsePlayer(const std::string& text, const Rules& rules,
                                           double ties) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string options = colon == std::string::npos ? "" : text.substr(colon + 1);
  std::unique_ptr<PlayerFactory> factory;
  if (kind == "random" || kind == "greedy") {
    if (colon != std::string::npos) throw UsageError("player '" + kind + "' takes no options");
    return kind == "random" ? makeRandomFactory() : makeGreedyFactory();
  } else if (kind == "alphabeta") {
    factory = parseAlphaBeta(text, options, rules);
  } else if (kind == "mcts") {
    factory = parseMcts(text, options, rules);
  } else if (kind == "model") {
    factory = parseModel(text, options, rules, ties);
  } else if (kind == "exec") {
    if (trim(options).empty())
      throw UsageError("player '" + text + "' names no program: write exec:COMMAND");
    factory = makeExecFactory(options);
  } else {
    const std::vector<std::string> kinds = {"random", "greedy", "alphabeta",
                                            "mcts",   "model",  "exec"};
    throw UsageError("unknown player '" + text + "'; did you mean '" + nearest(kind, kinds) +
                     "'? (known: " + kForms + ")");
  }
  return std::make_unique<NamedFactory>(text, std::move(factory));
}

}  // namespace toguz
