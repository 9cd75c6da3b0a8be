// Counting move sequences: the check of a move generator against known figures, and its benchmark.
//
// leaves(d) = sequences of exactly d plies; a finished game has no successors, a sequence that ends
// exactly at depth d counts. Every leaf's move is made. `nostop` leaves the majority rule out: only
// a side without balls ends a game.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/outcome.h"

namespace toguz {

struct PerftStats {
  std::uint64_t leaves = 0;
  // Of the leaves: those whose last ply was an even capture or a new tuzdik, those that are
  // finished games, and those where the side to move has no ball.
  std::uint64_t captures = 0, tuzdiks = 0, finished = 0, stuck = 0;
  bool operator==(const PerftStats&) const = default;
};

// The hot form; `rules` decides about the majority (stopAtMajority). depth >= 0; 0 gives 1.
template <class R>
std::uint64_t countLeaves(const R& rules, const Position& position, int depth) {
  if (depth == 0) return 1;
  if (endOfPosition(rules, position) != EndReason::None) return 0;
  std::uint64_t leaves = 0;
  for (PitMask rest = legalMoves(rules, position); rest; rest &= rest - 1)
    leaves += countLeaves(rules, play(rules, position, std::countr_zero(rest)), depth - 1);
  return leaves;
}

std::uint64_t perft(const Rules& rules, const Position& position, int depth, bool nostop = false);

// The same with statistics; slower.
PerftStats perftStats(const Rules& rules, const Position& position, int depth, bool nostop = false);

// Leaves by first move (0-based pit), in the order of pits; depth >= 1.
std::vector<std::pair<int, std::uint64_t>> perftDivide(const Rules& rules, const Position& position,
                                                       int depth, bool nostop = false);

}  // namespace toguz
