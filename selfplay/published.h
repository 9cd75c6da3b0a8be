// A network as a run hands it about: the averaged weights at one moment, ready for inference.
#pragma once

#include <memory>

#include "models/native/network.h"
#include "selfplay/worker.h"

namespace toguz {

// Immutable; shared by threads.
struct Published {
  std::uint32_t generation = 0;
  std::uint64_t step = 0;
  Sha256 hash{};  // of the model file
  Model model;
  std::shared_ptr<const NativeNetwork> network;  // fp32
};

// The model's provenance is given these numbers, and its hash is that of the file it would make.
std::shared_ptr<const Published> publish(Model model, std::uint32_t generation, std::uint64_t step);

// One that somebody else has published, as its file came, whose hash that is.
std::shared_ptr<const Published> received(Model model, const Sha256& hash, std::uint32_t generation,
                                          std::uint64_t step);

// The same for self-play workers that infer natively, each for itself, in the precision set.
class NativeHandle final : public NetworkHandle {
 public:
  NativeHandle(std::shared_ptr<const Published> published, Precision precision);
  std::uint32_t generation() const override { return published_->generation; }
  Sha256 modelHash() const override { return published_->hash; }
  std::uint64_t cacheKey() const override { return network_->cacheKey(); }
  std::unique_ptr<Evaluator> makeEvaluator() const override;

 private:
  std::shared_ptr<const Published> published_;
  std::shared_ptr<const NativeNetwork> network_;
};

}  // namespace toguz
