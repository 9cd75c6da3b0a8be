#include "selfplay/published.h"

namespace toguz {

std::shared_ptr<const Published> publish(Model model, std::uint32_t generation,
                                         std::uint64_t step) {
  model.provenance["generation"] = generation;
  model.provenance["step"] = step;
  const Sha256 hash = sha256(serializeModel(model));
  return received(std::move(model), hash, generation, step);
}

std::shared_ptr<const Published> received(Model model, const Sha256& hash, std::uint32_t generation,
                                          std::uint64_t step) {
  auto published = std::make_shared<Published>();
  published->generation = generation;
  published->step = step;
  published->hash = hash;
  published->network = std::make_shared<NativeNetwork>(model);
  published->model = std::move(model);
  return published;
}

NativeHandle::NativeHandle(std::shared_ptr<const Published> published, Precision precision)
    : published_(std::move(published)), network_(published_->network) {
  if (precision != Precision::Fp32)
    network_ = std::make_shared<NativeNetwork>(published_->model, precision);
}

std::unique_ptr<Evaluator> NativeHandle::makeEvaluator() const {
  return std::make_unique<NativeEvaluator>(network_);
}

}  // namespace toguz
