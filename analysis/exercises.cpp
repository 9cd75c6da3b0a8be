#include "analysis/exercises.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "analysis/exercise_choice.h"
#include "analysis/exercise_search.h"
#include "base/error.h"

namespace toguz {
namespace {

// Plies of a line that can be trusted and followed.
constexpr std::size_t kLine = 6;

using Rates = std::array<std::optional<double>, kMaxPits>;  // by pit, after the move

// Whether it is an exercise; then it is complete.
bool settle(ExerciseLook& look, const Analysis& root, const Rates& rates) {
  Exercise& exercise = look.candidate.exercise;
  const double best = **std::max_element(rates.begin(), rates.end());
  PitMask solution = 0, legal = 0;
  double least = 100, others = 0, policy = 0;
  for (const RootMove& move : root.moves) {
    const double rate = *rates[move.pit];
    legal |= 1u << move.pit;
    if (rate < best - kSolutionPoints) {
      others = std::max(others, rate);
      continue;
    }
    solution |= 1u << move.pit;
    least = std::min(least, rate);
    policy += static_cast<double>(move.prior);
  }
  const int first = *root.bestPit;
  if (!(solution >> first & 1u) || std::popcount(solution) > 2 || solution == legal) return false;
  if (least - others < kExerciseGap || least < kLeastWinRate || others >= kMostOthers) return false;
  if (!look.judge(solution, policy)) return false;
  if (exercise.kind == ExerciseKind::Capture && least < kLeastCapture) return false;

  exercise.solution = {static_cast<std::uint8_t>(first)};
  if (const PitMask second = solution & ~(1u << first))
    exercise.solution.push_back(static_cast<std::uint8_t>(std::countr_zero(second)));
  exercise.winRate = *rates[static_cast<std::size_t>(first)];
  exercise.others = others;
  exercise.line = root.lines.front().pv;
  exercise.line.resize(std::min(exercise.line.size(), kLine));
  exercise.played = (solution >> look.played & 1u) != 0;
  return true;
}

std::vector<ExerciseCandidate> closerLook(ExerciseSearch& search, std::vector<ExerciseLook> looks,
                                          int nodes) {
  struct After {
    std::size_t look;
    int pit;
  };
  std::vector<After> afters;
  for (std::size_t i = 0; i < looks.size(); ++i)
    for (PitMask rest = looks[i].game().legal(); rest; rest &= rest - 1)
      afters.push_back({i, std::countr_zero(rest)});
  std::vector<Analysis> roots(looks.size());
  std::vector<Rates> rates(looks.size());
  search.run(
      "closer look", looks.size(), nodes, [&](std::size_t i) { return looks[i].game(); },
      [&](std::size_t i, const Analysis& analysis) { roots[i] = analysis; });
  search.run(
      "closer look at each move", afters.size(), std::max(1, nodes / 4),
      [&](std::size_t i) {
        Game game = looks[afters[i].look].game();
        game.play(afters[i].pit);
        return game.over() ? game : exerciseGame(game.rules(), game.position());
      },
      [&](std::size_t i, const Analysis& analysis) {
        rates[afters[i].look][static_cast<std::size_t>(afters[i].pit)] =
            100 - analysis.lines.front().winRate();
      });
  std::vector<ExerciseCandidate> good;
  for (std::size_t i = 0; i < looks.size(); ++i)
    if (settle(looks[i], roots[i], rates[i])) good.push_back(std::move(looks[i].candidate));
  return good;
}

bool stands(const Exercise& exercise, const Analysis& analysis) {
  double best = 0, others = 0;
  bool chosen = false;
  for (const RootMove& move : analysis.moves) {
    const bool solves = std::find(exercise.solution.begin(), exercise.solution.end(), move.pit) !=
                        exercise.solution.end();
    chosen = chosen || (solves && move.pit == *analysis.bestPit);
    if (move.visits == 0) continue;
    double& rate = solves ? best : others;
    rate = std::max(rate, winRateOf(move));
  }
  return chosen && best - others >= kExerciseGap / 2;
}

std::vector<Exercise> lastLook(ExerciseSearch& search, std::vector<ExerciseCandidate> all,
                               int nodes, std::size_t perLevel) {
  std::unordered_set<std::uint64_t> stood, failed;  // positions
  const auto hashOf = [](const ExerciseCandidate& one) { return one.exercise.position.hash(); };
  for (;;) {
    const std::vector<std::size_t> chosen = chooseExercises(all, perLevel);
    std::vector<std::size_t> fresh;
    for (const std::size_t place : chosen)
      if (!stood.contains(hashOf(all[place]))) fresh.push_back(place);
    if (fresh.empty()) {
      std::vector<Exercise> exercises;
      for (const std::size_t place : chosen) exercises.push_back(all[place].exercise);
      return exercises;
    }
    search.run(
        "last look", fresh.size(), nodes,
        [&](std::size_t i) {
          const Exercise& exercise = all[fresh[i]].exercise;
          return exerciseGame(exercise.rules, exercise.position);
        },
        [&](std::size_t i, const Analysis& analysis) {
          const ExerciseCandidate& one = all[fresh[i]];
          (stands(one.exercise, analysis) ? stood : failed).insert(hashOf(one));
        });
    std::erase_if(all, [&](const auto& one) { return failed.contains(hashOf(one)); });
  }
}

}  // namespace

int exerciseLevel(const ExerciseSigns& signs) {
  const int points = signs.found + (signs.policy < 1.0 / 2 ? 1 : 0) +
                     (signs.policy < 1.0 / 6 ? 1 : 0) + (signs.takesMost ? 0 : 1);
  constexpr std::array<int, 5> kByPoints{1, 2, 3, 4, 4};
  return points < static_cast<int>(kByPoints.size()) ? kByPoints[static_cast<std::size_t>(points)]
                                                     : kExerciseLevels;
}

std::vector<Exercise> makeExercises(Analyst& analyst, std::span<const ExerciseGame> games,
                                    const ExerciseOptions& options,
                                    const ExerciseProgress& progress) {
  TOGUZ_CHECK(options.nodes > 0 && options.closerNodes > 0 && options.perLevel > 0,
              "exercises without nodes or of no number");
  const auto perLevel = static_cast<std::size_t>(options.perLevel);
  const auto lastNodes = static_cast<int>(
      std::min(5 * static_cast<std::int64_t>(options.closerNodes), kMaxAnalysisNodes));
  ExerciseSearch search(analyst, progress);
  std::vector<ExerciseLook> looks = exerciseCandidates(search, games, options.nodes, perLevel);
  std::vector<ExerciseCandidate> good = closerLook(search, std::move(looks), options.closerNodes);
  return lastLook(search, std::move(good), lastNodes, perLevel);
}

}  // namespace toguz
