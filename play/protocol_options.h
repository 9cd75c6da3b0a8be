// The options of the protocol, each described once: the `option` lines, the help and the checks of
// `setoption` all come from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

struct ProtocolOption {
  enum class Id : std::uint8_t {
    Variant,
    Model,
    Precision,
    Nodes,
    Threads,
    Hash,
    MoveOverhead,
    PlyCap,
    Level,
    MultiPV,
    Ponder,
    Seed
  };
  enum class Type : std::uint8_t { Combo, String, Spin, Check };

  Id id;
  Type type;
  const char* name;
  std::int64_t standard = 0;  // default, least and most: spins, and checks' default
  std::int64_t least = 0;
  std::int64_t most = 0;
  const char* help = "";
};

std::span<const ProtocolOption> protocolOptions();
const ProtocolOption& protocolOption(ProtocolOption::Id id);
// By name, upper and lower case alike. Throws UsageError naming the nearest.
const ProtocolOption& protocolOption(std::string_view name);

// "option name Nodes type spin default 800 min 1 max 1000000"; `variant` is the engine's at its
// start and `model` the path it was started with, "" for none.
std::string optionLine(const ProtocolOption& option, const std::string& variant,
                       const std::string& model);
// One line of help an option, for `toguz engine --help`.
std::string protocolOptionsHelp();

// Reads the value of a check: true or false. Throws UsageError.
bool checkValue(const ProtocolOption& option, std::string_view text);
// Reads the value of a spin. Throws UsageError with its range.
std::int64_t spinValue(const ProtocolOption& option, std::string_view text);

}  // namespace toguz
