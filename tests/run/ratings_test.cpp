#include "arena/ratings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace toguz {
namespace {

TEST(Ratings, TwoPlayersAreTheLogisticFormula) {
  // 75% is 400 log10(3) = 190.8 Elo.
  const auto ratings = fitRatings(2, {{1, 0, 1000, 750}}, 0, 0.0);
  EXPECT_DOUBLE_EQ(ratings[0].elo, 0);
  EXPECT_NEAR(ratings[1].elo, 190.85, 0.01);
  // Error of a share p of n games: 1.96 * 173.72 / sqrt(n p (1 - p)).
  EXPECT_NEAR(ratings[1].error, 1.96 * 173.7178 / std::sqrt(1000 * 0.75 * 0.25), 0.01);
}

TEST(Ratings, DegenerateResultsStayFinite) {
  const auto swept = fitRatings(2, {{1, 0, 20, 20}}, 0);
  EXPECT_TRUE(std::isfinite(swept[1].elo));
  EXPECT_GT(swept[1].elo, 400);
  const auto drawn = fitRatings(2, {{1, 0, 2, 1}}, 0);
  EXPECT_NEAR(drawn[1].elo, 0, 1e-6);
  const auto alone = fitRatings(1, {}, 0);
  EXPECT_EQ(alone[0].elo, 0);
  const auto apart = fitRatings(3, {{1, 0, 10, 5}}, 0);
  EXPECT_TRUE(std::isinf(apart[2].error));
}

TEST(Ratings, RecoverPlantedStrengthsOverAChain) {
  const std::vector<double> planted = {0, 150, 420, 700, 810};
  Rng rng(4);
  std::vector<PairResult> results;
  for (std::size_t i = 0; i < planted.size(); ++i)
    for (std::size_t j = i + 1; j < planted.size(); ++j) {
      PairResult r{j, i, 0, 0};
      const double p = 1 / (1 + std::pow(10, (planted[i] - planted[j]) / 400));
      for (; r.games < 3000; ++r.games) r.score += rng.chance(p) ? 1 : 0;
      results.push_back(r);
    }
  const auto ratings = fitRatings(planted.size(), results, 0);
  for (std::size_t i = 1; i < planted.size(); ++i)
    EXPECT_NEAR(ratings[i].elo, planted[i], 2 * ratings[i].error) << i;
}

}  // namespace
}  // namespace toguz
