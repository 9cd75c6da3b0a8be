#include "models/torch/torch_network.h"

#include <cstring>

#include "base/error.h"
#include "models/torch/module.h"
#include "models/torch/runtime.h"

namespace toguz {

struct TorchNetwork::Impl {
  Rules rules;
  Architecture architecture;
  nlohmann::json provenance;
  std::string device;
  NetworkModule module;
};

TorchNetwork::TorchNetwork(const Model& model, const std::string& device) {
  limitTorchThreads();
  checkTorchDevice(device);
  impl_ = std::make_unique<Impl>(Impl{model.rules, model.architecture, model.provenance, device,
                                      NetworkModule(model.rules, model.architecture)});
  loadWeights(impl_->module, model);
  impl_->module->to(torch::Device(device));
  impl_->module->eval();
}

TorchNetwork::~TorchNetwork() = default;
const Rules& TorchNetwork::rules() const {
  return impl_->rules;
}
const std::string& TorchNetwork::device() const {
  return impl_->device;
}

Model TorchNetwork::model() const {
  return {impl_->rules, impl_->architecture, impl_->provenance,
          weightsOf(impl_->module, impl_->rules, impl_->architecture)};
}

void TorchNetwork::evaluateRaw(std::span<const Position> positions, std::span<float> out) {
  const auto size = static_cast<std::size_t>(HeadLayout{impl_->rules.set().pits}.size());
  TOGUZ_CHECK(out.size() == positions.size() * size, "one row of head outputs a position");
  if (positions.empty()) return;
  const torch::NoGradGuard guard;
  const torch::Tensor indices =
      featureIndices(impl_->rules, impl_->architecture.features, positions);
  const torch::Tensor raw =
      impl_->module->forward(indices.to(torch::Device(impl_->device))).to(torch::kCPU).contiguous();
  std::memcpy(out.data(), raw.data_ptr<float>(), out.size_bytes());
}

}  // namespace toguz
