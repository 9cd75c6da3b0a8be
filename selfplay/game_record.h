// A finished self-play game, as it is stored and sent: the moves and what the search thought at
// each. Training rows are derived from it (training/row.h) by replaying the rules.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "core/game.h"

namespace toguz {

struct MoveRecord {
  std::uint8_t pit = 0;          // 0-based
  bool fullSearch = false;       // only these carry a policy target
  std::uint16_t nodes = 0;       // root visits
  float rootWinLoss = 0;         // the search's value for the side to move, [-1, 1]
  float weight = 1;              // of the row in training, [0, 1]; low in long-won positions
  std::uint32_t generation = 0;  // of the network that searched this move
  std::array<std::uint16_t, kMaxPits> policy{};  // target shares * 65535, by pit; 0 if not full
};

// What made a game, so that whoever is handed it can tell whether it is one of his.
struct GameOrigin {
  Sha256 model{};            // of the model file that was played with; zeros where nobody knows
  std::uint64_t config = 0;  // hash of the settings that make games (training/config.h); 0 likewise
  std::uint16_t rules = kRulesVersion;
  bool operator==(const GameOrigin&) const = default;
};

struct GameRecord {
  std::uint64_t id = 0;      // unique in the run
  std::uint64_t worker = 0;  // the thread within the run's own process, or a process of its own
  GameOrigin origin;
  Rules rules;
  Position start;  // usually the start position
  std::vector<MoveRecord> moves;
  Outcome outcome;
};

}  // namespace toguz
