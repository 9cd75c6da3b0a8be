// Answers of a network that were given before: the same position need not be evaluated again.
//
// A table of one slot a hash value, the newer answer replacing the older. The key is the whole
// position and the network's identity, compared in full, and a network's answer does not depend on
// what else is in its batch: a search with a cache is the same search, to the bit. One thread at a
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "search/evaluator.h"

namespace toguz {

class EvaluationCache {
 public:
  // Room for that many answers, rounded up to a power of two; 96 bytes each.
  explicit EvaluationCache(std::size_t entries);

  // Asks for what `find` will read to be brought near.
  void prefetch(const Position& position, std::uint64_t network) {
    const auto* slot = reinterpret_cast<const char*>(&slotOf(position, network));
    __builtin_prefetch(slot);
    __builtin_prefetch(slot + 64);
  }
  // The answer, or null; valid until the next store. `network` is any number that names the weights
  // and the arithmetic, but for 0, which no answer is stored under.
  const Evaluation* find(const Position& position, std::uint64_t network);
  void store(const Position& position, std::uint64_t network, const Evaluation& evaluation);

  std::uint64_t lookups() const { return lookups_; }
  std::uint64_t hits() const { return hits_; }
  std::size_t entries() const { return slots_.size(); }

 private:
  struct Slot {
    Position position;
    Evaluation evaluation;
    std::uint64_t network = 0;  // 0: empty
  };
  static_assert(sizeof(Slot) == 96);

  Slot& slotOf(const Position& position, std::uint64_t network) {
    return slots_[(position.hash() ^ network) & mask_];
  }

  std::vector<Slot> slots_;
  std::uint64_t mask_;
  std::uint64_t lookups_ = 0;
  std::uint64_t hits_ = 0;
};

}  // namespace toguz
