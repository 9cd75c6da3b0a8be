#include "search/signature.h"

#include <cmath>

#include "search/search.h"

namespace toguz {

void HashEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::uint64_t state = positions[i].hash();
    const PitMask legal = legalMoves(rules_, positions[i]);
    out[i] = Evaluation{};
    float sum = 0;
    for (PitMask rest = legal; rest; rest &= rest - 1) {
      const auto weight = static_cast<float>(1 + splitmix64(state) % 64);
      out[i].policy[static_cast<std::size_t>(std::countr_zero(rest))] = weight;
      sum += weight;
    }
    for (float& share : out[i].policy) share /= sum;
    const auto roll = static_cast<std::int64_t>(splitmix64(state) % 1024) - 512;
    out[i].winLoss = static_cast<float>(roll) / 1024.0f;
    out[i].margin = static_cast<float>(roll) / 32.0f;
  }
}

Signature searchSignature(const Rules& rules, int games, int nodes, int batch) {
  Signature signature;
  const auto mix = [&](std::uint64_t word) {
    signature.hash ^= word;
    signature.hash = splitmix64(signature.hash);
  };
  HashEvaluator evaluator(rules);
  for (int g = 0; g < games; ++g) {
    Game game(rules);
    Search search(rules, SearchParams{}, static_cast<std::uint64_t>(g));
    for (int skip = g; skip >= 0; --skip) {  // another opening for each game
      PitMask rest = game.legal();
      if (std::popcount(rest) > 1) rest &= rest - 1;
      game.play(std::countr_zero(rest));
    }
    search.setRoot(game);
    for (int ply = 0; ply < 40 && !game.over(); ++ply) {
      SearchLimits limits;
      limits.nodes = nodes;
      const std::uint32_t before = search.rootVisits();
      search.run(limits, evaluator, batch);
      signature.nodes += search.rootVisits() - before;
      for (const RootMove& move : search.rootMoves())
        mix(move.pit + (std::uint64_t{move.visits} << 8) +
            (static_cast<std::uint64_t>(std::lround(move.winLoss * 4096) + 8192) << 40));
      const int pit = search.bestMove();
      game.play(pit);
      if (!game.over()) search.advance(game, pit);
    }
  }
  return signature;
}

}  // namespace toguz
