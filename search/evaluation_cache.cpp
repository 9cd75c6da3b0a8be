#include "search/evaluation_cache.h"

#include <bit>

#include "base/error.h"

namespace toguz {

EvaluationCache::EvaluationCache(std::size_t entries)
    : slots_(std::bit_ceil(entries)), mask_(slots_.size() - 1) {
  TOGUZ_CHECK(entries > 0, "an evaluation cache of no entries");
}

const Evaluation* EvaluationCache::find(const Position& position, std::uint64_t network) {
  ++lookups_;
  const Slot& slot = slotOf(position, network);
  if (slot.network != network || !(slot.position == position)) return nullptr;
  ++hits_;
  return &slot.evaluation;
}

void EvaluationCache::store(const Position& position, std::uint64_t network,
                            const Evaluation& evaluation) {
  TOGUZ_CHECK(network != 0, "an answer of no network");
  slotOf(position, network) = {position, evaluation, network};
}

CachedEvaluator::CachedEvaluator(std::unique_ptr<Evaluator> inner, std::uint64_t network,
                                 std::size_t entries)
    : inner_(std::move(inner)), network_(network), cache_(entries) {}

void CachedEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  TOGUZ_CHECK(positions.size() == out.size(), "one evaluation a position");
  missing_.clear();
  positions_.clear();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (const Evaluation* known = cache_.find(positions[i], network_)) {
      out[i] = *known;
    } else {
      missing_.push_back(static_cast<std::uint32_t>(i));
      positions_.push_back(positions[i]);
    }
  }
  if (missing_.empty()) return;
  evaluations_.resize(missing_.size());
  inner_->evaluate(positions_, evaluations_);
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    out[missing_[i]] = evaluations_[i];
    cache_.store(positions_[i], network_, evaluations_[i]);
  }
}

}  // namespace toguz
