#include "play/protocol_options.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "core/game.h"
#include "core/notation.h"
#include "play/level.h"
#include "search/precision.h"

namespace toguz {
namespace {

using Id = ProtocolOption::Id;
using Type = ProtocolOption::Type;

constexpr std::array kOptions{
    ProtocolOption{.id = Id::Variant,
                   .type = Type::Combo,
                   .name = "Variant",
                   .help = "the rules; setting it goes to that variant's start position"},
    ProtocolOption{.id = Id::Model,
                   .type = Type::String,
                   .name = "Model",
                   .help = "path of a model file; empty: search with random playouts"},
    ProtocolOption{.id = Id::Precision,
                   .type = Type::Combo,
                   .name = "Precision",
                   .help = "arithmetic of the network: fp32, int8, or auto: int8 where the "
                           "processor has VNNI"},
    ProtocolOption{.id = Id::Nodes,
                   .type = Type::Spin,
                   .name = "Nodes",
                   .standard = 800,
                   .least = 1,
                   .most = 1'000'000'000,
                   .help = "root visits of a `go` without limits"},
    ProtocolOption{.id = Id::Threads,
                   .type = Type::Spin,
                   .name = "Threads",
                   .standard = 1,
                   .least = 1,
                   .most = 256,
                   .help = "threads on one tree; with more than one a search does not repeat"},
    ProtocolOption{.id = Id::Hash,
                   .type = Type::Spin,
                   .name = "Hash",
                   .standard = 1024,
                   .least = 1,
                   .most = 1'048'576,
                   .help = "about how many MiB the tree may take; a full tree ends the search"},
    ProtocolOption{
        .id = Id::MoveOverhead,
        .type = Type::Spin,
        .name = "MoveOverhead",
        .standard = 10,
        .least = 0,
        .most = 10'000,
        .help = "milliseconds kept back for each move, as the time that passes outside the search"},
    ProtocolOption{.id = Id::PlyCap,
                   .type = Type::Spin,
                   .name = "PlyCap",
                   .standard = Game::kDefaultPlyCap,
                   .least = 1,
                   .most = 100'000,
                   .help = "plies after which a game is drawn, from the next position or newgame"},
    ProtocolOption{.id = Id::Level,
                   .type = Type::Spin,
                   .name = "Level",
                   .standard = kLevels,
                   .least = 1,
                   .most = kLevels,
                   .help = "strength for people, from a beginner's up; below the last it sets the "
                           "nodes of a move"},
    ProtocolOption{.id = Id::MultiPV,
                   .type = Type::Spin,
                   .name = "MultiPV",
                   .standard = 1,
                   .least = 1,
                   .most = kMaxPits,
                   .help = "moves shown, one info line each, the best first"},
    ProtocolOption{.id = Id::Ponder,
                   .type = Type::Check,
                   .name = "Ponder",
                   .help = "bestmove also names the reply that it expects, for `go ponder`"},
    ProtocolOption{.id = Id::Seed,
                   .type = Type::Spin,
                   .name = "Seed",
                   .standard = 0,
                   .least = 0,
                   .most = 1'000'000'000,
                   .help = "of the choices of a level below the last; 0: another each time"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

std::span<const ProtocolOption> protocolOptions() {
  return kOptions;
}

const ProtocolOption& protocolOption(Id id) {
  return *std::find_if(kOptions.begin(), kOptions.end(),
                       [id](const ProtocolOption& option) { return option.id == id; });
}

const ProtocolOption& protocolOption(std::string_view name) {
  const std::string wanted = lower(name.substr(0, 64));
  std::vector<std::string> lowered;
  for (const ProtocolOption& option : kOptions) {
    lowered.push_back(lower(option.name));
    if (lowered.back() == wanted) return option;
  }
  const std::string close = nearest(wanted, lowered);
  const auto at = std::find(lowered.begin(), lowered.end(), close) - lowered.begin();
  throw UsageError("no option " + inQuotes(name) + "; the nearest is '" +
                   kOptions[static_cast<std::size_t>(at)].name + "'");
}

std::string optionLine(const ProtocolOption& option, const std::string& variant,
                       const std::string& model) {
  std::string line = std::string("option name ") + option.name;
  switch (option.type) {
    case Type::Combo:
      if (option.id == Id::Precision) {
        line += std::string(" type combo default ") +
                kPrecisionNames[static_cast<std::size_t>(Precision::Auto)];
        for (const char* name : kPrecisionNames) line += std::string(" var ") + name;
        break;
      }
      line += " type combo default " + variant;
      for (const std::string& name : Rules::names()) line += " var " + name;
      break;
    case Type::String:
      line += " type string default " + (model.empty() ? "<empty>" : model);
      break;
    case Type::Check:
      line += std::string(" type check default ") + (option.standard ? "true" : "false");
      break;
    case Type::Spin:
      line += " type spin default " + std::to_string(option.standard) + " min " +
              std::to_string(option.least) + " max " + std::to_string(option.most);
      break;
  }
  return line;
}

std::string protocolOptionsHelp() {
  std::string text = "Options of the protocol (setoption name X value Y):";
  for (const ProtocolOption& option : kOptions) {
    text += std::string("\n  ") + option.name;
    text.append(14 - std::string_view(option.name).size(), ' ');
    text += option.help;
    if (option.type == Type::Spin)
      text += " (" + std::to_string(option.least) + " to " + std::to_string(option.most) +
              ", default " + std::to_string(option.standard) + ")";
  }
  return text;
}

bool checkValue(const ProtocolOption& option, std::string_view text) {
  bool value = false;
  if (!parseBool(text, value))
    throw UsageError(std::string("option ") + option.name + ": " + inQuotes(text) +
                     " is neither true nor false");
  return value;
}

std::int64_t spinValue(const ProtocolOption& option, std::string_view text) {
  std::int64_t value = 0;
  if (!parseInt(text, value) || value < option.least || value > option.most)
    throw UsageError(std::string("option ") + option.name + ": " + inQuotes(text) +
                     " is not a whole number from " + std::to_string(option.least) + " to " +
                     std::to_string(option.most));
  return value;
}

}  // namespace toguz
