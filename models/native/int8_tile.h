// The vector form of the int8 kernels, for source files that each give an instruction set: before
// including this they define TOGUZ_ISA, the attribute of functions that use it, and struct Isa. Its
// vectors hold kLanes 32-bit numbers; the tile sizes are those whose sums, kMostSums vectors, fit
// the registers. Ints must be a plain vector type: __m512i may alias anything, and GCC would then
// store every sum at every step.
//
// Only intrinsics and functions of this file may be called here: a function of the standard library
// compiled with the attribute could be the copy that the linker keeps for older processors.
#pragma once

#include "models/native/int8_kernels.h"

namespace toguz::native {
namespace {

// From the sums of one row's outputs `o`.. to its activations; `at` is their place in the batch.
TOGUZ_ISA inline void finish(const Int8Product& p, Isa::Ints sum, int o, std::ptrdiff_t at) {
  Isa::Floats v =
      Isa::add(Isa::multiply(Isa::toFloats(sum), Isa::load(p.scale + o)), Isa::load(p.bias + o));
  if (!p.residual) return Isa::storeCodes(p.y + at, Isa::positive(v));
  v = Isa::positive(Isa::add(v, Isa::load(p.residual + at)));
  Isa::store(p.residual + at, v);
  if (p.y) Isa::storeCodes(p.y + at, Isa::multiply(v, Isa::load(p.inverse + o)));
}

template <int Rows, int Groups>
TOGUZ_ISA void tile(const Int8Product& p, int row, int group) {
  constexpr int kParts = 16 / Isa::kLanes, kColumns = Groups * kParts;
  // Where there is room each sum is made as two, by turns: a product waits for the one before.
  constexpr int kTurns = 2 * Rows * kColumns <= Isa::kMostSums ? 2 : 1;
  const std::ptrdiff_t width = p.width, groupBytes = width * 16;
  const std::uint8_t* x = p.x + row * width;
  const std::int8_t* w = p.weights + group * groupBytes;

  Isa::Ints sum[kTurns][Rows][kColumns];
#pragma GCC unroll 2
  for (int t = 0; t < kTurns; ++t)
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j) sum[t][r][j] = Isa::zero();
  for (int k = 0; k < p.width; k += 4 * kTurns) {
#pragma GCC unroll 2
    for (int t = 0; t < kTurns; ++t) {
      Isa::Ints right[kColumns];
#pragma GCC unroll 16
      for (int j = 0; j < kColumns; ++j)
        right[j] = Isa::loadInts(w + (j / kParts) * groupBytes + (j % kParts) * 4 * Isa::kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) {
        const Isa::Ints left = Isa::broadcast(x + r * width + k + 4 * t);
#pragma GCC unroll 16
        for (int j = 0; j < kColumns; ++j) sum[t][r][j] = Isa::dot(sum[t][r][j], left, right[j]);
      }
      w += 64;
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const int o = group * 16 + j * Isa::kLanes;
      const Isa::Ints total = kTurns == 2 ? sum[0][r][j] + sum[kTurns - 1][r][j] : sum[0][r][j];
      finish(p, total, o, (row + r) * width + o);
    }
}

template <int Rows, int Groups>
TOGUZ_ISA void tileOf(const Int8Product& p, int row, int group, int rows) {
  if constexpr (Rows > 0) {
    if (rows == Rows)
      tile<Rows, Groups>(p, row, group);
    else
      tileOf<Rows - 1, Groups>(p, row, group, rows);
  }
}

// Takes groups from `group` on as long as Groups of them are left; all rows of each, in as few
// tiles as will do, of even sizes.
template <int Rows, int Groups>
TOGUZ_ISA int panels(const Int8Product& p, int group) {
  const int tiles = (p.rows + Rows - 1) / Rows;
  for (; group + Groups <= p.width / 16; group += Groups)
    for (int t = 0, row = 0; t < tiles; ++t) {
      const int rows = (p.rows - row) / (tiles - t);
      tileOf<Rows, Groups>(p, row, group, rows);
      row += rows;
    }
  return group;
}

// Few rows take many groups at once: enough sums under way to hide the products' latency.
TOGUZ_ISA void multiply(const Int8Product& p) {
  int group = 0;
  if (p.rows <= Isa::kThinRows) group = panels<Isa::kThinRows, Isa::kThinGroups>(p, group);
  if (p.rows <= Isa::kMiddleRows) group = panels<Isa::kMiddleRows, Isa::kMiddleGroups>(p, group);
  group = panels<Isa::kRows, Isa::kGroups>(p, group);
  panels<Isa::kRows, 1>(p, group);
}

// Vectors * kWords channels from `at` on.
template <int Vectors>
TOGUZ_ISA inline void sumBlock(const Int16RowSum& p, int at) {
  Isa::Words sum[Vectors];
#pragma GCC unroll 16
  for (int j = 0; j < Vectors; ++j) sum[j] = Isa::loadWords(p.bias + at + j * Isa::kWords);
  for (int i = 0; i < p.rows; ++i) {
    const std::int16_t* row = p.table + std::ptrdiff_t{p.active[i]} * p.width + at;
#pragma GCC unroll 16
    for (int j = 0; j < Vectors; ++j)
      sum[j] = Isa::addWords(sum[j], Isa::loadWords(row + j * Isa::kWords));
  }
  alignas(64) std::int16_t words[Vectors * Isa::kWords];
#pragma GCC unroll 16
  for (int j = 0; j < Vectors; ++j) Isa::storeWords(words + j * Isa::kWords, sum[j]);
#pragma GCC unroll 16
  for (int j = 0; j < Vectors * Isa::kWords; j += Isa::kLanes) {
    const Isa::Floats v = Isa::positive(
        Isa::multiply(Isa::toFloats(Isa::widen(words + j)), Isa::load(p.scale + at + j)));
    Isa::store(p.out + at + j, v);
    Isa::storeCodes(p.y + at + j, Isa::multiply(v, Isa::load(p.inverse + at + j)));
  }
}

TOGUZ_ISA void sumRows(const Int16RowSum& p) {
  int at = 0;
  for (; at + 8 * Isa::kWords <= p.width; at += 8 * Isa::kWords) sumBlock<8>(p, at);
  for (; at < p.width; at += Isa::kWords) sumBlock<1>(p, at);
}

}  // namespace
}  // namespace toguz::native
