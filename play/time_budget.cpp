#include "play/time_budget.h"

#include <algorithm>

namespace toguz {
namespace {

// In units of the overhead. Ten lost 4 of 200 games at 1 s + 10 ms where four processes shared half
// a core each.
constexpr double kHoldUps = 30;
constexpr double kLeastMs = 1;

}  // namespace

double expectedMovesLeft(const Position& position) {
  // A game of `standard` lasts about 53 moves a side and a move takes about 2.5 balls off the
  // board; the constant keeps a reserve for games that drag on.
  return 8.0 + 0.28 * position.ballsOnBoard();
}

std::optional<double> timeBudgetMs(const EngineLimits& limits, const Game& game,
                                   double overheadMs) {
  std::optional<double> budget;
  if (limits.moveTimeMs) {
    const double given = std::max(0.0, *limits.moveTimeMs);
    // A tenth at most, so that short move times are still used.
    budget = given - std::min(overheadMs, 0.1 * given);
  }
  if (limits.remainingMs) {
    const double remaining = std::max(0.0, *limits.remainingMs);
    // On a busy machine a process that computes is held up for longer than it thinks, at every
    // move: the overhead is set aside for all the moves to come and for a few long hold-ups, but of
    // a short clock half may be used until only those few are left.
    const double movesLeft = expectedMovesLeft(game.position());
    const double reserve = std::min((kHoldUps + movesLeft) * overheadMs,
                                    std::max(kHoldUps * overheadMs, 0.5 * remaining));
    const double usable = std::max(0.0, remaining - reserve);
    const double share = usable / movesLeft;
    // Never more than half of what may be used: an increment must not be spent before it comes.
    double think = std::min(share + 0.75 * std::max(0.0, limits.incrementMs), 0.5 * usable);
    think = std::max(think, std::min(kLeastMs, 0.1 * remaining));
    budget = budget ? std::min(*budget, think) : think;
  }
  return budget;
}

}  // namespace toguz
