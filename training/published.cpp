#include "training/published.h"

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

PublishedHandle::PublishedHandle(std::shared_ptr<const Published> published, Precision precision)
    : published_(std::move(published)),
      network_(precision == Precision::Fp32
                   ? published_->network
                   : std::make_shared<NativeNetwork>(published_->model, precision)) {}

}  // namespace toguz
