// A game's positions searched by an Analyst, for a review (analysis/review.h).
#pragma once

#include <functional>

#include "analysis/analyst.h"
#include "analysis/review.h"

namespace toguz {

// Puts each position of the game to the analyst, who must play its rules, and calls `done` by a
// thread of his when all are answered; never if he goes away before.
void reviewGame(Analyst& analyst, const ReplayedGame& game, const AnalysisLimits& limits,
                std::function<void(GameReview&&)> done);

}  // namespace toguz
