#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define TOGUZ_ISA __attribute__((target("avx2,avxvnni")))

namespace toguz::native {
namespace {

struct Isa {
  using Ints = int __attribute__((vector_size(32)));
  using Floats = __m256;
  using Words = __m256i;
  static constexpr int kLanes = 8, kWords = 16, kMostSums = 12;
  static constexpr int kRows = 6, kGroups = 1;
  static constexpr int kMiddleRows = 3, kMiddleGroups = 2;
  static constexpr int kThinRows = 1, kThinGroups = 4;

  TOGUZ_ISA static inline Ints zero() { return Ints{}; }
  TOGUZ_ISA static inline Ints loadInts(const void* from) {
    return (Ints)_mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  TOGUZ_ISA static inline Ints broadcast(const std::uint8_t* from) {
    std::int32_t four;
    std::memcpy(&four, from, sizeof four);
    return (Ints)_mm256_set1_epi32(four);
  }
  TOGUZ_ISA static inline Ints dot(Ints sum, Ints codes, Ints weights) {
    return (Ints)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)codes, (__m256i)weights);
  }

  TOGUZ_ISA static inline Floats toFloats(Ints v) { return _mm256_cvtepi32_ps((__m256i)v); }
  TOGUZ_ISA static inline Floats load(const float* from) { return _mm256_loadu_ps(from); }
  TOGUZ_ISA static inline void store(float* to, Floats v) { _mm256_storeu_ps(to, v); }
  TOGUZ_ISA static inline Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
  TOGUZ_ISA static inline Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
  TOGUZ_ISA static inline Floats positive(Floats v) {
    return _mm256_max_ps(v, _mm256_setzero_ps());
  }
  TOGUZ_ISA static inline void storeCodes(std::uint8_t* to, Floats v) {
    const __m256i ints = _mm256_cvtps_epi32(_mm256_min_ps(v, _mm256_set1_ps(255.0f)));
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(ints), _mm256_extracti128_si256(ints, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
  }

  TOGUZ_ISA static inline Words loadWords(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  TOGUZ_ISA static inline void storeWords(std::int16_t* to, Words v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v);
  }
  TOGUZ_ISA static inline Words addWords(Words a, Words b) { return _mm256_add_epi16(a, b); }
  TOGUZ_ISA static inline Ints widen(const std::int16_t* from) {
    return (Ints)_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
};

}  // namespace
}  // namespace toguz::native

#include "models/native/int8_tile.h"

namespace toguz::native {

const Int8Kernels kAvxVnniInt8{"avx-vnni", multiply, sumRows};

}  // namespace toguz::native
#endif
