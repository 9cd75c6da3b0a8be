// Minimax without any of alpha-beta's machinery, written from the rules alone: what the fast search
// is held against.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "core/game.h"
#include "search/alphabeta.h"

namespace toguz::test {

class PlainMinimax {
 public:
  PlainMinimax(const Rules& rules, int quiescenceDepth)
      : rules_(rules), quiescenceDepth_(quiescenceDepth) {}

  // Values of all root moves by pit, kNone where illegal.
  static constexpr int kNone = -100000;
  std::vector<int> rootValues(const Game& game, int depth) {
    line_.assign(game.positions().begin(), game.positions().end());
    std::vector<int> values(static_cast<std::size_t>(rules_.set().pits), kNone);
    for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      values[static_cast<std::size_t>(pit)] =
          -value(play(rules_, game.position(), pit), depth - 1, 1);
    }
    return values;
  }

 private:
  int ends(const Position& p, int ply, bool& over) const {
    const EndReason reason =
        withRules(rules_, [&](const auto& rules) { return endOfPosition(rules, p); });
    over = reason != EndReason::None;
    return over ? outcomeOf(rules_.set(), p, reason).score(p.side) * (AlphaBeta::kWin - ply) : 0;
  }

  int rest(const Position& p) const {
    const int me = index(p.side);
    const int ahead =
        p.kazan[static_cast<std::size_t>(me)] - p.kazan[static_cast<std::size_t>(1 - me)];
    return rules_.set().giveaway ? -ahead : ahead;
  }

  int value(const Position& p, int depth, int ply) {
    bool over = false;
    const int end = ends(p, ply, over);
    if (over) return end;
    if (std::find(line_.begin(), line_.end(), p) != line_.end()) return 0;
    if (depth == 0) return quiet(p, ply, quiescenceDepth_);
    line_.push_back(p);
    int best = PlainMinimax::kNone;
    for (PitMask rest = legalMoves(rules_, p); rest; rest &= rest - 1)
      best = std::max(best, -value(play(rules_, p, std::countr_zero(rest)), depth - 1, ply + 1));
    line_.pop_back();
    return best;
  }

  int quiet(const Position& p, int ply, int left) {
    bool over = false;
    const int end = ends(p, ply, over);
    if (over) return end;
    if (left == 0) return rest(p);
    const auto mover = static_cast<std::size_t>(index(p.side));
    int best = rules_.set().giveaway ? kNone : rest(p);
    bool any = false;
    for (PitMask mask = legalMoves(rules_, p); mask; mask &= mask - 1) {
      Sowing sowing;
      const Position next = play(rules_, p, std::countr_zero(mask), &sowing);
      const bool captures =
          rules_.set().giveaway ? next.kazan[mover] > p.kazan[mover] : sowing.captured > 0;
      if (!captures) continue;
      any = true;
      best = std::max(best, -quiet(next, ply + 1, left - 1));
    }
    return any ? best : rest(p);
  }

  Rules rules_;
  int quiescenceDepth_;
  std::vector<Position> line_;
};

}  // namespace toguz::test
