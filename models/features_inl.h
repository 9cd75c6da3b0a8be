// The encoding itself: all 2N pits at once, one byte lane each, with no loop over pits or balls.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "core/outcome.h"
#include "models/features.h"

namespace toguz {
namespace detail {

using Wide = std::uint16_t __attribute__((vector_size(64)));

// What depends on the number of pits alone.
struct FeatureTables {
  alignas(64) std::uint16_t countBase[32];    // first row of each pit's counts
  alignas(64) std::uint16_t outcomeBase[32];  // the same for outcomes, from that group's start
  alignas(32) std::uint8_t view[2][32];       // square that each lane shows, by side to move
  alignas(32) std::uint8_t lane[32];
  alignas(32) std::uint8_t second[32];  // 0xff in the lanes of the opponent's pits
};

constexpr FeatureTables makeFeatureTables(int pits) {
  FeatureTables t{};
  const int ring = 2 * pits;
  for (int i = 0; i < 32; ++i) {
    t.countBase[i] = static_cast<std::uint16_t>(i < ring ? i * kCountClasses : 0);
    t.outcomeBase[i] = static_cast<std::uint16_t>(i < ring ? i * kOutcomeClasses : 0);
    for (int side = 0; side < 2; ++side)
      t.view[side][i] =
          static_cast<std::uint8_t>(i < ring ? (i + side * pits) % ring : Position::kNoSquare);
    t.lane[i] = static_cast<std::uint8_t>(i);
    t.second[i] = i >= pits && i < ring ? 0xff : 0;
  }
  return t;
}

template <int Pits>
inline constexpr FeatureTables kFeatureTables = makeFeatureTables(Pits);
const FeatureTables& featureTables(int pits);  // any pits in 2..9

// Lane of the mover's view in which a ring square shows; kNoSquare stays itself.
inline unsigned viewLane(unsigned square, unsigned mover, unsigned pits) {
  if (square == Position::kNoSquare) return square;
  if (mover == 0) return square;
  return square >= pits ? square - pits : square + pits;
}

template <class R>
inline const FeatureTables& tablesOf(const R& rules) {
  if constexpr (requires { typename std::integral_constant<int, R::set().pits>; })
    return kFeatureTables<R::set().pits>;
  else
    return featureTables(rules.set().pits);
}

// The mover's view of a position: his pits in lanes 0..N-1, the opponent's in N..2N-1.
struct View {
  Bytes counts, outcome;
};

template <class R>
inline View viewOf(const R& rules, const Position& position) {
  const RuleSet& s = rules.set();
  const unsigned pits = s.pits, ring = 2u * pits;
  const unsigned mover = static_cast<unsigned>(index(position.side));
  const FeatureTables* table = &tablesOf(rules);

  const auto select = [](Bytes mask, Bytes yes, Bytes no) { return (mask & yes) | (~mask & no); };
  const auto all = [](unsigned x) { return Bytes{} + static_cast<std::uint8_t>(x); };

  // From the mover's view: his pits in lanes 0..N-1, the opponent's in N..2N-1.
  const Bytes board = lookUp(load(&position), load(table->view[mover]));
  const unsigned own = viewLane(position.tuzdik[mover], mover, pits);
  const unsigned other = viewLane(position.tuzdik[1 - mover], mover, pits);
  const Bytes tuzdiks = s.tuzdik ? oneHot(own) | oneHot(other) : Bytes{};

  const Bytes topCount = all(kTuzdikClass - 1);
  const Bytes counts =
      select(tuzdiks, all(kTuzdikClass), select((Bytes)(board < topCount), board, topCount));

  // Where each pit's last ball falls and how many of its balls fall there: h balls reach their last
  // square ceil(h / 2N) times, and go h - 1 squares on (h if none goes back into the pit).
  Bytes falls{}, whole{};  // whole = 2N * (falls - 1)
  falls -= (Bytes)(board > Bytes{});
  for (unsigned lap = ring; lap < static_cast<unsigned>(s.total()); lap += ring) {
    const Bytes past = (Bytes)(board > all(lap));
    const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Bytes) / 8>>(past);
    if ((words[0] | words[1] | words[2] | words[3]) == 0) break;  // few piles go round at all
    falls -= past;
    whole += past & all(ring);
  }
  const Bytes lane = load(table->lane);
  const Bytes back = s.sowOrigin ? (Bytes)(board > all(1)) : Bytes{};  // -1 where one goes back
  Bytes last = lane + (board - whole) + back;
  last -= (Bytes)(last >= all(ring)) & all(ring);

