// The product in vectors, for source files that differ in how the compiler may treat a
// multiplication and an addition (models/CMakeLists.txt): each gets its own copy, in an unnamed
// namespace.
#pragma once

#include <cstring>

#include "models/native/kernels.h"

namespace toguz::native {
namespace {

// Tiles of rows x groups whose accumulators fit the registers.
#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
inline constexpr int kTileRows = 12;
inline constexpr int kTileGroups = 2;
#elif defined(__AVX__)
inline constexpr int kLanes = 8;
inline constexpr int kTileRows = 6;
inline constexpr int kTileGroups = 1;
#else
inline constexpr int kLanes = 4;
inline constexpr int kTileRows = 3;
inline constexpr int kTileGroups = 1;
#endif
inline constexpr int kParts = kGroup / kLanes;
// A few rows alone would leave too few sums under way to hide their latency: take more groups.
inline constexpr int kThinRows = kLanes == 16 ? 2 : 1;
inline constexpr int kThinGroups = 4;

using Vec = float __attribute__((vector_size(4 * kLanes)));

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Vec v) {
  std::memcpy(to, &v, sizeof v);
}

template <bool ATransposed, int Rows, int Groups>
inline void tile(const Product& p, int row, int group) {
  constexpr int kColumns = Groups * kParts;
  const std::ptrdiff_t column = std::ptrdiff_t{group} * kGroup;
  // Row-major places of the tile's vectors, in C and what is shaped as C.
  const auto at = [&](auto* base, std::ptrdiff_t stride, int r, int j) {
    return base + (row + r) * stride + column + j * kLanes;
  };

  Vec sum[Rows][kColumns];
#pragma GCC unroll 16
  for (int j = 0; j < kColumns; ++j) {
    const Vec b = p.bias ? load(p.bias + column + j * kLanes) : Vec{};
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) sum[r][j] = b;
  }
  if (p.addend) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sum[r][j] += load(at(p.addend, p.addendStride, r, j));
  }

  const std::ptrdiff_t aStride = p.aStride, bStride = p.bStride, bGroup = p.bGroup;
  const float* a = p.a + (ATransposed ? row : row * aStride);
  const float* b = p.b + group * bGroup;
  for (int k = 0; k < p.depth; ++k) {
    Vec right[kColumns];
#pragma GCC unroll 16
    for (int g = 0; g < Groups; ++g)
#pragma GCC unroll 16
      for (int i = 0; i < kParts; ++i) right[g * kParts + i] = load(b + g * bGroup + i * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
      const Vec left = (ATransposed ? a[r] : a[r * aStride]) - Vec{};
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sum[r][j] += left * right[j];
    }
    a += ATransposed ? aStride : 1;
    b += bStride;
  }

  if (p.relu) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sum[r][j] = sum[r][j] > Vec{} ? sum[r][j] : Vec{};
  }
  if (p.gate) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j)
        sum[r][j] = load(at(p.gate, p.gateStride, r, j)) > Vec{} ? sum[r][j] : Vec{};
  }
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) store(at(p.c, p.cStride, r, j), sum[r][j]);
}

template <bool ATransposed, int Rows, int Groups>
void tileOf(const Product& p, int row, int group, int rows) {
  if constexpr (Rows > 0) {
    if (rows == Rows)
      tile<ATransposed, Rows, Groups>(p, row, group);
    else
      tileOf<ATransposed, Rows - 1, Groups>(p, row, group, rows);
  }
}

// All rows of Groups groups: as few tiles as will do, of even sizes.
template <bool ATransposed, int Groups>
void panel(const Product& p, int group) {
  const int tiles = (p.rows + kTileRows - 1) / kTileRows;
  for (int t = 0, row = 0; t < tiles; ++t) {
    const int rows = (p.rows - row) / (tiles - t);
    tileOf<ATransposed, kTileRows, Groups>(p, row, group, rows);
    row += rows;
  }
}

template <bool ATransposed>
void multiplyAs(const Product& p) {
  int group = 0;
  if (p.rows <= kThinRows)
    for (; group + kThinGroups <= p.groups; group += kThinGroups)
      tileOf<ATransposed, kThinRows, kThinGroups>(p, 0, group, p.rows);
  for (; group + kTileGroups <= p.groups; group += kTileGroups)
    panel<ATransposed, kTileGroups>(p, group);
  for (; group < p.groups; ++group) panel<ATransposed, 1>(p, group);
}

}  // namespace
}  // namespace toguz::native
