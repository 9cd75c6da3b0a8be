#include "search/playout_evaluator.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/game.h"

namespace toguz {
namespace {

TEST(PlayoutEvaluatorTest, PriorsAreUniformOverLegalMoves) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    PlayoutEvaluator evaluator(rules, 1);
    Rng rng(2);
    Game game(rules);
    while (!game.over()) {
      Evaluation evaluation;
      evaluator.evaluate(std::span(&game.position(), 1), std::span(&evaluation, 1));
      const float share = 1.0f / static_cast<float>(std::popcount(game.legal()));
      for (int pit = 0; pit < kMaxPits; ++pit)
        EXPECT_FLOAT_EQ(evaluation.policy[static_cast<std::size_t>(pit)],
                        game.legal() >> pit & 1u ? share : 0.0f);
      EXPECT_LE(std::abs(evaluation.winLoss), 1.0f);
      EXPECT_LE(std::abs(evaluation.margin), static_cast<float>(rules.set().total()));
      game.play(randomPit(game.legal(), rng));
    }
  }
}

TEST(PlayoutEvaluatorTest, RepeatsForASeed) {
  const Position start = Position::start(kStandard);
  const std::vector<Position> positions(20, start);
  std::vector<Evaluation> a(20), b(20);
  PlayoutEvaluator(Rules(), 5).evaluate(positions, a);
  PlayoutEvaluator(Rules(), 5).evaluate(positions, b);
  bool differ = false;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(a[i].winLoss, b[i].winLoss);
    EXPECT_EQ(a[i].margin, b[i].margin);
    differ |= a[i].margin != a[0].margin;
  }
  EXPECT_TRUE(differ);
}

// Random standard games: the first player scores 54.5%.
TEST(PlayoutEvaluatorTest, AveragesToTheKnownScoreOfRandomGames) {
  PlayoutEvaluator evaluator(Rules(), 7, 20000);
  const Position start = Position::start(kStandard);
  Evaluation evaluation;
  evaluator.evaluate(std::span(&start, 1), std::span(&evaluation, 1));
  EXPECT_NEAR(0.5 * (1 + evaluation.winLoss), 0.545, 0.012);
  // The same for the other side's view of the same thing.
  const Position swapped = start.swapped(kStandard);
  evaluator.evaluate(std::span(&swapped, 1), std::span(&evaluation, 1));
  EXPECT_NEAR(0.5 * (1 + evaluation.winLoss), 0.545, 0.012);
}

TEST(PlayoutEvaluatorTest, AWinInOneIsCertain) {
  // The only move takes two balls: 83-79.
  Position p;
  p.board[8] = 1;
  p.board[9] = 1;
  p.kazan = {81, 79};
  const std::vector<Position> positions = {p, p.swapped(kStandard)};
  std::vector<Evaluation> out(2);
  PlayoutEvaluator(Rules(), 1, 10).evaluate(positions, out);
  for (const Evaluation& evaluation : out) {
    EXPECT_FLOAT_EQ(evaluation.winLoss, 1);
    EXPECT_FLOAT_EQ(evaluation.margin, 4);
    EXPECT_FLOAT_EQ(evaluation.draw, 0);
  }
}

TEST(RandomPitTest, IsUniform) {
  Rng rng(1);
  std::array<int, 9> counts{};
  for (int i = 0; i < 30000; ++i) ++counts[static_cast<std::size_t>(randomPit(0b101010001, rng))];
  for (int pit = 0; pit < 9; ++pit)
    EXPECT_NEAR(counts[static_cast<std::size_t>(pit)], 0b101010001 >> pit & 1 ? 7500 : 0, 350);
}

}  // namespace
}  // namespace toguz
