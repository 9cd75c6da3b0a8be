#include "arena/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace toguz {
namespace {

TEST(EloTest, KnownValues) {
  EXPECT_DOUBLE_EQ(eloOfScore(0.5), 0);
  EXPECT_NEAR(eloOfScore(0.75), 190.85, 0.005);
  EXPECT_NEAR(eloOfScore(10.0 / 11.0), 400, 1e-9);
  EXPECT_NEAR(eloOfScore(0.25), -190.85, 0.005);
  for (double elo = -800; elo <= 800; elo += 50)
    EXPECT_NEAR(eloOfScore(scoreOfElo(elo)), elo, 1e-6);
  EXPECT_TRUE(std::isfinite(eloOfScore(0)));
  EXPECT_TRUE(std::isfinite(eloOfScore(1)));
}

TEST(TallyTest, ADrawIsHalfAWin) {
  EXPECT_DOUBLE_EQ((Tally{10, 5, 85}).score(), 0.125);
  EXPECT_DOUBLE_EQ((Tally{5, 90, 5}).score(), 0.5);
  EXPECT_DOUBLE_EQ((Tally{10, 85, 5}).score(), 0.525);
  EXPECT_DOUBLE_EQ(Tally{}.score(), 0.5);
}

// Printed by fastchess for these counts (public match reports).
TEST(StrengthTest, AgreesWithFastchess) {
  struct Printed {
    PairCounts pairs;
    Tally tally;
    double score, elo, error, los;
  };
  const Printed printed[] = {
      {{1, 10, 78, 48, 13}, {78, 206, 16}, 0.6033, 72.85, 22.33, 1.0},
      {{0, 0, 1, 8, 1}, {10, 10, 0}, 0.75, 190.85, 65.54, 1.0},
      {{0, 1, 0, 1, 0}, {1, 2, 1}, 0.5, 0.0, 296.58, 0.5},
  };
  for (const Printed& p : printed) {
    const StrengthEstimate s = estimateStrength(p.tally, p.pairs);
    EXPECT_NEAR(s.score, p.score, 5e-5);
    EXPECT_NEAR(s.elo, p.elo, 0.005);
    EXPECT_NEAR(s.eloError, p.error, 0.005);
    EXPECT_NEAR(s.los, p.los, 5e-5);
  }
}

// By hand: mean 31.75/60, variance (2 m^2 + 10 (m-1/4)^2 + 30 (m-1/2)^2 + 15 (m-3/4)^2 + 3
// (m-1)^2)/60.
TEST(StrengthTest, ByHand) {
  const PairCounts pairs = {2, 10, 30, 15, 3};
  const StrengthEstimate s = estimateStrength({40, 47, 33}, pairs);
  EXPECT_NEAR(s.score, 0.5291667, 1e-7);
  EXPECT_NEAR(s.elo, 20.290, 1e-3);
  EXPECT_NEAR(s.eloError, 38.001, 1e-3);
  EXPECT_NEAR(s.los, 0.85385, 1e-5);
}

TEST(StrengthTest, WithoutPairsTheSingleGamesCount) {
  // 100 games, 60-0-40: deviation sqrt(0.24 / 100).
  const StrengthEstimate s = estimateStrength({60, 0, 40}, {});
  EXPECT_NEAR(s.elo, eloOfScore(0.6), 1e-9);
  EXPECT_NEAR(s.los, 0.5 * std::erfc(-0.1 / std::sqrt(0.0024) / std::sqrt(2.0)), 1e-9);
}

TEST(StrengthTest, SwappingThePlayersTurnsEveryFigureRound) {
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    PairCounts pairs, swapped;
    Tally tally;
    for (std::size_t k = 0; k < 5; ++k) {
      pairs[k] = rng.below(3) ? rng.below(50) : 0;
      swapped[4 - k] = pairs[k];
    }
    tally.wins = 2 * pairs[4] + pairs[3] + pairs[2];
    tally.losses = 2 * pairs[0] + pairs[1] + pairs[2];
    tally.draws = pairs[1] + pairs[3];
    const StrengthEstimate a = estimateStrength(tally, pairs);
    const StrengthEstimate b = estimateStrength({tally.losses, tally.draws, tally.wins}, swapped);
    EXPECT_NEAR(a.elo, -b.elo, 1e-6);
    EXPECT_NEAR(a.eloError, b.eloError, 1e-6);
    EXPECT_NEAR(a.los, 1 - b.los, 1e-9);
    const SprtSettings settings{-5, 5};
    EXPECT_NEAR(sprtLlr(settings, pairs), -sprtLlr(settings, swapped), 1e-9);
  }
}

