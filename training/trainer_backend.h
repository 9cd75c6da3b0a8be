// What the trainer needs of whoever does its arithmetic: weights, gradient and optimiser state as
// flat vectors in the order of tensorTable(). Internal to the trainer and its tests. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/features.h"
#include "models/model.h"

namespace toguz {

// One step of AdamW (Loshchilov and Hutter 2019) and of the average of the weights.
struct AdamWStep {
  double learningRate, weightDecay, beta1, beta2, epsilon;
  std::int64_t step;     // this one's number, from 1
  double gradientScale;  // the gradient is multiplied by it first (clipping)
  double averageKeep;    // average = keep * average + (1 - keep) * weights
};

enum class FlatState : std::uint8_t { Weights, Average, Moment1, Moment2 };

class TrainerBackend {
 public:
  virtual ~TrainerBackend() = default;
  // The most positions that one forward takes.
  virtual int chunkRows() const = 0;
  virtual void clearGradient() = 0;
  // features: [count][activeRows]; raw receives [count][HeadLayout::size()].
  virtual void forward(std::span<const FeatureRow> features, int count, bool averaged,
                       std::span<float> raw) = 0;
  // Adds to the gradient that of the last forward (of the raw weights, the same features), given
  // the gradient at its raw outputs.
  virtual void backward(std::span<const FeatureRow> features, int count,
                        std::span<const float> rawGradient) = 0;
  virtual double gradientSquares() const = 0;  // sum over all elements
  virtual void update(const AdamWStep& step) = 0;

  virtual std::vector<float> get(FlatState state) const = 0;
  virtual void set(FlatState state, std::span<const float> values) = 0;
  virtual std::vector<float> gradient() const = 0;
};

// On the CPU by the project's own kernels: faster than LibTorch there, whatever BLAS it found.
std::unique_ptr<TrainerBackend> makeNativeBackend(const Rules& rules,
                                                  const Architecture& architecture);
// By LibTorch's autograd on any device it has. Throws Error if the device is not there.
std::unique_ptr<TrainerBackend> makeTorchBackend(const Rules& rules,
                                                 const Architecture& architecture,
                                                 const std::string& device);

// Flat sizes: where each tensor of the table starts, and the whole.
struct FlatLayout {
  struct Part {
    std::string name;
    std::vector<std::int64_t> shape;
    std::size_t offset, size;
    bool decayed;  // weight matrices are, biases are not
  };
  std::vector<Part> parts;
  std::size_t size = 0;
  FlatLayout(const Rules& rules, const Architecture& architecture);
};

}  // namespace toguz
