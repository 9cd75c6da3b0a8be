// Evaluation by LibTorch on a named device. On a CPU native/network.h is faster; this one is for
// other devices and to hold the native one against.
#pragma once

#include <vector>

#include "models/torch/torch_network.h"
#include "search/evaluator.h"

namespace toguz {

class TorchEvaluator final : public Evaluator {
 public:
  // `device`: "cpu", "cuda", "cuda:N". Throws Error if it is not there.
  TorchEvaluator(const Model& model, const std::string& device) : network_(model, device) {}

  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override;
  // The head layer's raw outputs, [positions][HeadLayout::size()].
  void evaluateRaw(std::span<const Position> positions, std::span<float> out) {
    network_.evaluateRaw(positions, out);
  }
  const TorchNetwork& network() const { return network_; }

 private:
  TorchNetwork network_;
  std::vector<float> raw_;
};

}  // namespace toguz
