#include "arena/player_spec.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/text.h"

namespace toguz {

PlayerSpec::PlayerSpec(const std::string& text, const std::string& options,
                       const std::vector<std::string>& known, bool withPath)
    : text_(text) {
  std::vector<std::string> parts;
  if (!options.empty() || withPath) parts = split(options, ',');
  std::size_t first = 0;
  if (withPath) {
    path_ = parts[0];
    if (path_.empty() ||
        known.end() != std::find(known.begin(), known.end(), path_.substr(0, path_.find('='))))
      throw UsageError("player '" + text + "' names no model file: write model:PATH");
    first = 1;
  }
  for (std::size_t i = first; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string near = nearest(key, known);
      throw UsageError(
          "player '" + text + "' has an unknown option '" + key + "'" +
          (near.empty() ? std::string("; it takes none") : "; did you mean '" + near + "'?"));
    }
    if (equals == std::string::npos)
      throw UsageError("player '" + text + "': write " + key +
                       (key == "precision" ? "=WORD" : "=NUMBER"));
    for (const Option& option : options_)
      if (option.key == key) throw UsageError("player '" + text + "' gives '" + key + "' twice");
    options_.push_back({key, parts[i].substr(equals + 1)});
  }
}

std::optional<std::int64_t> PlayerSpec::number(const std::string& key, std::int64_t least,
                                               std::int64_t most) const {
  for (const Option& option : options_) {
    if (option.key != key) continue;
    std::int64_t value = 0;
    if (!parseInt(option.value, value) || value < least || value > most)
      throw UsageError("player '" + text_ + "': " + key + " wants a whole number from " +
                       std::to_string(least) + " to " + std::to_string(most) + ", not '" +
                       option.value + "'");
    return value;
  }
  return std::nullopt;
}

std::optional<double> PlayerSpec::real(const std::string& key, double least, double most) const {
  const auto text = word(key);
  if (!text) return std::nullopt;
  double value = 0;
  if (!parseDouble(*text, value) || !(value >= least && value <= most)) {
    char range[64];
    std::snprintf(range, sizeof range, "%g to %g", least, most);
    throw UsageError("player '" + text_ + "': " + key + " wants a number from " + range +
                     ", not '" + *text + "'");
  }
  return value;
}

std::optional<std::string> PlayerSpec::word(const std::string& key) const {
  for (const Option& option : options_)
    if (option.key == key) return option.value;
  return std::nullopt;
}

}  // namespace toguz
