// The losses of one batch and their gradient at the network's raw outputs, in plain loops: they are
// a few numbers a row, too small for a tensor library to be worth its overhead, and an illegal
// pit's gradient is exactly 0 by construction.
#pragma once

#include <span>

#include "training/row.h"

namespace toguz {

struct LossWeights {
  double policy = 1.0;
  double result = 1.0;
  double margin = 0.15;
  double reply = 0.15;
  double shortValue = 0.3;
  // The result target is (1 - valueMix) * the game's result + valueMix * the search's root value.
  double valueMix = 0.0;
};

// The sums of the rows' weights (weight / 255): what the losses' sums are divided by. A batch that
// is worked on in pieces is weighed as a whole first.
struct BatchWeights {
  double all = 0;
  double policy = 0;  // of the rows that have a policy target
  double reply = 0;   // of those that have a reply
};
BatchWeights weigh(std::span<const TrainingRow> rows);

// Sums over rows, each term times its row's weight.
struct LossSums {
  double policy = 0, result = 0, margin = 0, reply = 0, shortValue = 0, policyEntropy = 0;
};

// Adds the rows' losses to `sums`. raw: [rows][HeadLayout::size()]. Policy: cross-entropy over the
// legal pits (none for a row whose target is all zero). Result: cross-entropy over win, draw, loss.
// Margin: smooth L1 in units of kMarginUnit. Reply: cross-entropy over all N pits of the opponent,
// for it is the move played here that decides which are legal. Short-term value: squared error of
// tanh. If `gradient` is not empty it has raw's size and receives, for these rows, the gradient of
// the sum of loss weight * mean loss. Throws Error if a row's policy or reply does not fit the
// rules.
void addLosses(const Rules& rules, std::span<const TrainingRow> rows, std::span<const float> raw,
               const LossWeights& weights, const BatchWeights& batch, LossSums& sums,
               std::span<float> gradient);

}  // namespace toguz
