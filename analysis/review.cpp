#include "analysis/review.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "base/error.h"
#include "play/hint.h"

namespace toguz {
namespace {

double winRateOf(const Analysis& analysis) {
  return analysis.lines.front().winRate();
}

Mark markOf(double lost) {
  if (lost >= kBlunderPoints) return Mark::Blunder;
  if (lost >= kMistakePoints) return Mark::Mistake;
  if (lost >= kInaccuracyPoints) return Mark::Inaccuracy;
  return Mark::None;
}

// Whether the best move was hard to do without and not the first that comes to mind.
bool standsOut(const Game& game, const Analysis& analysis) {
  const int best = *analysis.bestPit;
  double chosen = 0;
  std::optional<double> next;
  for (const RootMove& move : analysis.moves) {
    if (move.visits == 0) continue;
    const double rate = 50.0 * (1.0 + move.winLoss);
    if (move.pit == best)
      chosen = rate;
    else
      next = std::max(next.value_or(rate), rate);
  }
  if (!next || chosen - *next < kMistakePoints) return false;
  const MoveFacts facts = factsOf(game, best);
  return facts.capture.pit == 0 || facts.capture.balls < facts.chanceBefore.balls;
}

}  // namespace

const char* text(Mark mark) {
  constexpr std::array<const char*, 5> kTexts{"", "!", "?!", "?", "??"};
  return kTexts[static_cast<std::size_t>(mark)];
}

double moveAccuracy(double lostWinRate) {
  if (lostWinRate <= 0) return 100;  // the formula gives 99.9999
  return std::clamp(103.1668 * std::exp(-0.04354 * lostWinRate) - 3.1669, 0.0, 100.0);
}

double GameReview::firstWinRate(std::size_t i) const {
  const double rate = i < moves.size() ? moves[i].winRateBest : lastWinRate;
  return positions[i].side == Side::First ? rate : 100 - rate;
}

double GameReview::firstMargin(std::size_t i) const {
  const double margin = i < moves.size() ? moves[i].marginBest : lastMargin;
  return positions[i].side == Side::First ? margin : -margin;
}

GameReview reviewOf(ReplayedGame&& game, std::span<const Analysis> answers) {
  GameReview review;
  review.rules = game.rules;
  review.startFullmove = game.startFullmove;
  review.outcome = game.outcome;
  const bool giveaway = game.rules.set().giveaway;
  Game current(game.rules, game.positions.front(), 100'000);
  for (std::size_t i = 0; i < game.pits.size(); ++i) {
    const Analysis& before = answers[i];
    const Analysis& after = answers[i + 1];
    ReviewedMove move;
    move.pit = game.pits[i];
    move.best = before.bestPit.value_or(move.pit);
    move.winRateBest = winRateOf(before);
    move.marginBest = before.lines.front().margin;
    move.bestLine = before.lines.front().pv;
    if (move.pit == move.best) {
      move.winRate = move.winRateBest;
      move.margin = move.marginBest;
    } else {
      move.winRate = std::min(move.winRateBest, 100 - winRateOf(after));
      move.margin = -static_cast<double>(after.lines.front().margin);
      move.lostWinRate = move.winRateBest - move.winRate;
      move.lostBalls =
          std::max(0.0, giveaway ? move.margin - move.marginBest : move.marginBest - move.margin);
    }
    move.accuracy = moveAccuracy(move.lostWinRate);
    move.mark = markOf(move.lostWinRate);
    move.turning =
        move.lostWinRate >= kMistakePoints && move.winRateBest >= 50 && move.winRate < 50;
    if (!current.over()) {
      if (before.bestPit && move.pit == move.best && standsOut(current, before))
        move.mark = Mark::Good;
      current.play(move.pit);
    }
    SideReview& side = review.sides[static_cast<std::size_t>(index(game.positions[i].side))];
    ++side.moves;
    ++side.marks[static_cast<std::size_t>(move.mark)];
    side.accuracy += move.accuracy;
    side.lostBalls += move.lostBalls;
    review.moves.push_back(std::move(move));
  }
  review.lastWinRate = winRateOf(answers.back());
  review.lastMargin = answers.back().lines.front().margin;
  for (SideReview& side : review.sides) {
    if (side.moves == 0) continue;
    side.accuracy = (side.accuracy - 100) / side.moves;
    side.lostBalls /= side.moves;
  }
  review.positions = std::move(game.positions);
  return review;
}

std::vector<OpeningLine> openingLines(std::span<const GameReview* const> games,
                                      std::span<const std::string> results, int plies, int least) {
  TOGUZ_CHECK(games.size() == results.size(), "as many results as games");
  struct Branch {
    OpeningLine line;
    std::map<std::uint8_t, Branch> next;
  };
  Branch root;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const GameReview& game = *games[g];
    if (!(game.positions.front() == Position::start(game.rules.set()))) continue;
    Branch* at = &root;
    for (std::size_t i = 0; i < game.moves.size() && i < static_cast<std::size_t>(plies); ++i) {
      const auto pit = static_cast<std::uint8_t>(game.moves[i].pit);
      Branch& branch = at->next[pit];
      if (branch.line.games == 0) {
        branch.line.pits = at->line.pits;
        branch.line.pits.push_back(pit);
        branch.line.firstWinRate = game.firstWinRate(i + 1);
      }
      ++branch.line.games;
      if (results[g] == text(Result::FirstWins)) ++branch.line.results[0];
      if (results[g] == text(Result::Draw)) ++branch.line.results[1];
      if (results[g] == text(Result::SecondWins)) ++branch.line.results[2];
      at = &branch;
    }
  }
  std::vector<OpeningLine> lines;
  const auto walk = [&](const auto& self, const Branch& branch) -> void {
    std::vector<const Branch*> next;
    for (const auto& [pit, below] : branch.next)
      if (below.line.games >= least) next.push_back(&below);
    std::stable_sort(next.begin(), next.end(), [](const Branch* a, const Branch* b) {
      return a->line.games > b->line.games;
    });
    for (const Branch* below : next) {
      lines.push_back(below->line);
      self(self, *below);
    }
  };
  walk(walk, root);
  return lines;
}

}  // namespace toguz
