#include "base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace toguz {
namespace {

TEST(Rng, RepeatsForASeedAndDiffersBetweenStreams) {
  Rng a(7), b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
  std::set<std::uint64_t> first;
  for (std::uint64_t worker = 0; worker < 64; ++worker)
    for (std::uint64_t game = 0; game < 64; ++game) first.insert(Rng::stream(1, worker, game)());
  EXPECT_EQ(first.size(), 64u * 64u);
}

TEST(Rng, StateRoundTrips) {
  Rng a(3);
  for (int i = 0; i < 10; ++i) a();
  Rng b(99);
  b.setState(a.state());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a(), b());
}

TEST(Rng, BelowIsUniform) {
  Rng rng(1);
  std::vector<int> count(9);
  for (int i = 0; i < 90000; ++i) ++count[rng.below(9)];
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
}

// The exploration noise must be as strong as its parameter says: a fault seen in the field is an
// alpha divided twice.
TEST(Rng, DirichletHasItsMomentsAndMaximum) {
  constexpr int kDraws = 10000, kParts = 9;
  for (const double alpha : {0.3, 1.1, 3.0}) {
    Rng rng(5);
    double mean = 0, square = 0, largest = 0;
    for (int i = 0; i < kDraws; ++i) {
      std::array<double, kParts> part{};
      dirichlet(rng, alpha, part);
      mean += part[0] / kDraws;
      square += part[0] * part[0] / kDraws;
      largest = std::max(largest, *std::max_element(part.begin(), part.end()));
      double sum = 0;
      for (const double p : part) sum += p;
      ASSERT_NEAR(sum, 1.0, 1e-12);
    }
    const double m = 1.0 / kParts, variance = m * (1 - m) / (kParts * alpha + 1);
    EXPECT_NEAR(mean, m, 0.01) << alpha;
    EXPECT_NEAR(square - mean * mean, variance, 0.08 * variance) << alpha;
    EXPECT_GT(largest, alpha < 1 ? 0.95 : alpha < 2 ? 0.65 : 0.4) << alpha;
    EXPECT_LT(largest, alpha < 2 ? 1.0 : 0.65) << alpha;
  }
}

}  // namespace
}  // namespace toguz
