// A set of 64-bit ids in one block of memory, for millions that stay: 16 bytes an id or a little
// more. A set of nodes would put one small lasting block between every two large passing ones that
// its thread allocates, and such a heap only grows.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace toguz {

class IdSet {
 public:
  // False if it was there.
  bool insert(std::uint64_t id) {
    if (id == kEmpty) return !std::exchange(hasEmpty_, true);
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[find(id)];
    if (slot == id) return false;
    slot = id;
    ++size_;
    return true;
  }
  bool contains(std::uint64_t id) const {
    if (id == kEmpty) return hasEmpty_;
    return !slots_.empty() && slots_[find(id)] == id;
  }
  std::size_t size() const { return size_ + hasEmpty_; }

 private:
  static constexpr std::uint64_t kEmpty = 0;

  // The slot that holds it, or the empty one where it belongs. At most half the slots are filled.
  std::size_t find(std::uint64_t id) const {
    const std::size_t mask = slots_.size() - 1;
    // Ids are counted up by most callers: the multiplication (Knuth's, by the golden ratio) spreads
    // them, its upper bits best.
    std::size_t at = static_cast<std::size_t>((id * 0x9E3779B97F4A7C15u) >> 32) & mask;
    while (slots_[at] != kEmpty && slots_[at] != id) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(slots_.empty() ? 64 : 2 * slots_.size(), kEmpty);
    old.swap(slots_);
    for (const std::uint64_t id : old)
      if (id != kEmpty) slots_[find(id)] = id;
  }

  std::vector<std::uint64_t> slots_;  // a power of two, or none
  std::size_t size_ = 0;              // in slots
  bool hasEmpty_ = false;             // the id that marks an empty slot
};

}  // namespace toguz
