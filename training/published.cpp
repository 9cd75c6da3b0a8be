#include "training/published.h"

#include "models/torch/runtime.h"
#include "models/torch/torch_evaluator.h"

namespace toguz {

std::shared_ptr<const Published> publish(Model model, std::uint32_t generation,
                                         std::uint64_t step) {
  auto published = std::make_shared<Published>();
  published->generation = generation;
  published->step = step;
  model.provenance["generation"] = generation;
  model.provenance["step"] = step;
  published->network = std::make_shared<NativeNetwork>(model);
  published->model = std::move(model);
  return published;
}

PublishedHandle::PublishedHandle(std::shared_ptr<const Published> published,
                                 const SelfPlayConfig& config)
    : published_(std::move(published)), network_(published_->network) {
  if (config.device != "cpu") {
    gathering_ = GatheringEvaluator::start([this, device = torchDevice(config.device)] {
      return std::make_unique<TorchEvaluator>(published_->model, device);
    });
  } else if (config.precision != Precision::Fp32) {
    network_ = std::make_shared<NativeNetwork>(published_->model, config.precision);
  }
}

std::unique_ptr<Evaluator> PublishedHandle::makeEvaluator() const {
  if (gathering_) return gathering_->makeClient();
  return std::make_unique<NativeEvaluator>(network_);
}

}  // namespace toguz