TEST(StrengthTest, DegenerateInputStaysFinite) {
  const std::pair<Tally, PairCounts> cases[] = {
      {{}, {}},                          // nothing
      {{2, 0, 0}, {0, 0, 0, 0, 1}},      // one pair
      {{0, 0, 2}, {1, 0, 0, 0, 0}},      //
      {{1, 0, 1}, {0, 0, 1, 0, 0}},      //
      {{200, 0, 0}, {0, 0, 0, 0, 100}},  // all wins
      {{0, 200, 0}, {0, 0, 100, 0, 0}},  // all draws
      {{1, 0, 0}, {}},                   // one game
  };
  for (const auto& [tally, pairs] : cases) {
    const StrengthEstimate s = estimateStrength(tally, pairs);
    EXPECT_TRUE(std::isfinite(s.elo) && std::isfinite(s.eloError) && std::isfinite(s.los));
    EXPECT_GE(s.eloError, 0);
    EXPECT_GE(s.los, 0);
    EXPECT_LE(s.los, 1);
    EXPECT_TRUE(std::isfinite(sprtLlr({0, 10}, pairs)));
    EXPECT_TRUE(std::isfinite(sprtLlr({0, 10}, tally)));
  }
  EXPECT_DOUBLE_EQ(sprtLlr({0, 10}, PairCounts{}), 0);
  EXPECT_GT(estimateStrength({200, 0, 0}, {0, 0, 0, 0, 100}).elo, 800);
  // Pairs that were all split by their openings say little while there are few of them: 8 pairs
  // with half a pair at either end, error 1.96 sqrt(0.25 / 8 / 8) of the points.
  EXPECT_NEAR(estimateStrength({7, 0, 7}, {0, 0, 7, 0, 0}).eloError, 86.9, 0.1);
  EXPECT_LT(estimateStrength({0, 2000, 0}, {0, 0, 1000, 0, 0}).eloError, 1);
  EXPECT_NEAR(estimateStrength({0, 200, 0}, {0, 0, 100, 0, 0}).elo, 0, 1e-9);
  EXPECT_EQ(sprtVerdict({0, 10}, sprtLlr({0, 10}, PairCounts{0, 0, 0, 0, 1000})), SprtVerdict::H1);
}

// Published by Fishtest (Stockfish pull requests 3209 and 3098), bounds in logistic Elo.
TEST(SprtTest, AgreesWithFishtest) {
  const auto llr = [](double elo0, double elo1, PairCounts pairs) {
    return sprtLlr(SprtSettings{elo0, elo1}, pairs);
  };
  EXPECT_NEAR(llr(-0.25, 1.25, {253, 4282, 17604, 4431, 286}), 2.94, 0.005);
  EXPECT_NEAR(llr(0.25, 1.25, {58, 3302, 33130, 3518, 84}), 2.97, 0.005);
  EXPECT_NEAR(llr(-0.25, 1.25, {491, 7345, 29693, 7670, 465}), 2.96, 0.005);
}

// The normal approximation, which holds for many games between near equals.
TEST(SprtTest, NearTheNormalApproximationForManyPairs) {
  const PairCounts pairs = {590, 7540, 24670, 8650, 750};
  double n = 0, mean = 0, variance = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    n += static_cast<double>(pairs[i]);
    mean += static_cast<double>(pairs[i]) * static_cast<double>(i) / 4;
  }
  mean /= n;
  for (std::size_t i = 0; i < 5; ++i)
    variance += static_cast<double>(pairs[i]) * std::pow(static_cast<double>(i) / 4 - mean, 2) / n;
  for (const auto& [elo0, elo1] : {std::pair{0.0, 2.0}, {-1.0, 3.0}, {5.0, 10.0}}) {
    const double s0 = scoreOfElo(elo0), s1 = scoreOfElo(elo1);
    const double normal = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
    EXPECT_NEAR(sprtLlr(SprtSettings{elo0, elo1}, pairs), normal, 0.02 * std::abs(normal));
  }
}

