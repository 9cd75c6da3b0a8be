#include "core/sow.h"

#include "base/error.h"

namespace toguz {
namespace detail {
namespace {

template <bool SowOrigin>
const SowTable& pick(int pits) {
  switch (pits) {
    case 2:
      return kSowTable<2, SowOrigin>;
    case 3:
      return kSowTable<3, SowOrigin>;
    case 4:
      return kSowTable<4, SowOrigin>;
    case 5:
      return kSowTable<5, SowOrigin>;
    case 6:
      return kSowTable<6, SowOrigin>;
    case 7:
      return kSowTable<7, SowOrigin>;
    case 8:
      return kSowTable<8, SowOrigin>;
    case 9:
      return kSowTable<9, SowOrigin>;
  }
  TOGUZ_CHECK(false, "pits a side outside 2..9");
  __builtin_unreachable();
}

}  // namespace

const SowTable& sowTable(int pits, bool sowOrigin) {
  return sowOrigin ? pick<true>(pits) : pick<false>(pits);
}

}  // namespace detail

Position play(const Rules& rules, const Position& from, int pit, Sowing* sowing) {
  return withRules(rules, [&](const auto& r) { return play(r, from, pit, sowing); });
}

PitMask legalMoves(const Rules& rules, const Position& position) {
  return withRules(rules, [&](const auto& r) { return legalMoves(r, position); });
}

}  // namespace toguz
