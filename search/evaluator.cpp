#include "search/evaluator.h"

namespace toguz {

void UniformEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const PitMask legal = legalMoves(rules_, positions[i]);
    const float share = 1.0f / static_cast<float>(std::popcount(legal));
    out[i] = Evaluation{};
    for (PitMask rest = legal; rest; rest &= rest - 1)
      out[i].policy[static_cast<unsigned>(std::countr_zero(rest))] = share;
  }
}

}  // namespace toguz
