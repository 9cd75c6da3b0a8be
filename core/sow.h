// Move generation and the move itself: the hot core. No allocation, no loop over balls.
//
// A sowing of h balls adds, to the square k steps on from the start, the number of balls that fall
// there: a row of a table indexed by h, rotated to the start square by an unaligned load from a
// doubled row. `playBallByBall` (core/reference.h) is the plain version that tests hold it against.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "core/position.h"

namespace toguz {

// Bit p set: the pit p (0-based, mover's view) may be played.
using PitMask = std::uint32_t;

namespace detail {

using Bytes = std::uint8_t __attribute__((vector_size(32)));

inline constexpr int kMaxBalls = 162;
// Rows for 0..kMaxBalls balls; row[k] = balls that fall k (mod 2N) squares past the start. The last
// byte, which no load of 32 bytes from a start square reaches, is the distance of the last ball
// modulo 2N.
inline constexpr int kLastStep = 63;
struct SowTable {
  std::uint8_t row[kMaxBalls + 1][64];
};

constexpr SowTable makeSowTable(int pits, bool sowOrigin) {
  SowTable table{};
  const int ring = 2 * pits;
  for (int balls = 1; balls <= kMaxBalls; ++balls) {
    std::uint8_t once[2 * kMaxPits] = {};
    const int first = (balls == 1 || !sowOrigin) ? 1 : 0;
    for (int i = 0; i < balls; ++i) ++once[(first + i) % ring];
    for (int k = 0; k < kLastStep; ++k) table.row[balls][k] = once[k % ring];
    table.row[balls][kLastStep] = static_cast<std::uint8_t>((first + balls - 1) % ring);
  }
  return table;
}

template <int Pits, bool SowOrigin>
inline constexpr SowTable kSowTable = makeSowTable(Pits, SowOrigin);

const SowTable& sowTable(int pits, bool sowOrigin);  // any pits in 2..9

// 32 zero bytes, one 0xff, 32 zero bytes: a load at 32 - i has its only set byte at i.
struct OneHot {
  std::uint8_t bytes[80];
};
inline constexpr OneHot kOneHot = [] {
  OneHot hot{};
  hot.bytes[32] = 0xff;
  return hot;
}();

inline Bytes load(const void* from) {
  Bytes v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
// Byte i of the result is table[index[i]]; every index below 32.
inline Bytes lookUp(Bytes table, Bytes index) {
#if defined(__wasm_simd128__)
  // A swizzle gives 0 where an index is 16 or more.
  const auto* from = reinterpret_cast<const v128_t*>(&table);
  const auto* at = reinterpret_cast<const v128_t*>(&index);
  Bytes out;
  auto* to = reinterpret_cast<v128_t*>(&out);
  for (int half = 0; half < 2; ++half)
    to[half] =
        wasm_v128_or(wasm_i8x16_swizzle(from[0], at[half]),
                     wasm_i8x16_swizzle(from[1], wasm_i8x16_sub(at[half], wasm_i8x16_splat(16))));
  return out;
#elif defined(__GNUC__) && !defined(__clang__)
  return __builtin_shuffle(table, index);
#else
  Bytes out;
  for (int i = 0; i < 32; ++i) out[i] = table[index[i] & 31];
  return out;
#endif
}
inline Bytes oneHot(unsigned i) {
  return load(kOneHot.bytes + 32 - i);
}

struct BoardMask {
  alignas(32) std::uint8_t bytes[kMaxPits + 1][32];
};
inline constexpr BoardMask kBoardMask = [] {
  BoardMask mask{};
  for (int pits = 0; pits <= kMaxPits; ++pits)
    for (int i = 0; i < 2 * pits; ++i) mask.bytes[pits][i] = 0xff;
  return mask;
}();

// Bit i set where byte i is not zero, for the 24 board bytes: on any machine.
inline std::uint32_t nonZeroMaskPortable(const Position& position) {
  std::uint32_t mask = 0;
  for (int w = 0; w < 3; ++w) {
    std::uint64_t x;
    std::memcpy(&x, position.board.data() + 8 * w, 8);
    // Every bit of a byte is folded into its lowest; the product gathers those in the top byte.
    x |= (x >> 4) & 0x0f0f0f0f0f0f0f0fULL;
    x |= (x >> 2) & 0x3f3f3f3f3f3f3f3fULL;
    x |= (x >> 1) & 0x7f7f7f7f7f7f7f7fULL;
    x &= 0x0101010101010101ULL;
    mask |= static_cast<std::uint32_t>((x * 0x0102040810204080ULL) >> 56) << (8 * w);
  }
  return mask;
}

// The same, by the machine's means (bits from 24 on are undefined).
inline std::uint32_t nonZeroMask(const Position& position) {
#if defined(__AVX2__)
  const __m256i v = _mm256_load_si256(reinterpret_cast<const __m256i*>(&position));
  return ~static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())));
#else
  return nonZeroMaskPortable(position);
#endif
}

}  // namespace detail

// Pits of the side to move that hold a ball. Also the legal moves, but in giveaway.
template <class R>
inline PitMask filledPits(const R& rules, const Position& position) {
  const RuleSet& s = rules.set();
  return (detail::nonZeroMask(position) >> (index(position.side) * s.pits)) & ((1u << s.pits) - 1u);
}

