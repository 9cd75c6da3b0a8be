#include "arena/agreement.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace toguz {
namespace {

TEST(Calibration, ErrorIsTheMeanDifferenceOfSaidAndComeTrue) {
  Calibration calibration;
  // In the opening: 0.75 said a hundred times, come true as often as said; late: 0.95 said, lost.
  for (int i = 0; i < 100; ++i) calibration.add(5, 0.5f, i < 75 ? 1 : -1);
  for (int i = 0; i < 10; ++i) calibration.add(90, 0.9f, -1);
  EXPECT_EQ(calibration.count(0), 100u);
  EXPECT_NEAR(calibration.error(0), 0.0, 1e-6);
  EXPECT_EQ(calibration.count(1), 0u);
  EXPECT_EQ(calibration.error(1), 0.0);
  EXPECT_NEAR(calibration.error(2), 0.95, 1e-6);
  EXPECT_EQ(calibration.bin(0, 7).count, 100u);
  EXPECT_NEAR(calibration.json()["late"]["bins"][9][1].get<double>(), 0.95, 1e-6);
}

TEST(Calibration, TheEndsOfTheScaleHaveTheirBins) {
  Calibration calibration;
  for (const float value : {-1.0f, 1.0f, -1.01f, 1.01f}) calibration.add(30, value, 0);
  EXPECT_EQ(calibration.bin(1, 0).count, 2u);
  EXPECT_EQ(calibration.bin(1, 9).count, 2u);
  EXPECT_NEAR(calibration.error(1), 0.5, 1e-6);
}

TEST(RatingBand, ByTheFigureInTheRecord) {
  EXPECT_EQ(ratingBand("-"), "tournament");
  EXPECT_EQ(ratingBand(""), "tournament");
  EXPECT_EQ(ratingBand("?"), "unrated");
  EXPECT_EQ(ratingBand("1199"), "under 1200");
  EXPECT_EQ(ratingBand("1200"), "1200 to 1399");
  EXPECT_EQ(ratingBand("1400"), "1400 to 1599");
}

// A network that always likes the first player's first legal pit best cannot be made by hand, but
// a uniform one can: every move is then a first choice, with the likelihood of one in the legal
// ones.
TEST(Agreement, OfAUniformNetwork) {
  const Rules rules(kStandard);
  const auto network =
      std::make_shared<const NativeNetwork>(randomModel(rules, Architecture{16, 1}, 1));
  Game game(rules);
  double logLikelihood[2] = {};
  std::size_t moves[2] = {};
  for (int i = 0; i < 40 && !game.over(); ++i) {
    const auto side = static_cast<std::size_t>(index(game.position().side));
    if (!std::has_single_bit(game.legal())) {
      ++moves[side];
      logLikelihood[side] -= std::log(static_cast<double>(std::popcount(game.legal())));
    }
    game.play(std::countr_zero(game.legal()));
  }
  GameText good = describeGame(game, {{"WhiteElo", "1100"}, {"BlackElo", "1500"}});
  good.result = "1-0";
  GameText bad = good;
  bad.moves[3].text = "1";
  bad.moves[4].text = "99X";
  GameText other = describeGame(Game(Rules(kSeven)));
  const std::vector<GameText> games = {good, bad, other};
  std::size_t calls = 0;
  AgreementOptions options;
  options.onProgress = [&](std::size_t, std::size_t all) {
    ++calls;
    EXPECT_EQ(all, 3u);
  };
  const Agreement agreement = measureAgreement(network, games, options);
  EXPECT_EQ(calls, 4u);
  EXPECT_EQ(agreement.games, 1u);
  ASSERT_EQ(agreement.skipped.size(), 2u);
  EXPECT_NE(agreement.skipped[1].find("seven"), std::string::npos);
  ASSERT_EQ(agreement.bands.size(), 2u);
  EXPECT_EQ(agreement.bands[0].band, "under 1200");
  for (std::size_t side = 0; side < 2; ++side) {
    const BandAgreement& band = agreement.bands[side];
    EXPECT_EQ(band.moves, moves[side]);
    EXPECT_EQ(band.first, moves[side]);
    EXPECT_NEAR(band.logLikelihood, logLikelihood[side], 1e-3);
  }
  // Level values against a decided game: half off, on either side.
  EXPECT_NEAR(agreement.calibration.error(0), 0.0, 0.02);

  // With a search: the same moves counted.
  options.nodes = 20;
  const Agreement searched = measureAgreement(network, games, options);
  EXPECT_EQ(searched.bands[0].moves, moves[0]);
  EXPECT_LE(searched.bands[0].first, searched.bands[0].inThree);
  EXPECT_TRUE(std::isfinite(searched.bands[0].logLikelihood));
}

}  // namespace
}  // namespace toguz
