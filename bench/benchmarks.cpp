#include "base/rng.h"
#include "bench/internal.h"

namespace toguz::bench {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      {"rules", "moves made in a perft, against the plain ball-by-ball form", rulesBench},
      {"inference", "network evaluations by batch, against sgemm's peak and LibTorch",
       inferenceBench},
      {"search", "the search signature; nodes a second of one tree", searchBench},
      {"selfplay", "simulations a second against inference alone; two workers against one",
       selfPlayBench},
#ifdef TOGUZ_TRAINING
      {"train", "rows a second of the trainer at batch 512", trainBench},
      {"replay", "rows a second of adding and sampling; bytes a row", replayBench},
      {"store",
       "games a second that a learner takes in from others (TOGUZ_BENCH_STORE: also over Redis)",
       storeBench},
#endif
  };
  return all;
}

Model benchModel(const Options& options) {
  if (!options.model.empty()) return loadModel(options.model);
  // Random in every layer: a network fresh from initialisation has heads of zero.
  Model model = randomModel(Rules(kStandard), Architecture{}, 1);
  Rng rng(2);
  for (Tensor& tensor : model.tensors)
    for (float& weight : tensor.data)
      if (weight == 0) weight = static_cast<float>(0.02 * rng.normal());
  return model;
}

std::vector<Position> randomPositions(const Rules& rules, std::size_t count, std::uint64_t seed) {
  std::vector<Position> positions;
  Rng rng(seed);
  while (positions.size() < count) {
    Game game(rules);
    while (!game.over() && positions.size() < count) {
      if (rng.chance(0.25)) positions.push_back(game.position());
      PitMask rest = game.legal();
      for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(rest))); skip; --skip)
        rest &= rest - 1;
      game.play(std::countr_zero(rest));
    }
  }
  return positions;
}

}  // namespace toguz::bench
