#include <Eigen/Dense>

#include "bench/internal.h"
#include "models/features.h"
#include "models/native/int8_kernels.h"
#ifdef TOGUZ_TRAINING
#include "models/torch/torch_evaluator.h"
#endif

namespace toguz::bench {
namespace {

// Multiply-adds of one evaluation's layers, the input's sum of rows included as additions.
double flops(const Model& model) {
  const double w = model.architecture.width;
  const double layers = 2.0 * model.architecture.blocks * w * w;
  const double heads = w * HeadLayout{model.rules.set().pits}.size();
  return 2 * (layers + heads) + w * activeRows(model.rules.set(), model.architecture.features);
}

Contender evaluatorSide(const std::string& name, Evaluator& evaluator,
                        const std::vector<Position>& positions, std::size_t batch, double seconds) {
  return {name, [&evaluator, &positions, batch, seconds] {
            std::vector<Evaluation> out(batch);
            std::size_t at = 0;
            return repeatFor(seconds, [&] {
              evaluator.evaluate({positions.data() + at, batch}, out);
              at = (at + batch) % (positions.size() - batch);
              return static_cast<double>(batch);
            });
          }};
}

Contender sgemmSide(double seconds) {
  return {"sgemm", [seconds] {
            constexpr int n = 512;
            const Eigen::MatrixXf a = Eigen::MatrixXf::Random(n, n),
                                  b = Eigen::MatrixXf::Random(n, n);
            Eigen::MatrixXf c(n, n);
            return repeatFor(seconds, [&] {
              c.noalias() = a * b;
              asm volatile("" : : "r"(c.data()) : "memory");
              return 2.0 * n * n * n;
            });
          }};
}

}  // namespace

Findings inferenceBench(const Options& options) {
  Findings findings("inference");
  const Model model = benchModel(options);
  const auto network = std::make_shared<const NativeNetwork>(model);
  NativeEvaluator native(network);
  NativeEvaluator int8(std::make_shared<const NativeNetwork>(model, Precision::Int8));
  const std::vector<Position> positions = randomPositions(model.rules, 4096, 1);

  std::vector<Contender> sides = {sgemmSide(options.seconds)};
  const std::vector<std::size_t> batches = {1, 16, 64, 256};
  for (const std::size_t batch : batches)
    sides.push_back(evaluatorSide("native", native, positions, batch, options.seconds));
  for (const std::size_t batch : batches)
    sides.push_back(evaluatorSide("int8", int8, positions, batch, options.seconds));
#ifdef TOGUZ_TRAINING
  TorchEvaluator torch(model, options.device);
  for (const std::size_t batch : batches)
    sides.push_back(evaluatorSide("torch", torch, positions, batch, options.seconds));
#endif
  const Rates rates = interleave(sides, options.rounds);
  findings.add("int8_kernels", "int8 runs on", toguz::native::int8Kernels().front()->name);
  findings.add("sgemm_gflops", "sgemm 512x512x512 (Eigen), one thread", rates.median(0) / 1e9,
               "GFLOP/s");
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const std::string batch = std::to_string(batches[i]);
    findings.add("native_" + batch, "native fp32, batch " + batch, rates.median(1 + i), "evals/s");
    if (batches[i] == 64)
      findings.add("native_64_share_of_peak", "  share of the sgemm rate",
                   rates.medianRatio(1 + i, 0) * flops(model), "");
    const std::size_t int8Side = 1 + batches.size() + i;
    findings.add("int8_" + batch, "native int8, batch " + batch, rates.median(int8Side), "evals/s");
    if (batches[i] == 64)
      findings.add("int8_64_against_fp32", "  against fp32", rates.medianRatio(int8Side, 1 + i),
                   "x");
#ifdef TOGUZ_TRAINING
    const std::size_t torchSide = 1 + 2 * batches.size() + i;
    findings.add("torch_" + batch, "LibTorch, batch " + batch, rates.median(torchSide), "evals/s");
    findings.add("ratio_" + batch, "  native against LibTorch", rates.medianRatio(1 + i, torchSide),
                 "x");
#endif
  }
  return findings;
}

}  // namespace toguz::bench
