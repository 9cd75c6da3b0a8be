#include "play/level.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"

namespace toguz {
namespace {

using Table = std::array<Level, kLevels>;

// Set by scripts/rate_levels.sh with the shipped engines, so that neighbours lie 100 Elo apart or
// more; how far the bare policy reaches differs from game to game.
constexpr Table kStandardLevels{{{1, 3.0, 0.02},
                                 {1, 2.2, 0.04},
                                 {1, 1.55, 0.07},
                                 {1, 1.05, 0.11},
                                 {1, 0.55, 0.2},
                                 {1, 0, 0},
                                 {10, 0, 0},
                                 {40, 0, 0},
                                 {250, 0, 0},
                                 {0, 0, 0}}};
constexpr Table kGiveawayLevels{{{1, 3.0, 0.02},
                                 {1, 0, 0},
                                 {7, 0, 0},
                                 {20, 0, 0},
                                 {55, 0, 0},
                                 {160, 0, 0},
                                 {480, 0, 0},
                                 {1900, 0, 0},
                                 {7500, 0, 0},
                                 {0, 0, 0}}};
constexpr Table kBestemsheLevels{{{1, 3.0, 0.02},
                                  {1, 2.05, 0.05},
                                  {1, 1.35, 0.1},
                                  {1, 0.8, 0.2},
                                  {1, 0, 0},
                                  {7, 0, 0},
                                  {20, 0, 0},
                                  {62, 0, 0},
                                  {210, 0, 0},
                                  {0, 0, 0}}};
constexpr Table kSevenLevels{{{1, 3.0, 0.02},
                              {1, 1.6, 0.07},
                              {1, 0.85, 0.15},
                              {1, 0, 0},
                              {6, 0, 0},
                              {16, 0, 0},
                              {50, 0, 0},
                              {160, 0, 0},
                              {600, 0, 0},
                              {0, 0, 0}}};

const Table& tableOf(const Rules& rules) {
  switch (rules.kind()) {
    case Rules::Kind::Standard:
      return kStandardLevels;
    case Rules::Kind::Giveaway:
      return kGiveawayLevels;
    case Rules::Kind::Bestemshe:
      return kBestemsheLevels;
    case Rules::Kind::Seven:
      return kSevenLevels;
    case Rules::Kind::Dynamic:
      break;
  }
  return rules.set().giveaway ? kGiveawayLevels : kStandardLevels;
}

}  // namespace

const Level& levelOf(const Rules& rules, int number) {
  TOGUZ_CHECK(number >= 1 && number <= kLevels, "a level outside 1..10");
  return tableOf(rules)[static_cast<std::size_t>(number - 1)];
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
