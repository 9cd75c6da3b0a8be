#include "training/network_handle.h"

#include "models/gathering_evaluator.h"
#include "models/torch/runtime.h"
#include "models/torch/torch_evaluator.h"

namespace toguz {
namespace {

class TorchHandle final : public NetworkHandle {
 public:
  TorchHandle(std::shared_ptr<const Published> published, const std::string& device)
      : published_(std::move(published)),
        gathering_(GatheringEvaluator::start([this, device = torchDevice(device)] {
          return std::make_unique<TorchEvaluator>(published_->model, device);
        })) {}
  std::uint32_t generation() const override { return published_->generation; }
  Sha256 modelHash() const override { return published_->hash; }
  std::uint64_t cacheKey() const override { return published_->network->cacheKey(); }
  std::unique_ptr<Evaluator> makeEvaluator() const override { return gathering_->makeClient(); }

 private:
  std::shared_ptr<const Published> published_;
  std::shared_ptr<GatheringEvaluator> gathering_;
};

}  // namespace

std::shared_ptr<const NetworkHandle> makeHandle(std::shared_ptr<const Published> published,
                                                const SelfPlayConfig& config) {
  if (config.device == "cpu")
    return std::make_shared<NativeHandle>(std::move(published), config.precision);
  return std::make_shared<TorchHandle>(std::move(published), config.device);
}

}  // namespace toguz
