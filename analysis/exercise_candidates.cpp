// The first look at every position, and what the probes make of those where something is to find.
#include <algorithm>
#include <bit>
#include <unordered_set>

#include "analysis/exercise_search.h"
#include "base/error.h"

namespace toguz {
namespace {

// The closer look decides; before it a little less will do.
constexpr double kFirstGap = kExerciseGap - 3;
constexpr double kFirstLeastWinRate = kLeastWinRate - 5;
// The move played is worth so many points more than the first look thought the best to be.
constexpr double kSurprise = 8;

struct Seen {
  std::size_t game = 0, ply = 0;
  double best = 0, next = 0;  // win rates
  int pit = 0;
  double policy = 0;

  bool follows(const Seen& before) const { return game == before.game && ply == before.ply + 1; }
};

// The board and the tuzdiks from the mover's view; how the other balls are shared out is left out.
std::uint64_t boardKey(const Rules& rules, const Position& position) {
  Position key = position.side == Side::First ? position : position.swapped(rules.set());
  key.kazan = {0, 0};
  return key.hash();
}

// Every board once, where there is a choice.
std::vector<Seen> positionsOf(const Rules& rules, std::span<const ExerciseGame> games) {
  std::vector<Seen> all;
  std::unordered_set<std::uint64_t> boards;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const ReplayedGame& game = *games[g].game;
    TOGUZ_CHECK(game.rules == rules, "exercises from a game of other rules");
    for (std::size_t ply = 0; ply < game.pits.size(); ++ply) {
      const Position& position = game.positions[ply];
      if (std::popcount(exerciseGame(rules, position).legal()) < 2) continue;
      if (boards.insert(boardKey(rules, position)).second) all.push_back({.game = g, .ply = ply});
    }
  }
  return all;
}

void firstLook(ExerciseSearch& search, std::span<const ExerciseGame> games, int nodes,
               std::vector<Seen>& all) {
  search.run(
      "first look", all.size(), nodes,
      [&](std::size_t i) {
        return exerciseGame(search.rules(), games[all[i].game].game->positions[all[i].ply]);
      },
      [&](std::size_t i, const Analysis& analysis) {
        Seen& seen = all[i];
        seen.pit = *analysis.bestPit;
        for (const RootMove& move : analysis.moves) {
          if (move.pit == seen.pit) {
            seen.best = winRateOf(move);
            seen.policy = static_cast<double>(move.prior);
          } else if (move.visits > 0) {
            seen.next = std::max(seen.next, winRateOf(move));
          }
        }
      });
}

// `after`: the position that the move played led to, if it was looked at.
std::optional<ExerciseLook> lookOf(const ExerciseGame& source, const Seen& seen,
                                   const Seen* after) {
  const ReplayedGame& game = *source.game;
  ExerciseLook look;
  look.played = game.pits[seen.ply];
  look.best = seen.pit;
  look.policy = seen.policy;
  double winRate = seen.best, others = seen.next;
  if (winRate - others < kFirstGap) {
    if (!after) return std::nullopt;
    others = seen.best;
    winRate = 100 - after->best;
    if (winRate - others < kSurprise) return std::nullopt;
    look.best = look.played;
    look.policy = 0;
  }
  if (winRate < kFirstLeastWinRate || others >= kMostOthers) return std::nullopt;
  const bool secondBegan = game.positions.front().side == Side::Second;
  Exercise& exercise = look.candidate.exercise;
  exercise.rules = game.rules;
  exercise.position = game.positions[seen.ply];
  exercise.fullmove = game.startFullmove + static_cast<int>((seen.ply + (secondBegan ? 1 : 0)) / 2);
  exercise.winRate = winRate;
  exercise.others = others;
  exercise.source = source.source + " ply " + std::to_string(seen.ply + 1);
  look.candidate.game = seen.game;
  look.candidate.ply = seen.ply;
  return look;
}

}  // namespace

bool ExerciseLook::judge(PitMask solution, double policyOf) {
  const Game at = game();
  const auto kind = exerciseKind(at, solution);
  if (!kind) return false;
  ExerciseSigns signs{.found = static_cast<int>(probes.size()),
                      .policy = policyOf,
                      .takesMost = takesTheMost(at, solution)};
  while (signs.found > 0 &&
         (solution >> probes[static_cast<std::size_t>(signs.found - 1)] & 1u) != 0)
    --signs.found;
  candidate.exercise.kind = *kind;
  candidate.exercise.level = exerciseLevel(signs);
  return true;
}

std::vector<ExerciseLook> exerciseCandidates(ExerciseSearch& search,
                                             std::span<const ExerciseGame> games, int nodes,
                                             std::size_t most) {
  std::vector<Seen> all = positionsOf(search.rules(), games);
  firstLook(search, games, nodes, all);
  std::vector<ExerciseLook> looks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool goesOn = i + 1 < all.size() && all[i + 1].follows(all[i]);
    if (auto look = lookOf(games[all[i].game], all[i], goesOn ? &all[i + 1] : nullptr))
      looks.push_back(std::move(*look));
  }
  for (std::size_t p = 0; p < kExerciseProbes.size(); ++p)
    search.run(
        "probes", looks.size(), kExerciseProbes[p], [&](std::size_t i) { return looks[i].game(); },
        [&](std::size_t i, const Analysis& analysis) { looks[i].probes[p] = *analysis.bestPit; });

  std::vector<ExerciseCandidate> judged;
  for (ExerciseLook& look : looks)
    if (look.judge(1u << look.best, look.policy)) judged.push_back(look.candidate);
  std::unordered_set<std::uint64_t> kept;
  for (const ExerciseCandidate& one : promising(std::move(judged), most))
    kept.insert(one.exercise.position.hash());
  std::erase_if(looks, [&](const ExerciseLook& look) {
    return !kept.contains(look.candidate.exercise.position.hash());
  });
  return looks;
}

}  // namespace toguz
