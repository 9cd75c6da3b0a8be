// The network as a LibTorch module. Includes torch/torch.h, which takes long to compile: only for
// the sources that need tensors; all others go through torch_network.h.
#pragma once

#include <torch/torch.h>

#include <span>
#include <string>
#include <vector>

#include "core/position.h"
#include "models/model.h"

namespace toguz {

class NetworkModuleImpl : public torch::nn::Module {
 public:
  NetworkModuleImpl(const Rules& rules, const Architecture& architecture);

  // indices: int64 [batch, activeRows]; returns the head's raw outputs [batch, HeadLayout::size()].
  torch::Tensor forward(const torch::Tensor& indices);
  // In the order of tensorTable(); registered under its names with '_' for '.'.
  const std::vector<torch::Tensor>& weights() const { return weights_; }

 private:
  torch::Tensor linear(const torch::Tensor& x, std::size_t weight) const;

  int blocks_;
  std::vector<torch::Tensor> weights_;
};
TORCH_MODULE(NetworkModule);

// Copies in and out are exact. The model must be of the module's shape.
void loadWeights(NetworkModule& module, const Model& model);
std::vector<Tensor> weightsOf(const NetworkModule& module, const Rules& rules,
                              const Architecture& architecture);

// int64 [positions, activeRows] on the CPU.
torch::Tensor featureIndices(const Rules& rules, FeatureSet set,
                             std::span<const Position> positions);

}  // namespace toguz