// One pair, whatever its result, decides nothing.
TEST(SprtTest, TheFirstPairsDecideNothing) {
  for (std::size_t cell = 0; cell < 5; ++cell)
    for (std::int64_t n = 1; n <= 10; ++n) {
      PairCounts pairs{};
      pairs[cell] = n;
      for (const auto& [elo0, elo1] : {std::pair{0.0, 10.0}, {0.0, 60.0}, {-10.0, 0.0}})
        EXPECT_EQ(sprtVerdict({elo0, elo1}, sprtLlr({elo0, elo1}, pairs)), SprtVerdict::None)
            << cell << " " << n << " " << elo1;
    }
}

TEST(SprtTest, BoundsAndVerdicts) {
  const SprtSettings settings{0, 10};
  EXPECT_NEAR(settings.upperBound(), 2.9444, 1e-4);
  EXPECT_NEAR(settings.lowerBound(), -2.9444, 1e-4);
  EXPECT_EQ(sprtVerdict(settings, 2.94), SprtVerdict::None);
  EXPECT_EQ(sprtVerdict(settings, 2.95), SprtVerdict::H1);
  EXPECT_EQ(sprtVerdict(settings, -2.95), SprtVerdict::H0);
  EXPECT_STREQ(text(SprtVerdict::H0), "H0");
  EXPECT_STREQ(text(SprtVerdict::H1), "H1");
  EXPECT_STREQ(text(SprtVerdict::None), "none");
}

// A drawish gain: 10-85-5 is an advance, 5-85-10 is not, however many draws.
TEST(SprtTest, DrawsCountAsHalf) {
  const SprtSettings settings{0, 10};
  EXPECT_GT(sprtLlr(settings, Tally{1000, 8500, 500}), settings.upperBound());
  EXPECT_LT(sprtLlr(settings, Tally{500, 8500, 1000}), settings.lowerBound());
  EXPECT_LT(sprtLlr(settings, Tally{100, 50, 850}), settings.lowerBound());
}

struct ErrorRates {
  double h1 = 0;
  double meanPairs = 0;
};

// Plays SPRTs of a player whose games are won, drawn and lost with fixed chances such that its Elo
// is `elo`; the games of a pair are independent.
ErrorRates simulate(double elo, const SprtSettings& settings, int tests, std::uint64_t seed) {
  ErrorRates rates;
  for (int t = 0; t < tests; ++t) {
    Rng rng = Rng::stream(seed, static_cast<std::uint64_t>(t));
    const double draw = 0.2, win = scoreOfElo(elo) - draw / 2;
    const auto points = [&] {  // doubled
      const double u = rng.uniform();
      return u < win ? 2 : u < win + draw ? 1 : 0;
    };
    PairCounts pairs{};
    SprtVerdict verdict = SprtVerdict::None;
    int n = 0;
    while (verdict == SprtVerdict::None && n < 200000) {
      const int first = points();
      ++pairs[static_cast<std::size_t>(first + points())];
      ++n;
      verdict = sprtVerdict(settings, sprtLlr(settings, pairs));
    }
    rates.h1 += verdict == SprtVerdict::H1;
    rates.meanPairs += n;
  }
  rates.h1 /= tests;
  rates.meanPairs /= tests;
  return rates;
}

TEST(SprtSimulationTest, ErrorRatesAreKeptInShort) {
  const SprtSettings settings{0, 60};
  // 200 tests at 5%: 10 expected, more than 21 less likely than one in 1,000.
  EXPECT_LT(simulate(0, settings, 200, 1).h1, 0.11);
  EXPECT_GT(simulate(60, settings, 200, 2).h1, 0.89);
  const double between = simulate(30, settings, 200, 3).h1;
  EXPECT_GT(between, 0.3);
  EXPECT_LT(between, 0.7);
}

TEST(SprtSimulationTest, FullErrorRatesOfAThousandMatches) {
  const SprtSettings settings{0, 20};
  const ErrorRates h0 = simulate(0, settings, 1000, 4), h1 = simulate(20, settings, 1000, 5);
  // Deviation of a rate of 5% over 1,000: 0.7%.
  EXPECT_LT(h0.h1, 0.075);
  EXPECT_GT(h1.h1, 0.925);
  EXPECT_LT(simulate(-20, settings, 1000, 6).h1, 0.005);
  EXPECT_GT(simulate(40, settings, 1000, 7).h1, 0.995);
  // A test of a fixed number of games with the same error rates takes about twice as many.
  EXPECT_LT(h0.meanPairs, 1600);
}

