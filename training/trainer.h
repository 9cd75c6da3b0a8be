// The learner: AdamW on batches of training rows, with an exponential average of the weights.
//
// It owns its own copy of the network: models that it hands out are snapshots, safe to give to
// inference threads. One thread at a time. Repeats to the bit on one CPU thread: N steps give the
// same weights as N/2, saveState, loadState in a fresh Trainer, N/2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "models/model.h"
#include "training/losses.h"
#include "training/row.h"

namespace toguz {

struct TrainerParams {
  double learningRate = 1e-3;
  double weightDecay = 1e-4;  // decoupled (AdamW); weights only, no biases
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double gradientClip = 1.0;       // largest norm of the whole gradient; 0 = no limit
  std::int64_t warmupSteps = 500;  // the rate rises linearly over these
  int batch = 512;  // rows a step that callers are expected to give; room is made for them
  LossWeights loss;
  double emaDecay = 0.999;
  // "cpu": the project's own kernels. "torch:cpu", "cuda", "cuda:N": LibTorch there.
  std::string device = "cpu";
};

// Means over the rows' weights, each before its loss weight; total has the loss weights in it.
struct StepLosses {
  double total = 0;
  double policy = 0;  // cross-entropy, nats
  double result = 0;
  double margin = 0;         // smooth L1, in units of kMarginUnit
  double reply = 0;          // mean over the rows that have a reply
  double shortValue = 0;     // squared error
  double policyEntropy = 0;  // of the network's policy, nats
  double gradientNorm = 0;   // before clipping; 0 in a measurement
  double weight = 0;         // sum of the rows' weights
};

class Trainer {
 public:
  // Throws Error if params.device is not there.
  Trainer(const Model& model, const TrainerParams& params);
  ~Trainer();

  // One step on 1 or more rows at params.learningRate * factor * warm-up. Throws Error, with all
  // weights and moments as they were, if a loss or the gradient is not finite; the line names the
  // step and the loss. A batch whose rows all have weight 0 changes nothing and counts as no step.
  StepLosses step(std::span<const TrainingRow> batch, double learningRateFactor = 1.0);
  // The same losses without training (of the raw weights, or of the averaged ones).
  StepLosses measure(std::span<const TrainingRow> rows, bool averaged = false);

  std::int64_t steps() const;  // made in all, those before a loadState included
  Model currentModel() const;
  // The exponential average; early on it averages over about a tenth of the steps made so far.
  Model averagedModel() const;

  // Weights, average, moments, step count. Throws Error naming the file and what is wrong with it;
  // a state of another variant or architecture is refused and the trainer is left as it was.
  void saveState(const std::filesystem::path& path) const;
  void loadState(const std::filesystem::path& path);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toguz
