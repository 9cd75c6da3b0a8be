#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

#include <cstdint>
#include <cstring>

#define TOGUZ_ISA

namespace toguz::native {
namespace {

struct Isa {
  // There is no product of bytes with sums of four, but one of 16-bit words with sums of two. So
  // four sums are kept as eight halves, outputs 0 and 1 in `low`, 2 and 3 in `high`.
  struct Ints {
    v128_t low, high;
    Ints operator+(const Ints& other) const {
      return {wasm_i32x4_add(low, other.low), wasm_i32x4_add(high, other.high)};
    }
  };
  using Floats = v128_t;
  using Words = v128_t;
  static constexpr int kLanes = 4, kWords = 8, kMostSums = 4;
  static constexpr int kRows = 4, kGroups = 1;
  static constexpr int kMiddleRows = 2, kMiddleGroups = 1;
  static constexpr int kThinRows = 1, kThinGroups = 1;

  static inline Ints zero() { return {wasm_i32x4_splat(0), wasm_i32x4_splat(0)}; }
  // Weights, widened.
  static inline Ints loadInts(const void* from) {
    return {wasm_i16x8_load8x8(from),
            wasm_i16x8_load8x8(static_cast<const std::int8_t*>(from) + 8)};
  }
  // Four codes, widened, twice over.
  static inline Ints broadcast(const std::uint8_t* from) {
    const v128_t codes = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_splat(from));
    return {codes, codes};
  }
  static inline Ints dot(Ints sum, Ints codes, Ints weights) {
    return {wasm_i32x4_add(sum.low, wasm_i32x4_dot_i16x8(codes.low, weights.low)),
            wasm_i32x4_add(sum.high, wasm_i32x4_dot_i16x8(codes.high, weights.high))};
  }

  static inline Floats toFloats(Ints v) {
    return wasm_f32x4_convert_i32x4(wasm_i32x4_add(wasm_i32x4_shuffle(v.low, v.high, 0, 2, 4, 6),
                                                   wasm_i32x4_shuffle(v.low, v.high, 1, 3, 5, 7)));
  }
  static inline Floats toFloats(v128_t ints) { return wasm_f32x4_convert_i32x4(ints); }
  static inline Floats load(const float* from) { return wasm_v128_load(from); }
  static inline void store(float* to, Floats v) { wasm_v128_store(to, v); }
  static inline Floats add(Floats a, Floats b) { return wasm_f32x4_add(a, b); }
  static inline Floats multiply(Floats a, Floats b) { return wasm_f32x4_mul(a, b); }
  static inline Floats positive(Floats v) { return wasm_f32x4_max(v, wasm_f32x4_splat(0)); }
  static inline void storeCodes(std::uint8_t* to, Floats v) {
    const v128_t ints =
        wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_min(v, wasm_f32x4_splat(255.0f))));
    const v128_t words = wasm_i16x8_narrow_i32x4(ints, ints);
    wasm_v128_store32_lane(to, wasm_u8x16_narrow_i16x8(words, words), 0);
  }

  static inline Words loadWords(const std::int16_t* from) { return wasm_v128_load(from); }
  static inline void storeWords(std::int16_t* to, Words v) { wasm_v128_store(to, v); }
  static inline Words addWords(Words a, Words b) { return wasm_i16x8_add(a, b); }
  static inline v128_t widen(const std::int16_t* from) { return wasm_i32x4_load16x4(from); }
};

}  // namespace
}  // namespace toguz::native

#include "models/native/int8_tile.h"

namespace toguz::native {

const Int8Kernels kWasmInt8{"wasm-simd128", multiply, sumRows};

}  // namespace toguz::native
#endif
