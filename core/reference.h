// The move, ball by ball: a plain second implementation of the rules of moving, written without a
// table, a mask or a line of core/sow.h, that tests and benchmarks hold `play` against. Slow.
#pragma once

#include <vector>

#include "core/sow.h"

namespace toguz {

// The same contract as `play`: `pit` (0-based, of the side to move) holds a ball.
Position playBallByBall(const RuleSet& rules, const Position& from, int pit,
                        Sowing* sowing = nullptr);

// Pits that may be played, ascending, compulsion in giveaway included; the rules of moving alone.
std::vector<int> legalPitsPlainly(const RuleSet& rules, const Position& position);

}  // namespace toguz
