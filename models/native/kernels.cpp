#include "models/native/kernels.h"

#include <cstring>

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

void multiply(const Product& product) {
  if (product.aTransposed)
    multiplyAs<true>(product);
  else
    multiplyAs<false>(product);
}

Layer::Layer(const float* weight, const float* bias, int inputs, int outputs)
    : inputs_(inputs),
      groups_((outputs + kGroup - 1) / kGroup),
      weights_(static_cast<std::size_t>(groups_ * kGroup) * static_cast<std::size_t>(inputs)),
      bias_(static_cast<std::size_t>(groups_ * kGroup)) {
  for (int o = 0; o < outputs; ++o) {
    bias_.data()[o] = bias[o];
    float* stream = weights_.data() + std::ptrdiff_t{o / kGroup} * inputs * kGroup + o % kGroup;
    for (int i = 0; i < inputs; ++i) stream[i * kGroup] = weight[std::ptrdiff_t{o} * inputs + i];
  }
}

void Layer::apply(const float* x, const float* residual, float* y, int count, bool relu) const {
  Product p;
  p.rows = count;
  p.groups = groups_;
  p.depth = inputs_;
  p.a = x;
  p.aStride = inputs_;
  p.b = weights_.data();
  p.bGroup = std::ptrdiff_t{inputs_} * kGroup;
  p.bStride = kGroup;
  p.c = y;
  p.cStride = paddedOutputs();
  p.bias = bias_.data();
  p.addend = residual;
  p.addendStride = paddedOutputs();
  p.relu = relu;
  multiply(p);
}

void sumRows(const float* table, const float* bias, const FeatureRow* active, int rows, int width,
             float* out) {
  constexpr int kBlock = 8 * kLanes;  // eight accumulators hide the additions' latency
  const auto relu = [](Vec v) { return v > Vec{} ? v : Vec{}; };
  int at = 0;
  for (; at + kBlock <= width; at += kBlock) {
    Vec sum[8];
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) sum[j] = load(bias + at + j * kLanes);
    for (int i = 0; i < rows; ++i) {
      const float* row = table + std::ptrdiff_t{active[i]} * width + at;
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) sum[j] += load(row + j * kLanes);
    }
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) store(out + at + j * kLanes, relu(sum[j]));
  }
  for (; at < width; at += kLanes) {
    Vec sum = load(bias + at);
    for (int i = 0; i < rows; ++i) sum += load(table + std::ptrdiff_t{active[i]} * width + at);
    store(out + at, relu(sum));
  }
}

void addToRows(float* table, const FeatureRow* active, int rows, int width, const float* from) {
  for (int i = 0; i < rows; ++i) {
    float* row = table + std::ptrdiff_t{active[i]} * width;
    for (int at = 0; at < width; at += kLanes) store(row + at, load(row + at) + load(from + at));
  }
}

void addColumns(const float* from, std::ptrdiff_t stride, int count, int width, float* to) {
  for (int at = 0; at < width; at += kLanes) {
    Vec sum = load(to + at);
    for (int r = 0; r < count; ++r) sum += load(from + r * stride + at);
    store(to + at, sum);
  }
}

}  // namespace toguz::native
