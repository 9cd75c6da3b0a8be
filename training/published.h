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
  std::shared_ptr<const NativeNetwork> network;
};

std::shared_ptr<const Published> publish(Model model, std::uint32_t generation, std::uint64_t step);

// The same for self-play workers.
class PublishedHandle final : public NetworkHandle {
 public:
  explicit PublishedHandle(std::shared_ptr<const Published> published)
      : published_(std::move(published)) {}
  std::uint32_t generation() const override { return published_->generation; }
  std::unique_ptr<Evaluator> makeEvaluator() const override {
    return std::make_unique<NativeEvaluator>(published_->network);
  }

 private:
  std::shared_ptr<const Published> published_;
};

}  // namespace toguz
