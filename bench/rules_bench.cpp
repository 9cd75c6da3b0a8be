// Moves: every leaf of a perft is really made; the plain ball-by-ball form does the same work.
#include "bench/internal.h"
#include "core/outcome.h"
#include "core/reference.h"

namespace toguz::bench {
namespace {

// The compiler must believe that the position is looked at, or it leaves the last ply's moves out.
inline void use(const Position& position) {
  asm volatile("" : : "m"(position));
}

template <class R>
std::uint64_t leaves(const R& rules, const Position& position, int depth) {
  if (endOfPosition(rules, position) != EndReason::None) return 0;
  std::uint64_t count = 0;
  for (PitMask rest = legalMoves(rules, position); rest; rest &= rest - 1) {
    const Position next = play(rules, position, std::countr_zero(rest));
    use(next);
    count += depth == 1 ? 1 : leaves(rules, next, depth - 1);
  }
  return count;
}

std::uint64_t plainLeaves(const RuleSet& rules, const Position& position, int depth) {
  const DynamicRules dynamic{rules};
  if (endOfPosition(dynamic, position) != EndReason::None) return 0;
  std::uint64_t count = 0;
  for (PitMask rest = filledPits(dynamic, position); rest; rest &= rest - 1) {
    const Position next = playBallByBall(rules, position, std::countr_zero(rest));
    use(next);
    count += depth == 1 ? 1 : plainLeaves(rules, next, depth - 1);
  }
  return count;
}

}  // namespace

Findings rulesBench(const Options& options) {
  Findings findings("rules");
  const Position start = Position::start(kStandard);
  const Rates rates = interleave(
      {{"perft 8",
        [&] {
          return repeatFor(options.seconds, [&] {
            return static_cast<double>(leaves(FixedRules<kStandard>{}, start, 8));
          });
        }},
       {"plain",
        [&] {
          return repeatFor(options.seconds,
                           [&] { return static_cast<double>(plainLeaves(kStandard, start, 6)); });
        }}},
      options.rounds);
  findings.add("perft8_leaves_per_second", "perft depth 8, every move made", rates.median(0),
               "leaves/s");
  findings.add("plain_leaves_per_second", "plain ball-by-ball reference, depth 6", rates.median(1),
               "leaves/s");
  findings.add("ratio_to_plain", "ratio", rates.medianRatio(0, 1), "x");
  return findings;
}

}  // namespace toguz::bench