TEST(NormalisedElo, ByHand) {
  // Mean 0.55 of a pair's share of the points, variance of a pair 0.0225 + ...: by its definition.
  const PairCounts pairs = {10, 20, 30, 25, 15};
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < 5; ++i)
    mean += static_cast<double>(pairs[i]) / 100 * static_cast<double>(i) / 4;
  for (std::size_t i = 0; i < 5; ++i)
    variance +=
        static_cast<double>(pairs[i]) / 100 * std::pow(static_cast<double>(i) / 4 - mean, 2);
  EXPECT_NEAR(normalisedElo(pairs), (mean - 0.5) / std::sqrt(2 * variance) * 800 / std::log(10.0),
              1e-9);
  EXPECT_EQ(normalisedElo({}), 0);
  EXPECT_NEAR(normalisedElo({15, 25, 30, 20, 10}), -normalisedElo(pairs), 1e-9);
  EXPECT_TRUE(std::isfinite(normalisedElo({0, 0, 0, 0, 50})));
  EXPECT_TRUE(std::isfinite(normalisedElo({0, 0, 50, 0, 0})));
}

// For many pairs near the null the ratio is that of a t-test: n (t1 - t0) (2 t - t0 - t1) / 2, t in
// deviations of a pair.
TEST(NormalisedElo, TheSprtIsNearTheNormalApproximation) {
  const PairCounts pairs = {590, 7540, 24670, 8650, 750};
  double n = 0;
  for (const std::int64_t count : pairs) n += static_cast<double>(count);
  const double unit = std::log(10.0) / 800 * std::sqrt(2.0);
  const double t = normalisedElo(pairs) * unit;
  for (const auto& [elo0, elo1] : {std::pair{0.0, 5.0}, {-2.0, 6.0}, {10.0, 20.0}}) {
    const double t0 = elo0 * unit, t1 = elo1 * unit;
    const double normal = n * (t1 - t0) * (2 * t - t0 - t1) / 2;
    SprtSettings settings{elo0, elo1};
    settings.scale = EloScale::Normalised;
    EXPECT_NEAR(sprtLlr(settings, pairs), normal, 0.02 * std::abs(normal) + 0.02);
  }
}

TEST(NormalisedElo, TheSprtKeepsItsErrorRates) {
  // The simulated games' normalised Elo, from their chances.
  const double elo = 60, draw = 0.2, win = scoreOfElo(elo) - draw / 2, loss = 1 - win - draw;
  const double mean = win + draw / 2;
  const double variance =
      win * std::pow(1 - mean, 2) + draw * std::pow(0.5 - mean, 2) + loss * mean * mean;
  SprtSettings settings{0, (mean - 0.5) / std::sqrt(variance) * 800 / std::log(10.0)};
  settings.scale = EloScale::Normalised;
  EXPECT_LT(simulate(0, settings, 200, 11).h1, 0.11);
  EXPECT_GT(simulate(elo, settings, 200, 12).h1, 0.89);
  // Degenerate input decides nothing rash and stays finite.
  EXPECT_TRUE(std::isfinite(sprtLlr(settings, PairCounts{0, 0, 0, 0, 3})));
  EXPECT_EQ(sprtVerdict(settings, sprtLlr(settings, PairCounts{0, 0, 1, 0, 0})), SprtVerdict::None);
}

// The 95% interval holds the true Elo 95 times in 100.
TEST(StrengthTest, TheIntervalCovers) {
  int covered = 0;
  const int kTrials = 2000;
  for (int t = 0; t < kTrials; ++t) {
    Rng rng = Rng::stream(9, static_cast<std::uint64_t>(t));
    const double elo = 50, draw = 0.1, win = scoreOfElo(elo) - draw / 2;
    PairCounts pairs{};
    Tally tally;
    for (int n = 0; n < 200; ++n) {
      int sum = 0;
      for (int game = 0; game < 2; ++game) {
        const double u = rng.uniform();
        const int points = u < win ? 2 : u < win + draw ? 1 : 0;
        ++(points == 2 ? tally.wins : points == 1 ? tally.draws : tally.losses);
        sum += points;
      }
      ++pairs[static_cast<std::size_t>(sum)];
    }
    const StrengthEstimate s = estimateStrength(tally, pairs);
    covered += std::abs(s.elo - elo) <= s.eloError;
  }
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.95, 0.02);
}

}  // namespace
}  // namespace toguz
