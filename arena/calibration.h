// Whether win rates mean what they say: predicted scores against results, by phase of the game.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace toguz {

class Calibration {
 public:
  static constexpr int kPhases = 3;  // plies 0..29, 30..69, 70 and later
  static constexpr int kBins = 10;   // of the predicted score, equal widths
  struct Bin {
    std::uint64_t count = 0;
    double predicted = 0;  // sums of scores in [0, 1], a draw counting half
    double actual = 0;
  };
  static int phaseOf(int ply) { return ply < 30 ? 0 : ply < 70 ? 1 : 2; }
  static const char* phaseName(int phase);

  // `winLoss` in [-1, 1] was said by the side to move at `ply`; `result` is +1, 0 or -1 for it.
  void add(int ply, float winLoss, int result);
  const Bin& bin(int phase, int bin) const {
    return bins_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(bin)];
  }
  std::uint64_t count(int phase) const;
  // Expected calibration error: mean over the phase's positions of |predicted - actual| of their
  // bin. 0 without positions.
  double error(int phase) const;

  // {"opening": {"error": e, "bins": [[count, mean predicted, mean actual], ...]}, ...}
  nlohmann::ordered_json json() const;

 private:
  std::array<std::array<Bin, kBins>, kPhases> bins_{};
};

}  // namespace toguz
