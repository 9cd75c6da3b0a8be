#include "search/playout_evaluator.h"

#include "base/error.h"

namespace toguz {

int randomPit(PitMask mask, Rng& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); skip > 0; --skip)
    mask &= mask - 1;
  return std::countr_zero(mask);
}

namespace {

template <class R>
Outcome playOut(const R& rules, Position position, Rng& rng) {
  for (int ply = 0; ply < PlayoutEvaluator::kPlyCap; ++ply) {
    if (const EndReason end = endOfPosition(rules, position); end != EndReason::None)
      return outcomeOf(rules.set(), position, end);
    position = play(rules, position, randomPit(legalMoves(rules, position), rng));
  }
  return outcomeOf(rules.set(), position, EndReason::PlyCap);
}

}  // namespace

PlayoutEvaluator::PlayoutEvaluator(const Rules& rules, std::uint64_t seed, int playouts)
    : rules_(rules), rng_(seed), playouts_(playouts) {
  TOGUZ_CHECK(playouts >= 1, "an evaluation by no playouts");
}

void PlayoutEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  TOGUZ_CHECK(positions.size() == out.size(), "as many evaluations as positions");
  withRules(rules_, [&](const auto& rules) {
    const float share = 1.0f / static_cast<float>(playouts_);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Position& position = positions[i];
      Evaluation evaluation;
      const PitMask legal = legalMoves(rules, position);
      for (PitMask rest = legal; rest; rest &= rest - 1)
        evaluation.policy[static_cast<std::size_t>(std::countr_zero(rest))] =
            1.0f / static_cast<float>(std::popcount(legal));
      for (int n = 0; n < playouts_; ++n) {
        const Outcome outcome = playOut(rules, position, rng_);
        evaluation.winLoss += share * static_cast<float>(outcome.score(position.side));
        evaluation.draw += outcome.result == Result::Draw ? share : 0.0f;
        evaluation.margin += share * static_cast<float>(outcome.margin(position.side));
      }
      out[i] = evaluation;
    }
  });
}

}  // namespace toguz
