#include "models/torch/module.h"

#include <algorithm>

#include "base/error.h"
#include "models/features.h"

namespace toguz {

NetworkModuleImpl::NetworkModuleImpl(const Rules& rules, const Architecture& architecture)
    : blocks_(architecture.blocks) {
  for (const Tensor& tensor : tensorTable(rules, architecture)) {
    std::string name = tensor.name;
    std::replace(name.begin(), name.end(), '.', '_');  // LibTorch's names may hold no dot
    weights_.push_back(register_parameter(name, torch::zeros(tensor.shape)));
  }
}

torch::Tensor NetworkModuleImpl::linear(const torch::Tensor& x, std::size_t weight) const {
  return torch::addmm(weights_[weight + 1], x, weights_[weight].t());
}

torch::Tensor NetworkModuleImpl::forward(const torch::Tensor& indices) {
  const torch::Tensor offsets =
      torch::arange(0, indices.numel(), indices.size(1), indices.options());
  const torch::Tensor sums =
      std::get<0>(torch::embedding_bag(weights_[0], indices.reshape({-1}), offsets));
  torch::Tensor x = torch::relu(sums + weights_[1]);
  std::size_t weight = 2;
  for (int k = 0; k < blocks_; ++k, weight += 4)
    x = torch::relu(x + linear(torch::relu(linear(x, weight)), weight + 2));
  return linear(x, weight);
}

void loadWeights(NetworkModule& module, const Model& model) {
  const torch::NoGradGuard guard;
  const std::vector<torch::Tensor>& weights = module->weights();
  TOGUZ_CHECK(weights.size() == model.tensors.size(), "a model of another depth");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Tensor& from = model.tensors[i];
    TOGUZ_CHECK(weights[i].sizes() == torch::IntArrayRef(from.shape), "a tensor of another shape");
    torch::Tensor to = weights[i];
    to.copy_(torch::from_blob(const_cast<float*>(from.data.data()), from.shape, torch::kFloat32));
  }
}

std::vector<Tensor> weightsOf(const NetworkModule& module, const Rules& rules,
                              const Architecture& architecture) {
  std::vector<Tensor> table = tensorTable(rules, architecture);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const torch::Tensor data = module->weights()[i].detach().to(torch::kCPU).contiguous();
    table[i].data.assign(data.data_ptr<float>(), data.data_ptr<float>() + data.numel());
  }
  return table;
}

torch::Tensor featureIndices(const Rules& rules, FeatureSet set,
                             std::span<const Position> positions) {
  const int active = activeRows(rules.set(), set);
  torch::Tensor indices =
      torch::empty({static_cast<std::int64_t>(positions.size()), active}, torch::kInt64);
  std::int64_t* out = indices.data_ptr<std::int64_t>();
  withRules(rules, [&](const auto& r) {
    FeatureRow rows[kMaxActiveRows];
    for (const Position& position : positions) {
      encodeFeatures(r, set, position, rows);
      out = std::copy_n(rows, active, out);
    }
  });
  return indices;
}

}  // namespace toguz
