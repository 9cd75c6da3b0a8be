#include "training/device.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/machine.h"
#include "core/game.h"
#include "models/native/network.h"
#include "models/torch/runtime.h"

namespace toguz {
namespace {

// A tuned BLAS does 30 and more on any processor of the last ten years, a reference one about 2.
constexpr double kSlowGflops = 15.0;

double evaluationRate(const Model& model) {
  NativeEvaluator evaluator(std::make_shared<const NativeNetwork>(model));
  // One line of play, 64 positions of it or as many as there are, over and over.
  std::vector<Position> positions;
  for (Game game(model.rules); positions.size() < 64;) {
    if (game.over()) game = Game(model.rules);
    positions.push_back(game.position());
    game.play(31 - std::countl_zero(game.legal()));
  }
  std::vector<Evaluation> out(positions.size());
  const auto seconds = [&](int repeats) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) evaluator.evaluate(positions, out);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double first = seconds(1) + 1e-9;
  const int repeats = std::clamp(static_cast<int>(0.02 / first), 1, 1000);
  double best = first;
  for (int i = 0; i < 4; ++i) best = std::min(best, seconds(repeats) / repeats);
  return static_cast<double>(positions.size()) / best;
}

std::string thousands(double number) {
  const std::string digits = std::to_string(std::llround(number));
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string DeviceReport::text() const {
  return "device " + device + ", " + std::to_string(cores) + " cores, native inference " +
         thousands(evaluationsPerSecond) + " evaluations/s a core (batch 64), LibTorch sgemm " +
         thousands(sgemmGflops) + " GFLOP/s (BLAS: " + blas + ")";
}

DeviceReport measureDevice(const Model& model, const std::string& device) {
  limitTorchThreads();
  checkTorchDevice(torchDevice(device));
  DeviceReport report;
  report.device = device;
  report.cores = static_cast<int>(usableCores().size());
  report.blas = blasName();
  report.evaluationsPerSecond = evaluationRate(model);
  report.sgemmGflops = sgemmGflops();
  if (report.sgemmGflops < kSlowGflops || report.blas == "unknown")
    report.warnings.push_back("LibTorch's BLAS is slow or not an optimised one (" +
                              thousands(report.sgemmGflops) + " GFLOP/s, " + report.blas +
                              "): apt-get install libopenblas0-pthread");
  if (report.blas.find("Prescott") != std::string::npos) {
    const char* forced = std::getenv("OPENBLAS_CORETYPE");
    report.warnings.push_back(
        (forced ? "OPENBLAS_CORETYPE=" + std::string(forced) +
                      " in the environment makes OpenBLAS run its oldest kernels: unset it"
                : "OpenBLAS does not know this processor and runs its oldest kernels: start with "
                  "OPENBLAS_CORETYPE=Haswell in the environment (if it has AVX2)") +
        std::string("; training on device cpu and native inference do not use it"));
  }
  return report;
}

}  // namespace toguz
