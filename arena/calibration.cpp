#include "arena/calibration.h"

#include <algorithm>
#include <cmath>

namespace toguz {

const char* Calibration::phaseName(int phase) {
  static constexpr const char* kNames[kPhases] = {"opening", "middle", "late"};
  return kNames[phase];
}

void Calibration::add(int ply, float winLoss, int result) {
  const double score = std::clamp(0.5 * (1.0 + static_cast<double>(winLoss)), 0.0, 1.0);
  const int at = std::min(kBins - 1, static_cast<int>(score * kBins));
  Bin& bin = bins_[static_cast<std::size_t>(phaseOf(ply))][static_cast<std::size_t>(at)];
  ++bin.count;
  bin.predicted += score;
  bin.actual += 0.5 * (1.0 + result);
}

std::uint64_t Calibration::count(int phase) const {
  std::uint64_t sum = 0;
  for (const Bin& bin : bins_[static_cast<std::size_t>(phase)]) sum += bin.count;
  return sum;
}

double Calibration::error(int phase) const {
  double sum = 0;
  for (const Bin& bin : bins_[static_cast<std::size_t>(phase)])
    sum += std::abs(bin.predicted - bin.actual);
  const std::uint64_t n = count(phase);
  return n ? sum / static_cast<double>(n) : 0.0;
}

nlohmann::ordered_json Calibration::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (int phase = 0; phase < kPhases; ++phase) {
    auto bins = nlohmann::ordered_json::array();
    for (const Bin& bin : bins_[static_cast<std::size_t>(phase)]) {
      const auto n = static_cast<double>(std::max<std::uint64_t>(1, bin.count));
      bins.push_back({bin.count, bin.predicted / n, bin.actual / n});
    }
    all[phaseName(phase)] = {{"error", error(phase)}, {"bins", std::move(bins)}};
  }
  return all;
}

}  // namespace toguz