// Square on which the last ball falls.
inline int lastSquare(const RuleSet& s, int square, int balls) {
  const int steps = (balls == 1 || !s.sowOrigin) ? balls : balls - 1;
  return (square + steps) % (2 * s.pits);
}

// What a sowing did; `play` computes it on the way and callers that do not look pay nothing.
struct Sowing {
  std::uint8_t last = 0;  // ring square of the last ball
  // Balls captured there by the mover: an even count, or the 3 of a tuzdik.
  std::uint8_t captured = 0;
  bool madeTuzdik = false;
};

// The position after the side to move plays `pit` (which must hold a ball). Kazans include tuzdik
// balls; leftovers at the end are not handed out here (see outcome.h).
template <class R>
inline Position play(const R& rules, const Position& from, int pit, Sowing* sowing = nullptr) {
  const RuleSet& s = rules.set();
  const unsigned ring = 2u * s.pits;
  const unsigned mover = static_cast<unsigned>(index(from.side));
  const unsigned square = mover * s.pits + static_cast<unsigned>(pit);
  const unsigned balls = from.board[square];

  const detail::SowTable* table;
  if constexpr (requires { typename std::integral_constant<int, R::set().pits>; })
    table = &detail::kSowTable<R::set().pits, R::set().sowOrigin>;
  else
    table = &detail::sowTable(s.pits, s.sowOrigin);

  const detail::Bytes rotated = detail::load(table->row[balls] + ring - square);
  detail::Bytes v = detail::load(&from);
  v = (v & ~detail::oneHot(square)) + (rotated & detail::load(detail::kBoardMask.bytes[s.pits]));

  unsigned last = square + table->row[balls][detail::kLastStep];
  last -= last >= ring ? ring : 0u;
  alignas(32) std::uint8_t sown[32];
  std::memcpy(sown, &v, sizeof v);

  std::uint64_t meta;  // kazans, tuzdiks, side: the last eight bytes, changed by one addition
  std::memcpy(&meta, from.kazan.data(), 8);
  const unsigned count = sown[last];
  // Squares by bit; these hang on the position alone, not on the pit, and are computed once for all
  // of its moves.
  const std::uint32_t row = (1u << s.pits) - 1u;
  std::uint32_t capturable = mover == 0 ? row << s.pits : row;
  std::uint32_t eligible = 0;  // may become the mover's tuzdik
  if (s.tuzdik) {
    const unsigned t0 = from.tuzdik[0], t1 = from.tuzdik[1];
    meta += std::uint64_t{sown[t0]} + (std::uint64_t{sown[t1]} << 8);
    v &= ~(detail::oneHot(t0) | detail::oneHot(t1));
    capturable &= ~(1u << t0) & ~(1u << t1);
    const unsigned own = mover == 0 ? t0 : t1, other = mover == 0 ? t1 : t0;
    // Squares of the same pit number differ by N.
    const unsigned twin = other >= s.pits ? other - s.pits : other + s.pits;
    const std::uint32_t barred = s.barLastPit ? 1u << (s.pits - 1) | 1u << (ring - 1) : 0u;
    const std::uint32_t mirrored = other == Position::kNoSquare ? 0u : 1u << twin;
    eligible = own == Position::kNoSquare ? capturable & ~barred & ~mirrored : 0u;
  }
  unsigned takes = (capturable >> last) & (~count & 1u);
  if (s.captureSinglesOnly) takes &= static_cast<unsigned>(count == 2);
  bool made = false;
  if (s.tuzdik && (eligible >> last & static_cast<unsigned>(count == 3))) [[unlikely]] {
    made = true;
    takes = 1;
    const unsigned shift = 16 + 8 * mover;
    meta = (meta & ~(std::uint64_t{0xff} << shift)) | (std::uint64_t{last} << shift);
  }
  // Whether a move captures is a coin toss to a branch predictor: masks, not branches.
  const unsigned mask = 0u - takes;
  const unsigned captured = count & mask;
  v &= ~detail::oneHot(Position::kNoSquare ^ ((last ^ Position::kNoSquare) & mask));
  meta += std::uint64_t{captured} << (8 * mover);
  meta ^= std::uint64_t{1} << 32;

  if (sowing)
    *sowing = {static_cast<std::uint8_t>(last), static_cast<std::uint8_t>(captured), made};
  using Words = std::uint64_t __attribute__((vector_size(32)));
  auto words = std::bit_cast<Words>(v);
  words[3] = static_cast<std::uint64_t>(meta);
  return std::bit_cast<Position>(words);
}

// Legal moves of the side to move, by the rules of moving alone (a finished game has none only if
// the row is empty: see outcome.h).
template <class R>
inline PitMask legalMoves(const R& rules, const Position& position) {
  const PitMask filled = filledPits(rules, position);
  if (!rules.set().giveaway) return filled;
  // Compulsion: if some move raises the mover's kazan, only such moves.
  const auto mover = static_cast<unsigned>(index(position.side));
  PitMask gaining = 0;
  for (PitMask rest = filled; rest; rest &= rest - 1) {
    const int pit = std::countr_zero(rest);
    if (play(rules, position, pit).kazan[mover] > position.kazan[mover]) gaining |= 1u << pit;
  }
  return gaining ? gaining : filled;
}

// Run-time forms, for code that is not hot.
Position play(const Rules& rules, const Position& from, int pit, Sowing* sowing = nullptr);
PitMask legalMoves(const Rules& rules, const Position& position);

}  // namespace toguz
