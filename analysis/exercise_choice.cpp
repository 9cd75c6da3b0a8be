#include "analysis/exercise_choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace toguz {
namespace {

constexpr int kPhases = 3;
// Positions of one game nearer to each other are about the same thing.
constexpr std::size_t kPliesApart = 8;

using Cell = std::tuple<int, int, int>;  // level, kind, phase

Cell cellOf(const ExerciseCandidate& candidate) {
  const Exercise& exercise = candidate.exercise;
  return {exercise.level, static_cast<int>(exercise.kind),
          exercisePhase(exercise.rules, exercise.position)};
}

// The plies taken from each game.
class Taken {
 public:
  // A game gives no more than `most`.
  bool allows(const ExerciseCandidate& candidate, std::size_t most) const {
    const auto found = plies_.find(candidate.game);
    if (found == plies_.end()) return true;
    return found->second.size() < most &&
           std::all_of(found->second.begin(), found->second.end(), [&](std::size_t ply) {
             return std::max(ply, candidate.ply) - std::min(ply, candidate.ply) >= kPliesApart;
           });
  }
  void add(const ExerciseCandidate& candidate) { plies_[candidate.game].push_back(candidate.ply); }

 private:
  std::map<std::size_t, std::vector<std::size_t>> plies_;
};

using Queue = std::vector<const ExerciseCandidate*>;  // the best first

// Takes the first that is allowed out of the queue; null if there is none.
const ExerciseCandidate* takeFrom(Queue& queue, const Taken& taken, std::size_t most) {
  const auto found = std::find_if(queue.begin(), queue.end(), [&](const ExerciseCandidate* one) {
    return taken.allows(*one, most);
  });
  if (found == queue.end()) return nullptr;
  const ExerciseCandidate* candidate = *found;
  queue.erase(found);
  return candidate;
}

}  // namespace

int exercisePhase(const Rules& rules, const Position& position) {
  const int gone = rules.set().total() - position.ballsOnBoard();
  return std::min(kPhases - 1, kPhases * gone / rules.set().total());
}

double ExerciseCandidate::merit() const {
  constexpr double kPlainGap = 40, kDecides = 20, kOneSolution = 10;  // points
  return std::min(exercise.winRate - exercise.others, kPlainGap) +
         (exercise.winRate >= 50 && exercise.others < 50 ? kDecides : 0) +
         (exercise.solution.size() == 1 ? kOneSolution : 0);
}

bool betterCandidate(const ExerciseCandidate& a, const ExerciseCandidate& b) {
  const double x = a.merit(), y = b.merit();
  if (x != y) return x > y;
  return std::pair(a.game, a.ply) < std::pair(b.game, b.ply);
}

std::vector<ExerciseCandidate> promising(std::vector<ExerciseCandidate> all, std::size_t most) {
  std::sort(all.begin(), all.end(), betterCandidate);
  std::map<Cell, std::size_t> counts;
  std::erase_if(all, [&](const ExerciseCandidate& one) { return ++counts[cellOf(one)] > most; });
  return all;
}

std::vector<std::size_t> chooseExercises(const std::vector<ExerciseCandidate>& all,
                                         std::size_t perLevel) {
  Queue best;
  for (const ExerciseCandidate& one : all) best.push_back(&one);
  std::sort(best.begin(), best.end(),
            [](const auto* a, const auto* b) { return betterCandidate(*a, *b); });
  std::map<Cell, Queue> cells;
  for (const ExerciseCandidate* one : best) cells[cellOf(*one)].push_back(one);

  Taken taken;
  Queue chosen;
  // The rare ones first, so that games are not used up for what is common.
  for (int level = kExerciseLevels; level >= 1; --level) {
    std::size_t left = perLevel;
    for (std::size_t most = 1; left > 0 && most <= all.size(); ++most) {
      for (bool some = true; some && left > 0;) {
        some = false;
        for (int phase = 0; phase < kPhases; ++phase)
          for (std::size_t kind = 0; kind < kExerciseKinds && left > 0; ++kind) {
            const auto cell = cells.find({level, static_cast<int>(kind), phase});
            if (cell == cells.end()) continue;
            const ExerciseCandidate* one = takeFrom(cell->second, taken, most);
            if (!one) continue;
            taken.add(*one);
            chosen.push_back(one);
            some = true;
            --left;
          }
      }
    }
  }
  std::sort(chosen.begin(), chosen.end(), [](const auto* a, const auto* b) {
    return std::tuple(a->exercise.level, a->game, a->ply) <
           std::tuple(b->exercise.level, b->game, b->ply);
  });
  std::vector<std::size_t> places;
  for (const ExerciseCandidate* one : chosen)
    places.push_back(static_cast<std::size_t>(one - all.data()));
  return places;
}

}  // namespace toguz