  const Bytes second = load(table->second);
  const Bytes landed = lookUp(board, last) + falls;
  const Bytes crossed = (Bytes)(last >= all(pits)) ^ second;  // all ones: the opponent's side
  const Bytes capturable = crossed & ~lookUp(tuzdiks, last);

  Bytes takes = s.captureSinglesOnly ? (Bytes)(landed == all(2)) : (Bytes)((landed & 1) == Bytes{});
  const Bytes half = landed >> 1;
  const Bytes even = select((Bytes)(half < all(12)), half, all(12)) + 1;
  Bytes outcome = select(takes & capturable, even, all(1));

  if (s.tuzdik) {
    // Squares that may become a tuzdik: the second row's by the mover, the first row's by the
    // opponent; none for who has one, none of the number that the other holds.
    const Bytes real = load(kBoardMask.bytes[s.pits]);
    const Bytes free = select(second, own == Position::kNoSquare ? ~Bytes{} : Bytes{},
                              other == Position::kNoSquare ? ~Bytes{} : Bytes{});
    const auto twin = [&](unsigned t) {
      if (t == Position::kNoSquare) return t;
      return t >= pits ? t - pits : t + pits;
    };
    Bytes open = real & free & ~(oneHot(twin(own)) | oneHot(twin(other)));
    if (s.barLastPit) open &= ~(oneHot(pits - 1) | oneHot(ring - 1));
    const Bytes made = (Bytes)(landed == all(3)) & capturable & lookUp(open, last);
    outcome = select(made, all(14), outcome);
  }
  outcome &= (Bytes)(board > Bytes{});

  return {counts, outcome};
}

// The best class among the mover's own moves in that view: see "replies".
template <class R>
inline unsigned bestReply(const R& rules, const Position& position) {
  const RuleSet& s = rules.set();
  constexpr unsigned kNone = 15;
  if (endOfPosition(rules, position) != EndReason::None) return kNone;
  const View view = viewOf(rules, position);
  alignas(32) std::uint8_t classes[32];
  std::memcpy(classes, &view.outcome, sizeof classes);
  unsigned most = 0, least = kNone;
  for (unsigned pit = 0; pit < s.pits; ++pit) {
    const unsigned of = classes[pit];
    most = of > most ? of : most;
    least = of > 1 && of < least ? of : least;
  }
  if (s.giveaway && least != kNone) return least;
  return most;
}

}  // namespace detail

template <class R>
inline void encodeFeatures(const R& rules, FeatureSet set, const Position& position,
                           FeatureRow* out) {
  using detail::Bytes;
  const RuleSet& s = rules.set();
  const unsigned ring = 2u * s.pits;
  const unsigned mover = static_cast<unsigned>(index(position.side));
  const detail::FeatureTables* table = &detail::tablesOf(rules);
  const detail::View view = detail::viewOf(rules, position);

  alignas(64) FeatureRow rows[32];
  const auto write = [&](Bytes classes, const std::uint16_t* base, unsigned offset) {
    detail::Wide wide = __builtin_convertvector(classes, detail::Wide);
    detail::Wide first;
    std::memcpy(&first, base, sizeof first);
    wide += first + static_cast<std::uint16_t>(offset);
    std::memcpy(rows, &wide, sizeof wide);
    std::memcpy(out, rows, ring * sizeof(FeatureRow));
    out += ring;
  };
  const unsigned kazans = ring * kCountClasses, top = static_cast<unsigned>(s.majority());
  write(view.counts, table->countBase, 0);
  const unsigned mine = position.kazan[mover], his = position.kazan[1 - mover];
  *out++ = static_cast<FeatureRow>(kazans + (mine < top ? mine : top));
  *out++ = static_cast<FeatureRow>(kazans + top + 1 + (his < top ? his : top));
  const unsigned outcomes = kazans + 2 * (top + 1);
  write(view.outcome, table->outcomeBase, outcomes);
  if (set == FeatureSet::Rows1) return;
  const unsigned replies = outcomes + ring * kOutcomeClasses;
  for (unsigned pit = 0; pit < s.pits; ++pit) {
    const unsigned reply =
        position.pit(s, position.side, static_cast<int>(pit)) == 0
            ? 0
            : detail::bestReply(rules, play(rules, position, static_cast<int>(pit)));
    *out++ = static_cast<FeatureRow>(replies + pit * kOutcomeClasses + reply);
  }
}

}  // namespace toguz
