// Training rows that the trainer's tests share.
#pragma once

#include <vector>

#include "tests/models/support.h"
#include "training/row.h"

namespace toguz::test {

// Rows of random targets: nothing to learn in general, but every kind of target is there.
inline std::vector<TrainingRow> randomRows(const Rules& rules, std::size_t count,
                                           std::uint64_t seed) {
  Rng rng(seed);
  std::vector<TrainingRow> rows;
  for (const Position& position : randomPositions(rules, count, seed + 1)) {
    TrainingRow row;
    row.position = position.side == Side::First ? position : position.swapped(rules.set());
    const PitMask legal = legalMoves(rules, row.position);
    double shares[kMaxPits] = {}, total = 0;
    for (PitMask rest = legal; rest; rest &= rest - 1)
      total += shares[std::countr_zero(rest)] = rng.uniform() + 1e-3;
    for (std::size_t pit = 0; pit < kMaxPits; ++pit)
      row.policy[pit] = static_cast<std::uint16_t>(65535 * shares[pit] / total);
    row.result = static_cast<std::int8_t>(static_cast<int>(rng.below(3)) - 1);
    row.margin = static_cast<std::int16_t>(static_cast<int>(rng.below(81)) - 40);
    row.rootValue = static_cast<std::int16_t>(static_cast<int>(rng.below(65535)) - 32767);
    row.shortValue = static_cast<std::int16_t>(static_cast<int>(rng.below(65535)) - 32767);
    if (rng.chance(0.8)) row.reply = static_cast<std::uint8_t>(rng.below(rules.set().pits));
    row.weight = static_cast<std::uint8_t>(25 + rng.below(231));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace toguz::test
