// The trainer's arithmetic by the kernels of native inference: forward and backward by hand, in
// pieces of the batch small enough that their activations stay in the second-level cache.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "models/native/kernels.h"
#include "training/trainer_backend.h"

namespace toguz {
namespace {

using native::AlignedFloats;
using native::kGroup;
using native::Product;

constexpr int kChunk = 128;
// Rows are padded by a group: at a width that is a power of two they would all fall on the same few
// cache sets.
constexpr int kPad = kGroup;

class NativeBackend final : public TrainerBackend {
 public:
  NativeBackend(const Rules& rules, const Architecture& architecture)
      : layout_(rules, architecture),
        active_(activeRows(rules.set(), architecture.features)),
        width_(architecture.width),
        stride_(architecture.width + kPad),
        layers_(2 * architecture.blocks),
        outputs_(HeadLayout{rules.set().pits}.size()),
        headStride_((outputs_ + kGroup - 1) / kGroup * kGroup) {
    for (AlignedFloats* flat : {&weights_, &average_, &moment1_, &moment2_, &gradient_})
      *flat = AlignedFloats(layout_.size);
    const auto floats = [](int rows, int stride) {
      return AlignedFloats(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride));
    };
    for (int i = 0; i <= layers_; ++i) {
      activations_.push_back(floats(kChunk, stride_));
      deltas_.push_back(floats(kChunk, stride_));
    }
    raw_ = floats(kChunk, headStride_);
    rawDelta_ = floats(kChunk, headStride_);
    for (int i = 0; i < layers_; ++i) {
      forward_.push_back(floats(width_, stride_));
      backward_.push_back(floats(width_, stride_));
    }
    forward_.push_back(floats(width_, headStride_));
    backward_.push_back(floats(outputs_, stride_));
    headBias_ = AlignedFloats(static_cast<std::size_t>(headStride_));
  }

  int chunkRows() const override { return kChunk; }

  void clearGradient() override { std::fill_n(gradient_.data(), gradient_.size(), 0.0f); }

  void forward(std::span<const FeatureRow> features, int count, bool averaged,
               std::span<float> raw) override {
    TOGUZ_CHECK(count <= kChunk, "more rows than a chunk");
    const float* weights = averaged ? average_.data() : weights_.data();
    pack(averaged);
    for (int i = 0; i < count; ++i)
      native::sumRows(weights, weights + part(1).offset, features.data() + i * active_, active_,
                      width_, activations_[0].data() + std::ptrdiff_t{i} * stride_);
    for (int layer = 0; layer < layers_; ++layer) {
      Product p = product(count, activations_[at(layer)].data(), forward_[at(layer)].data(),
                          activations_[at(layer + 1)].data());
      p.bias = weights + biasOf(layer).offset;
      p.relu = true;
      // The second layer of a block adds the block's input.
      if (layer % 2) p.addend = activations_[at(layer - 1)].data();
      native::multiply(p);
    }
    Product head =
        product(count, activations_[at(layers_)].data(), forward_[at(layers_)].data(), raw_.data());
    head.groups = headStride_ / kGroup;
    head.bStride = head.cStride = headStride_;
    head.bias = headBias_.data();
    native::multiply(head);
    for (int i = 0; i < count; ++i)
      std::copy_n(raw_.data() + std::ptrdiff_t{i} * headStride_, outputs_,
                  raw.data() + std::ptrdiff_t{i} * outputs_);
  }

