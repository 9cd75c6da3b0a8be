#include "models/native/kernels.h"

#include "models/native/product_inl.h"

namespace toguz::native {

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

void Layer::apply(const float* x, const float* residual, float* y, int count, bool relu,
                  bool fused) const {
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
  if (fused)
    multiply(p);
  else
    multiplyUnfused(p);
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
