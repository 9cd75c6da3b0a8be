#include "models/native/int8_kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace toguz::native {
namespace {

std::uint8_t code(float v) {
  return static_cast<std::uint8_t>(v < 255.0f ? std::nearbyint(v) : 255.0f);
}
float positive(float v) {
  return v > 0.0f ? v : 0.0f;
}

void multiply(const Int8Product& p) {
  for (int r = 0; r < p.rows; ++r) {
    const std::ptrdiff_t row = std::ptrdiff_t{r} * p.width;
    const std::int8_t* w = p.weights;
    std::int32_t sums[16];
    for (int o = 0; o < p.width; ++o) {
      if (o % 16 == 0) {  // the next group of packedPlace, from first to last byte
        std::fill_n(sums, 16, 0);
        for (int i = 0; i < p.width; i += 4, w += 64) {
          const std::uint8_t* x = p.x + row + i;
          for (int j = 0; j < 16; ++j)
            sums[j] +=
                x[0] * w[4 * j] + x[1] * w[4 * j + 1] + x[2] * w[4 * j + 2] + x[3] * w[4 * j + 3];
        }
      }
      float v = static_cast<float>(sums[o % 16]) * p.scale[o] + p.bias[o];
      if (p.residual) v += p.residual[row + o];
      v = positive(v);
      if (p.residual) p.residual[row + o] = v;
      if (p.y) p.y[row + o] = code(p.residual ? v * p.inverse[o] : v);
    }
  }
}

void sumRows(const Int16RowSum& p) {
  for (int at = 0; at < p.width; ++at) {
    int sum = p.bias[at];
    for (int i = 0; i < p.rows; ++i) sum += p.table[std::ptrdiff_t{p.active[i]} * p.width + at];
    const float v = positive(static_cast<float>(sum) * p.scale[at]);
    p.out[at] = v;
    p.y[at] = code(v * p.inverse[at]);
  }
}

std::vector<const Int8Kernels*> supported() {
  std::vector<const Int8Kernels*> kernels;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni"))
    kernels.push_back(&kAvx512Int8);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("avxvnni"))
    kernels.push_back(&kAvxVnniInt8);
#elif defined(__wasm_simd128__)
  kernels.push_back(&kWasmInt8);
#endif
  kernels.push_back(&kPortableInt8);
  return kernels;
}

}  // namespace

const Int8Kernels kPortableInt8{"portable", multiply, sumRows};

std::span<const Int8Kernels* const> int8Kernels() {
  static const std::vector<const Int8Kernels*> kernels = supported();
  return kernels;
}

bool int8IsFast() {
  return int8Kernels().size() > 1;
}

}  // namespace toguz::native
