// A network's input layer and blocks in int8, made from its fp32 weights and the activations that
// it shows on positions of its own play, or from what was stored then. The head layer stays in
// fp32. Internal to the native network.
#pragma once

#include <vector>

#include "models/int8_model.h"
#include "models/native/int8_kernels.h"
#include "models/native/kernels.h"

namespace toguz::native {

// The greatest activation of each channel, of one layer's input after another: [1 + 2 * blocks]
// [width], the trunk before each block (and after the last), the hidden layer within each.
using ActivationPeaks = std::vector<std::vector<float>>;

// Sixteen games move by move, each move drawn from the fp32 network's policy or (one in four) from
// all legal moves, 128 times. Always the same for the same model on one kind of build.
ActivationPeaks measurePeaks(const Model& model);

class Int8Trunk {
 public:
  // Positions that may go through it together.
  static constexpr int kChunk = 32;

  // One thread's activations.
  struct Scratch {
    explicit Scratch(int width);
    AlignedFloats trunk;  // [kChunk][width]; after run(): what the head takes
    Aligned<std::uint8_t> codes, hidden;
  };

  Int8Trunk(const Model& model, const ActivationPeaks& peaks);
  // The same to the bit as the one that was stored.
  explicit Int8Trunk(const Int8Model& model);
  // Adds its tensors and codes in file order: all that an Int8Model has but the head.
  void store(Int8Model& model) const;

  // active: [count][rows]; count up to kChunk.
  void run(const Int8Kernels& kernels, const FeatureRow* active, int rows, int count,
           Scratch& scratch) const;

 private:
  struct Layer {
    Aligned<std::int8_t> weights;
    AlignedFloats scale, bias;
    AlignedFloats inverse;  // 1 / steps of the trunk after it; second layers of a block only
  };
  void makeTable(const Model& model, const std::vector<float>& steps);
  // in, out: the steps of the codes before and after it; `first`: the first layer of a block.
  Layer makeLayer(const Tensor& weight, const Tensor& bias, const std::vector<float>& in,
                  const std::vector<float>& out, bool first) const;

  int width_ = 0;
  Aligned<std::int16_t> table_, tableBias_;
  AlignedFloats tableScale_, tableInverse_;
  std::vector<Layer> layers_;
};

}  // namespace toguz::native