  void backward(std::span<const FeatureRow> features, int count,
                std::span<const float> rawGradient) override {
    for (int i = 0; i < count; ++i)
      std::copy_n(rawGradient.data() + std::ptrdiff_t{i} * outputs_, outputs_,
                  rawDelta_.data() + std::ptrdiff_t{i} * headStride_);
    // deltas_[i] is the gradient at the sums whose relu is activations_[i].
    const AlignedFloats& last = activations_[at(layers_)];
    weightGradient(rawDelta_.data(), headStride_, outputs_, last.data(), count, part(parts() - 2));
    float* headBias = gradient_.data() + part(parts() - 1).offset;
    for (int i = 0; i < count; ++i)
      for (int o = 0; o < outputs_; ++o)
        headBias[o] += rawDelta_.data()[std::ptrdiff_t{i} * headStride_ + o];
    Product head = product(count, rawDelta_.data(), backward_[at(layers_)].data(),
                           deltas_[at(layers_)].data());
    head.depth = outputs_;
    head.aStride = headStride_;
    head.gate = last.data();
    native::multiply(head);

    for (int layer = layers_ - 1; layer >= 0; --layer) {
      const float* delta = deltas_[at(layer + 1)].data();
      weightGradient(delta, stride_, width_, activations_[at(layer)].data(), count,
                     weightOf(layer));
      native::addColumns(delta, stride_, count, width_, gradient_.data() + biasOf(layer).offset);
      Product p = product(count, delta, backward_[at(layer)].data(), deltas_[at(layer)].data());
      p.gate = activations_[at(layer)].data();
      // What the block's second layer let past it comes to the block's input as well.
      if (layer % 2 == 0) p.addend = deltas_[at(layer + 2)].data();
      native::multiply(p);
    }
    native::addColumns(deltas_[0].data(), stride_, count, width_,
                       gradient_.data() + part(1).offset);
    for (int i = 0; i < count; ++i)
      native::addToRows(gradient_.data(), features.data() + i * active_, active_, width_,
                        deltas_[0].data() + std::ptrdiff_t{i} * stride_);
  }

  double gradientSquares() const override {
    // Sixteen running sums, so that the loop may be vectorised without changing the order.
    double sums[16] = {};
    const float* g = gradient_.data();
    const std::size_t whole = gradient_.size() / 16 * 16;
    for (std::size_t i = 0; i < whole; i += 16)
      for (std::size_t j = 0; j < 16; ++j)
        sums[j] += static_cast<double>(g[i + j]) * static_cast<double>(g[i + j]);
    for (std::size_t i = whole; i < gradient_.size(); ++i)
      sums[0] += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
  }

  void update(const AdamWStep& s) override {
    const double correction1 = 1 - std::pow(s.beta1, static_cast<double>(s.step));
    const double correction2 = 1 - std::pow(s.beta2, static_cast<double>(s.step));
    const float beta1 = static_cast<float>(s.beta1), beta2 = static_cast<float>(s.beta2),
                rest1 = static_cast<float>(1 - s.beta1), rest2 = static_cast<float>(1 - s.beta2),
                scale = static_cast<float>(s.gradientScale), eps = static_cast<float>(s.epsilon),
                rate = static_cast<float>(s.learningRate / correction1),
                root = static_cast<float>(1 / std::sqrt(correction2)),
                blend = static_cast<float>(1 - s.averageKeep);
    for (const FlatLayout::Part& part : layout_.parts) {
      const float shrink =
          part.decayed ? static_cast<float>(1 - s.learningRate * s.weightDecay) : 1.0f;
      float* __restrict w = weights_.data() + part.offset;
      float* __restrict a = average_.data() + part.offset;
      float* __restrict m = moment1_.data() + part.offset;
      float* __restrict v = moment2_.data() + part.offset;
      const float* __restrict g = gradient_.data() + part.offset;
      for (std::size_t i = 0; i < part.size; ++i) {
        const float gradient = g[i] * scale;
        m[i] = beta1 * m[i] + rest1 * gradient;
        v[i] = beta2 * v[i] + rest2 * gradient * gradient;
        w[i] = w[i] * shrink - rate * m[i] / (std::sqrt(v[i]) * root + eps);
        a[i] += blend * (w[i] - a[i]);
      }
    }
    packed_ = Packed::Nothing;
  }

  std::vector<float> get(FlatState state) const override {
    const AlignedFloats& flat = *const_cast<NativeBackend*>(this)->flat(state);
    return {flat.data(), flat.data() + flat.size()};
  }
  void set(FlatState state, std::span<const float> values) override {
    TOGUZ_CHECK(values.size() == layout_.size, "a state of another size");
    std::copy(values.begin(), values.end(), flat(state)->data());
    packed_ = Packed::Nothing;
  }
  std::vector<float> gradient() const override {
    return {gradient_.data(), gradient_.data() + gradient_.size()};
  }

