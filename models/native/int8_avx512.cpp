#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define TOGUZ_ISA __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

namespace toguz::native {
namespace {

struct Isa {
  using Ints = int __attribute__((vector_size(64)));
  using Floats = __m512;
  using Words = __m256i;
  static constexpr int kLanes = 16, kWords = 16, kMostSums = 24;
  static constexpr int kRows = 8, kGroups = 2;
  static constexpr int kMiddleRows = 6, kMiddleGroups = 4;
  static constexpr int kThinRows = 3, kThinGroups = 8;

  TOGUZ_ISA static inline Ints zero() { return Ints{}; }
  TOGUZ_ISA static inline Ints loadInts(const void* from) { return (Ints)_mm512_loadu_si512(from); }
  TOGUZ_ISA static inline Ints broadcast(const std::uint8_t* from) {
    std::int32_t four;
    std::memcpy(&four, from, sizeof four);
    return (Ints)_mm512_set1_epi32(four);
  }
  TOGUZ_ISA static inline Ints dot(Ints sum, Ints codes, Ints weights) {
    return (Ints)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)codes, (__m512i)weights);
  }

  TOGUZ_ISA static inline Floats toFloats(Ints v) { return _mm512_cvtepi32_ps((__m512i)v); }
  TOGUZ_ISA static inline Floats load(const float* from) { return _mm512_loadu_ps(from); }
  TOGUZ_ISA static inline void store(float* to, Floats v) { _mm512_storeu_ps(to, v); }
  TOGUZ_ISA static inline Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
  TOGUZ_ISA static inline Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
  TOGUZ_ISA static inline Floats positive(Floats v) {
    return _mm512_max_ps(v, _mm512_setzero_ps());
  }
  // What is too large for an int becomes 2^31 and then 255 as all above 255 does.
  TOGUZ_ISA static inline void storeCodes(std::uint8_t* to, Floats v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(v)));
  }

  TOGUZ_ISA static inline Words loadWords(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  TOGUZ_ISA static inline void storeWords(std::int16_t* to, Words v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
  }
  TOGUZ_ISA static inline Words addWords(Words a, Words b) { return _mm256_add_epi16(a, b); }
  TOGUZ_ISA static inline Ints widen(const std::int16_t* from) {
    return (Ints)_mm512_cvtepi16_epi32(loadWords(from));
  }
};

}  // namespace
}  // namespace toguz::native

#include "models/native/int8_tile.h"

namespace toguz::native {

const Int8Kernels kAvx512Int8{"avx512-vnni", multiply, sumRows};

}  // namespace toguz::native
#endif
