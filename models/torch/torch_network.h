// The network in LibTorch, behind a door: no torch headers here.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/position.h"
#include "models/model.h"

namespace toguz {

// Owns its own copy of the weights, on one device. One thread at a time.
class TorchNetwork {
 public:
  // `device`: "cpu", "cuda", "cuda:N". Throws Error if it is not there.
  TorchNetwork(const Model& model, const std::string& device);
  ~TorchNetwork();

  const Rules& rules() const;
  const std::string& device() const;
  // The weights as a model, exactly; with the provenance of the one it was made from.
  Model model() const;
  // The head layer's raw outputs, [positions][HeadLayout::size()].
  void evaluateRaw(std::span<const Position> positions, std::span<float> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toguz
