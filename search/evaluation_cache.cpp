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

}  // namespace toguz
