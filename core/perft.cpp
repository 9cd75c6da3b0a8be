#include "core/perft.h"

#include "base/error.h"

namespace toguz {
namespace {

constexpr RuleSet playedOn(RuleSet rules) {
  rules.stopAtMajority = false;
  return rules;
}

// Calls f with the rules of `rules`, the majority left out if asked, still fixed at compile time.
template <class F>
decltype(auto) withStop(const Rules& rules, bool nostop, F&& f) {
  if (!nostop) return withRules(rules, f);
  switch (rules.kind()) {
    case Rules::Kind::Standard:
      return f(FixedRules<playedOn(kStandard)>{});
    case Rules::Kind::Giveaway:
      return f(FixedRules<playedOn(kGiveaway)>{});
    case Rules::Kind::Bestemshe:
      return f(FixedRules<playedOn(kBestemshe)>{});
    case Rules::Kind::Seven:
      return f(FixedRules<playedOn(kSeven)>{});
    case Rules::Kind::Dynamic:
      break;
  }
  return f(DynamicRules{playedOn(rules.set())});
}

template <class R>
void count(const R& rules, const Position& position, int depth, const Sowing& sowing,
           PerftStats& stats) {
  const EndReason end = endOfPosition(rules, position);
  if (depth == 0) {
    ++stats.leaves;
    stats.captures += sowing.captured > 0 && !sowing.madeTuzdik;
    stats.tuzdiks += sowing.madeTuzdik;
    stats.finished += end != EndReason::None;
    stats.stuck += filledPits(rules, position) == 0;
    return;
  }
  if (end != EndReason::None) return;
  for (PitMask rest = legalMoves(rules, position); rest; rest &= rest - 1) {
    Sowing made;
    const Position next = play(rules, position, std::countr_zero(rest), &made);
    count(rules, next, depth - 1, made, stats);
  }
}

}  // namespace

std::uint64_t perft(const Rules& rules, const Position& position, int depth, bool nostop) {
  TOGUZ_CHECK(depth >= 0, "a negative depth");
  return withStop(rules, nostop, [&](const auto& r) { return countLeaves(r, position, depth); });
}

PerftStats perftStats(const Rules& rules, const Position& position, int depth, bool nostop) {
  TOGUZ_CHECK(depth >= 0, "a negative depth");
  PerftStats stats;
  withStop(rules, nostop, [&](const auto& r) { count(r, position, depth, Sowing{}, stats); });
  return stats;
}

std::vector<std::pair<int, std::uint64_t>> perftDivide(const Rules& rules, const Position& position,
                                                       int depth, bool nostop) {
  TOGUZ_CHECK(depth >= 1, "no first move to divide by");
  std::vector<std::pair<int, std::uint64_t>> moves;
  withStop(rules, nostop, [&](const auto& r) {
    if (endOfPosition(r, position) != EndReason::None) return;
    for (PitMask rest = legalMoves(r, position); rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      moves.emplace_back(pit, countLeaves(r, play(r, position, pit), depth - 1));
    }
  });
  return moves;
}

}  // namespace toguz
