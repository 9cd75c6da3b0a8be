// How long to think: turns the limits of one move into milliseconds.
#pragma once

#include <cstdint>
#include <optional>

#include "core/game.h"

namespace toguz {

// Limits of one search; any may be combined, the first reached ends it. With none set the engine
// uses EngineOptions::defaultNodes.
struct EngineLimits {
  // Root visits at the end, those of a reused tree included; at least 1.
  std::optional<std::int64_t> nodes = std::nullopt;
  std::optional<double> moveTimeMs = std::nullopt;
  // On the clock of the side to move; below 0 counts as 0.
  std::optional<double> remainingMs = std::nullopt;
  double incrementMs = 0;  // added to that clock after the move
  // Search until told to stop, even when a limit is reached or the tree is full.
  bool infinite = false;
};

// Milliseconds from the start of the search to its end; empty if no limit of time is set. Always
// less than the time given: by `overheadMs`, or a tenth if that is less, of a move time; of a clock
// `overheadMs` is kept for each move to come and ten times as much for hold-ups; when no more than
// that is left, moves take a millisecond at most.
// 0 means "answer at once".
std::optional<double> timeBudgetMs(const EngineLimits& limits, const Game& game, double overheadMs);

// Own moves still to be played, as a guess from the balls left on the board (not validated).
double expectedMovesLeft(const Position& position);

}  // namespace toguz
