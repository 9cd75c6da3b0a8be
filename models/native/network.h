// Inference without LibTorch. NativeNetwork holds packed weights, immutable, to be shared by
// threads; NativeEvaluator adds one thread's scratch.
#pragma once

#include <memory>

#include "models/model.h"
#include "search/evaluator.h"

namespace toguz {

class NativeNetwork {
 public:
  explicit NativeNetwork(const Model& model);
  ~NativeNetwork();
  const Rules& rules() const;
  const Architecture& architecture() const;
  const std::string& id() const;  // modelId of the model it was made from

  struct Weights;
  const Weights& weights() const { return *weights_; }

 private:
  std::unique_ptr<const Weights> weights_;
};

class NativeEvaluator final : public Evaluator {
 public:
  explicit NativeEvaluator(std::shared_ptr<const NativeNetwork> network);
  ~NativeEvaluator() override;
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override;
  // The head layer's raw outputs, [positions][HeadLayout::size()]: for parity tests and export.
  void evaluateRaw(std::span<const Position> positions, std::span<float> out);
  const NativeNetwork& network() const { return *network_; }

 private:
  struct Scratch;
  std::shared_ptr<const NativeNetwork> network_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace toguz
