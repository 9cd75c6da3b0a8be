// What there is to find in a position, by the rules alone: no search is asked.
#pragma once

#include <cstdint>
#include <optional>

#include "core/game.h"

namespace toguz {

enum class ExerciseKind : std::uint8_t {
  Capture,  // the solution captures an even pit
  Tuzdik,   // it makes the tuzdik
  // A threat hangs over the mover: after every move but the solution the opponent can make a tuzdik
  // or a large capture. The solution takes nothing itself. Not in giveaway, where takings harm.
  Avoid,
  Best,  // it takes nothing, and nothing so plain is threatened
};
inline constexpr std::size_t kExerciseKinds = 4;
const char* text(ExerciseKind kind);  // "capture", "tuzdik", "avoid", "best"

// An immediate capture of so many balls is a threat: a sixteenth of all, 10 in the standard game.
constexpr int largeCapture(const RuleSet& rules) {
  return rules.total() / 16;
}

// Whether the opponent, after this move (0-based, legal), can make a tuzdik or a large capture.
bool leavesThreat(const Game& game, int pit);

// Of the position with these moves (bits of 0-based pits, each legal) as its solution, some legal
// move being none. Empty if the solutions are of different kinds, as a capture and a quiet move.
std::optional<ExerciseKind> exerciseKind(const Game& game, PitMask solution);

// Whether one of the moves takes as many balls as any move can, some at least; where the variant
// has tuzdiks, making one counts as more than any capture. In giveaway, as few as any.
bool takesTheMost(const Game& game, PitMask moves);

}  // namespace toguz
