// Which of many possible exercises to take. Internal to making exercises.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/exercises.h"

namespace toguz {

// A third of the game by the balls on the board: 0 opening, 1, 2 ending.
int exercisePhase(const Rules& rules, const Position& position);

// An exercise, or what may become one.
struct ExerciseCandidate {
  Exercise exercise;
  std::size_t game = 0, ply = 0;
  // The better one is taken: how far the solution is from the others, whether it decides who
  // stands better, and whether it is one move.
  double merit() const;
};

// In an order that hangs on neither threads nor the order of equals in the file.
bool betterCandidate(const ExerciseCandidate& a, const ExerciseCandidate& b);

// Up to `most` candidates of each kind, level and phase, the best; those without a level apart.
std::vector<ExerciseCandidate> promising(std::vector<ExerciseCandidate> all, std::size_t most);

// `perLevel` of each level as far as there are: places in `all`, by level and then by game.
std::vector<std::size_t> chooseExercises(const std::vector<ExerciseCandidate>& all,
                                         std::size_t perLevel);

}  // namespace toguz
