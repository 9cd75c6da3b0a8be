// The alpha-beta search's table of positions already searched. An entry is the position itself,
// with what was found packed into its bytes that are always zero: no two positions can be confused.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/position.h"

namespace toguz {

class TranspositionTable {
 public:
  enum class Bound : std::uint8_t { Upper = 1, Lower = 2, Exact = 3 };
  static constexpr int kNoPit = 15;

  struct Found {
    int score = 0;
    int depth = -1;
    Bound bound = Bound::Upper;
    int pit = kNoPit;
  };

  // 2^bits entries; bits 0: a table that holds nothing.
  explicit TranspositionTable(int bits)
      : mask_(bits > 0 ? (std::size_t{1} << bits) - 1 : 0), entries_(bits > 0 ? mask_ + 1 : 0) {}

  bool enabled() const { return !entries_.empty(); }

  // Makes every entry invalid without touching them, but once in 65,535 calls.
  void clear() {
    if (++generation_ != 0) return;
    std::fill(entries_.begin(), entries_.end(), Entry{});
    generation_ = 1;
  }

  bool probe(const Position& position, std::uint64_t hash, Found& found) const {
    const std::size_t at = hash & mask_ & ~std::size_t{1};
    const auto words = position.words();
    for (std::size_t i = at; i < at + 2; ++i) {
      const Entry& e = entries_[i];
      if (!holds(e, words)) continue;
      found = {static_cast<std::int16_t>(e.words[2] >> 16), depthOf(e),
               static_cast<Bound>(e.words[2] >> 40 & 3), static_cast<int>(e.words[2] >> 42 & 15)};
      return true;
    }
    return false;
  }

  // The first of a pair keeps the deeper search, the second the newer.
  void store(const Position& position, std::uint64_t hash, const Found& found) {
    Entry* pair = entries_.data() + (hash & mask_ & ~std::size_t{1});
    const auto words = position.words();
    const bool first = holds(pair[0], words) ||
                       (!holds(pair[1], words) &&
                        (generationOf(pair[0]) != generation_ || found.depth >= depthOf(pair[0])));
    Entry& e = pair[first ? 0 : 1];
    for (int w = 0; w < 4; ++w) e.words[w] = words[static_cast<std::size_t>(w)];
    e.words[2] |= std::uint64_t{static_cast<std::uint16_t>(found.score)} << 16 |
                  std::uint64_t{static_cast<std::uint8_t>(found.depth)} << 32 |
                  std::uint64_t{static_cast<std::uint8_t>(found.bound)} << 40 |
                  std::uint64_t{static_cast<std::uint8_t>(found.pit)} << 42 |
                  std::uint64_t{generation_} << 48;
  }

 private:
  // Word 2 is board squares 16..23, of which 18..23 are never used (pits <= 9): its low 16 bits
  // are the board's, the others, from the low end, score (16), depth (8), bound (2), pit (4),
  // two unused, generation (16).
  static_assert(2 * kMaxPits == 18);
  struct alignas(32) Entry {
    std::uint64_t words[4] = {};
  };

  static int depthOf(const Entry& e) { return static_cast<int>(e.words[2] >> 32 & 0xff); }
  static std::uint16_t generationOf(const Entry& e) {
    return static_cast<std::uint16_t>(e.words[2] >> 48);
  }
  bool holds(const Entry& e, const std::array<std::uint64_t, 4>& words) const {
    return ((e.words[0] ^ words[0]) | (e.words[1] ^ words[1]) | (e.words[3] ^ words[3]) |
            ((e.words[2] ^ words[2]) & 0xffff)) == 0 &&
           generationOf(e) == generation_;
  }

  std::size_t mask_;
  std::vector<Entry> entries_;
  std::uint16_t generation_ = 1;
};

}  // namespace toguz
