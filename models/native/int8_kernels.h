// The arithmetic of int8 inference, once for each instruction set and once in plain loops. All give
// the same numbers to the bit: sums are of integers, and each float operation is rounded by itself
// (no fused multiply-adds). Internal to the native network. No threads, no allocation.
//
// A code is a whole number that stands for code * step. Activations are never negative: codes 0 to
// 255, each channel with its own step; weights -127 to 127, with a step for each output.
#pragma once

#include <cstdint>
#include <span>

#include "models/features.h"

namespace toguz::native {

// The packed weights of a layer of n inputs and outputs, n a multiple of 16: for each 16 outputs,
// for each 4 inputs, 64 bytes [output][input].
constexpr std::ptrdiff_t packedPlace(int output, int input, int width) {
  return std::ptrdiff_t{output / 16} * width * 16 + (input / 4) * 64 + (output % 16) * 4 +
         input % 4;
}

// v = codes' sum * scale + bias, one scale and bias an output.
struct Int8Product {
  int rows = 0, width = 0;          // width inputs and as many outputs, a multiple of 16
  const std::uint8_t* x = nullptr;  // [rows][width]
  const std::int8_t* weights = nullptr;
  const float* scale = nullptr;
  const float* bias = nullptr;
  // Null: y = max(v, 0) to the nearest code, scale and bias being in y's steps.
  // Else residual = max(v + residual, 0), [rows][width], and y = residual * inverse, the same way.
  float* residual = nullptr;
  const float* inverse = nullptr;
  std::uint8_t* y = nullptr;  // [rows][width]; may be null with a residual; may not be x
};

// out = max(scale * (bias + sum of the active rows), 0) and y = out * inverse to the nearest code.
// No sum may leave 16 bits.
struct Int16RowSum {
  int width = 0;                        // a multiple of 16
  const std::int16_t* table = nullptr;  // [rows][width]
  const std::int16_t* bias = nullptr;
  const FeatureRow* active = nullptr;
  int rows = 0;
  const float* scale = nullptr;
  const float* inverse = nullptr;
  float* out = nullptr;
  std::uint8_t* y = nullptr;
};

struct Int8Kernels {
  const char* name;
  void (*multiply)(const Int8Product&);
  void (*sumRows)(const Int16RowSum&);
};

// Those that this processor runs, fastest first; the plain loops are always there, last.
std::span<const Int8Kernels* const> int8Kernels();
// Whether there is anything but the plain loops.
bool int8IsFast();

extern const Int8Kernels kPortableInt8;
#if defined(__x86_64__)
extern const Int8Kernels kAvxVnniInt8;  // needs AVX2 and AVX-VNNI
extern const Int8Kernels kAvx512Int8;   // needs AVX-512 F, BW, VL and VNNI
#elif defined(__wasm_simd128__)
extern const Int8Kernels kWasmInt8;
#endif

}  // namespace toguz::native
