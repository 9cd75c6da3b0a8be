#include "play/level.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace toguz {
namespace {

constexpr std::array<Level, kLevels> kTable{{
    {1, 3.0, 0.02},
    {1, 2.0, 0.05},
    {1, 1.4, 0.08},
    {1, 1.0, 0.12},
    {1, 0.6, 0.2},
    {1, 0, 0},
    {16, 0, 0},
    {64, 0, 0},
    {400, 0, 0},
    {0, 0, 0},
}};

}  // namespace

const Level& levelOf(int number) {
  TOGUZ_CHECK(number >= 1 && number <= kLevels, "a level outside 1..10");
  return kTable[static_cast<std::size_t>(number - 1)];
}

int chooseByLevel(const Level& level, std::span<const RootMove> moves, int best, Rng& rng) {
  const auto weight = [&](const RootMove& move) {
    return level.nodes == 1 ? static_cast<double>(move.prior) : static_cast<double>(move.visits);
  };
  double most = 0;
  for (const RootMove& move : moves) most = std::max(most, weight(move));
  if (level.temperature <= 0 || most <= 0) return best;
  std::array<double, kMaxPits> shares{};
  double total = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const double share = weight(moves[i]) / most;
    if (share < level.leastShare) continue;
    shares[i] = std::pow(share, 1.0 / level.temperature);
    total += shares[i];
  }
  double left = rng.uniform() * total;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (left -= shares[i]; left < 0) return moves[i].pit;
  return best;
}

}  // namespace toguz
