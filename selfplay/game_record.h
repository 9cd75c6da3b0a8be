// A finished self-play game, as it is stored and sent: the moves and what the search thought at
// each. Training rows are derived from it (training/row.h) by replaying the rules.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

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

struct GameRecord {
  std::uint64_t id = 0;  // unique in the run
  std::uint32_t worker = 0;
  Rules rules;
  Position start;  // usually the start position
  std::vector<MoveRecord> moves;
  Outcome outcome;
};

}  // namespace toguz
