#include "models/torch/torch_evaluator.h"

#include "base/error.h"
#include "models/head.h"

namespace toguz {

void TorchEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  TOGUZ_CHECK(positions.size() == out.size(), "one evaluation a position");
  const int pits = network_.rules().set().pits;
  const auto size = static_cast<std::size_t>(HeadLayout{pits}.size());
  raw_.resize(positions.size() * size);
  network_.evaluateRaw(positions, raw_);
  withRules(network_.rules(), [&](const auto& rules) {
    for (std::size_t i = 0; i < positions.size(); ++i)
      decodeHead(raw_.data() + i * size, pits, legalMoves(rules, positions[i]), out[i]);
  });
}

}  // namespace toguz