 private:
  enum class Packed { Nothing, Weights, Average };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int parts() const { return static_cast<int>(layout_.parts.size()); }
  const FlatLayout::Part& part(int i) const { return layout_.parts[at(i)]; }
  const FlatLayout::Part& weightOf(int layer) const { return part(2 + 2 * layer); }
  const FlatLayout::Part& biasOf(int layer) const { return part(3 + 2 * layer); }

  AlignedFloats* flat(FlatState state) {
    switch (state) {
      case FlatState::Weights:
        return &weights_;
      case FlatState::Average:
        return &average_;
      case FlatState::Moment1:
        return &moment1_;
      case FlatState::Moment2:
        return &moment2_;
    }
    __builtin_unreachable();
  }

  // c = a b over trunk-wide rows; the caller changes what is different.
  Product product(int count, const float* a, const float* b, float* c) const {
    Product p;
    p.rows = count;
    p.groups = width_ / kGroup;
    p.depth = width_;
    p.a = a;
    p.b = b;
    p.c = c;
    p.aStride = p.bStride = p.cStride = p.addendStride = p.gateStride = stride_;
    return p;
  }

  // Adds delta^T x to the gradient of a weight matrix [outputs][width].
  void weightGradient(const float* delta, int deltaStride, int outputs, const float* x, int count,
                      const FlatLayout::Part& to) {
    Product p = product(outputs, delta, x, gradient_.data() + to.offset);
    p.depth = count;
    p.aStride = deltaStride;
    p.aTransposed = true;
    p.cStride = p.addendStride = width_;
    p.addend = p.c;
    native::multiply(p);
  }

  // The matrices as the products want them: inputs by outputs for the way forward, padded copies
  // for the way back.
  void pack(bool averaged) {
    const Packed wanted = averaged ? Packed::Average : Packed::Weights;
    if (packed_ == wanted) return;
    const float* weights = averaged ? average_.data() : weights_.data();
    for (int layer = 0; layer <= layers_; ++layer) {
      const float* w = weights + weightOf(layer).offset;
      const int outputs = layer < layers_ ? width_ : outputs_;
      const int stride = layer < layers_ ? stride_ : headStride_;
      float* transposed = forward_[at(layer)].data();
      float* copy = backward_[at(layer)].data();
      for (int o = 0; o < outputs; ++o)
        std::copy_n(w + std::ptrdiff_t{o} * width_, width_, copy + std::ptrdiff_t{o} * stride_);
      for (int first = 0; first < outputs; first += kGroup)
        for (int i = 0; i < width_; ++i)
          for (int o = first; o < std::min(first + kGroup, outputs); ++o)
            transposed[std::ptrdiff_t{i} * stride + o] = w[std::ptrdiff_t{o} * width_ + i];
    }
    std::copy_n(weights + biasOf(layers_).offset, outputs_, headBias_.data());
    packed_ = wanted;
  }

  FlatLayout layout_;
  int active_, width_, stride_, layers_, outputs_, headStride_;
  AlignedFloats weights_, average_, moment1_, moment2_, gradient_;
  std::vector<AlignedFloats> activations_, deltas_;  // [0] the input layer's, then each layer's
  AlignedFloats raw_, rawDelta_, headBias_;
  std::vector<AlignedFloats> forward_, backward_;  // one a layer, the head last
  Packed packed_ = Packed::Nothing;
};

}  // namespace

FlatLayout::FlatLayout(const Rules& rules, const Architecture& architecture) {
  for (Tensor& tensor : tensorTable(rules, architecture)) {
    std::size_t count = 1;
    for (const std::int64_t n : tensor.shape) count *= static_cast<std::size_t>(n);
    const bool decayed = tensor.shape.size() > 1;
    parts.push_back({std::move(tensor.name), std::move(tensor.shape), size, count, decayed});
    size += count;
  }
}

std::unique_ptr<TrainerBackend> makeNativeBackend(const Rules& rules,
                                                  const Architecture& architecture) {
  return std::make_unique<NativeBackend>(rules, architecture);
}

}  // namespace toguz
