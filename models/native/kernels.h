// The arithmetic of native inference and of the native trainer: small matrix products and row sums.
// Internal to the two. No threads, no allocation but by Aligned.
//
// The columns of a product are handled in groups of 16, the vector dimension; each value of the
// left matrix is broadcast. Every result is summed in one fixed order whatever the tile, so a
// position's result does not depend on the batch that it came in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "models/features.h"

namespace toguz::native {

inline constexpr int kGroup = 16;

// A fixed block of numbers at a cache line's start, zero at first.
template <class T>
class Aligned {
 public:
  Aligned() = default;
  explicit Aligned(std::size_t size)
      : size_(size),
        data_(static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{64}))) {
    std::fill_n(data_.get(), size, T{});
  }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> data_;
};
using AlignedFloats = Aligned<float>;

// C = f(A B + bias + addend), C of `rows` x 16 * `groups`, summed over `depth`.
struct Product {
  int rows = 0, groups = 0, depth = 0;
  // A: element (r, k) at a[r * aStride + k], or at a[k * aStride + r] if aTransposed.
  const float* a = nullptr;
  std::ptrdiff_t aStride = 0;
  bool aTransposed = false;
  // B: the 16 columns of group g in row k start at b + g * bGroup + k * bStride.
  const float* b = nullptr;
  std::ptrdiff_t bGroup = kGroup, bStride = 0;
  float* c = nullptr;
  std::ptrdiff_t cStride = 0;
  const float* bias = nullptr;    // one a column; may be null
  const float* addend = nullptr;  // shaped as C, may be C; may be null
  std::ptrdiff_t addendStride = 0;
  bool relu = false;            // f(x) = max(x, 0)
  const float* gate = nullptr;  // shaped as C; f(x) = x where the gate is above 0, else 0
  std::ptrdiff_t gateStride = 0;
};

void multiply(const Product& product);
// Each product rounded before it is added: the same to the bit on every machine and build, where
// `multiply` takes what is fastest. A must not be transposed.
void multiplyUnfused(const Product& product);

// A fully connected layer packed for inference.
class Layer {
 public:
  Layer() = default;
  // weight: row-major [outputs][inputs].
  Layer(const float* weight, const float* bias, int inputs, int outputs);
  int paddedOutputs() const { return groups_ * kGroup; }  // those past the real ones are 0
  // y = W x + b [+ residual], through max(., 0) if relu, for `count` rows: x [count][inputs], y and
  // residual [count][paddedOutputs]. y may be the residual itself, but not x.
  // `fused` as multiply, else as multiplyUnfused.
  void apply(const float* x, const float* residual, float* y, int count, bool relu,
             bool fused = true) const;

 private:
  int inputs_ = 0, groups_ = 0;
  AlignedFloats weights_, bias_;
};

// out = relu(bias + sum of the active rows of table [rows][width]).
void sumRows(const float* table, const float* bias, const FeatureRow* active, int rows, int width,
             float* out);
// Adds `from` [width] to each of the active rows of table [rows][width].
void addToRows(float* table, const FeatureRow* active, int rows, int width, const float* from);
// Adds the columns' sums of from [count][stride] to `to` [width]; width a multiple of 16.
void addColumns(const float* from, std::ptrdiff_t stride, int count, int width, float* to);

}  // namespace toguz::native
