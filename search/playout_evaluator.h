// Evaluation without a network: uniform priors, and the mean result of random games played to the
// end. The evaluator of the player `mcts`, which shows what search alone is worth.
#pragma once

#include "base/rng.h"
#include "search/evaluator.h"

namespace toguz {

class PlayoutEvaluator final : public Evaluator {
 public:
  // A playout that is not over after this many plies is a draw (random games last at most ~420).
  static constexpr int kPlyCap = 600;

  // `playouts` random games a position; repeats for the same seed and order of positions.
  PlayoutEvaluator(const Rules& rules, std::uint64_t seed, int playouts = 1);
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override;
  void reseed(std::uint64_t seed) { rng_ = Rng(seed); }

 private:
  Rules rules_;
  Rng rng_;
  int playouts_;
};

// A uniformly random pit of a non-empty mask.
int randomPit(PitMask mask, Rng& rng);

}  // namespace toguz
