// A network as the run hands it about: the averaged weights at one moment, ready for inference.
#pragma once

#include <memory>

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

// The same for self-play workers, who may want another precision than the gate's fp32.
class PublishedHandle final : public NetworkHandle {
 public:
  PublishedHandle(std::shared_ptr<const Published> published, Precision precision);
  std::uint32_t generation() const override { return published_->generation; }
  std::unique_ptr<Evaluator> makeEvaluator() const override {
    return std::make_unique<NativeEvaluator>(network_);
  }

 private:
  std::shared_ptr<const Published> published_;
  std::shared_ptr<const NativeNetwork> network_;
};

}  // namespace toguz
