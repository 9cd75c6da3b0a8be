// Inference without LibTorch. NativeNetwork holds packed weights, immutable, to be shared by
// threads; NativeEvaluator adds one thread's scratch. In int8 (models/native/int8_trunk.h) it
// answers about the same, faster; which kernels it runs on never changes what it answers, and an
// int8 model file gets the same answers to the bit from every build on every machine, WebAssembly
// included. (What fp32 answers hangs on the compiler's fused multiply-adds; an int8 network made
// from an fp32 file at load hangs on them by a rounding here and there.)
#pragma once

#include <memory>

#include "models/int8_model.h"
#include "search/evaluator.h"
#include "search/precision.h"

namespace toguz {

class NativeNetwork {
 public:
  // Int8 takes some 10 ms more: it plays games to see how large the activations get.
  explicit NativeNetwork(const Model& model, Precision precision = Precision::Fp32);
  explicit NativeNetwork(const Int8Model& model);
  // From a model file of either form. Auto takes an int8 file as it is, on any processor. Throws
  // UsageError naming the file: as loadModel does, and if an int8 file is asked for fp32.
  static std::shared_ptr<const NativeNetwork> load(const std::filesystem::path& path,
                                                   Precision precision);
  ~NativeNetwork();
  const Rules& rules() const;
  const Architecture& architecture() const;
  const std::string& id() const;  // modelId of the model it was made from
  // Names weights and arithmetic for an EvaluationCache; never 0.
  std::uint64_t cacheKey() const;
  Precision precision() const;  // Fp32 or Int8: what Auto came to

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
