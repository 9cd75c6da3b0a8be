// What the stages of making exercises share. Internal to it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "analysis/exercise_choice.h"
#include "analysis/exercises.h"

namespace toguz {

// Searches many positions with equal nodes.
class ExerciseSearch {
 public:
  using GameOf = std::function<Game(std::size_t)>;
  using Take = std::function<void(std::size_t, const Analysis&)>;

  ExerciseSearch(Analyst& analyst, const ExerciseProgress& progress)
      : analyst_(analyst), progress_(progress) {}

  const Rules& rules() const { return analyst_.rules(); }
  // Gives each answer to `take`, one at a time, in any order.
  void run(const char* stage, std::size_t count, int nodes, const GameOf& gameOf, const Take& take);

 private:
  Analyst& analyst_;
  const ExerciseProgress& progress_;
};

// Repetitions are left out of account, as in reviews: the history begins at the position.
inline Game exerciseGame(const Rules& rules, const Position& position) {
  return Game(rules, position, 100'000);
}

inline double winRateOf(const RootMove& move) {
  return 50.0 * (1.0 + static_cast<double>(move.winLoss));
}

// A position that one move may be the solution of.
struct ExerciseLook {
  ExerciseCandidate candidate;
  int played = 0;                                    // 0-based
  int best = 0;                                      // what is thought to be the solution
  double policy = 0;                                 // of `best`
  std::array<int, kExerciseProbes.size()> probes{};  // the choices

  Game game() const { return exerciseGame(candidate.exercise.rules, candidate.exercise.position); }
  // Sets kind and level for these moves, which the network at sight gives `policyOf` together;
  // false if they have no kind.
  bool judge(PitMask solution, double policyOf);
};

// The first look and the probes: up to `most` of each kind, level and phase, by what they know.
std::vector<ExerciseLook> exerciseCandidates(ExerciseSearch& search,
                                             std::span<const ExerciseGame> games, int nodes,
                                             std::size_t most);

}  // namespace toguz
