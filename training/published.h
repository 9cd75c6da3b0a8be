// A network as the run hands it about: the averaged weights at one moment, ready for inference.
#pragma once

#include <memory>

#include "models/gathering_evaluator.h"
#include "models/native/network.h"
#include "selfplay/worker.h"

namespace toguz {

// Immutable; shared by threads.
struct Published {
  std::uint32_t generation = 0;
  std::uint64_t step = 0;
  Model model;
  std::shared_ptr<const NativeNetwork> network;  // fp32
};

std::shared_ptr<const Published> publish(Model model, std::uint32_t generation, std::uint64_t step);

// The same for self-play workers, in the precision and on the device that they are set to.
class PublishedHandle final : public NetworkHandle {
 public:
  // Throws Error if the device is not there.
  PublishedHandle(std::shared_ptr<const Published> published, const SelfPlayConfig& config);
  std::uint32_t generation() const override { return published_->generation; }
  std::uint64_t cacheKey() const override { return network_->cacheKey(); }
  std::unique_ptr<Evaluator> makeEvaluator() const override;

 private:
  std::shared_ptr<const Published> published_;
  std::shared_ptr<const NativeNetwork> network_;
  std::shared_ptr<GatheringEvaluator> gathering_;  // on another device than the CPU
};

}  // namespace toguz
