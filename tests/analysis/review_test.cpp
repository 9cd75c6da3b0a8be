// Reviews: figures that fit together, marks, and the forms they are written in.
#include "analysis/review.h"
#include "analysis/review_game.h"

#include <gmock/gmock.h>

#include <cmath>

#include "analysis/review_text.h"
#include "base/rng.h"
#include "models/model.h"
#include "play/shipped.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;

GameReview reviewed(Analyst& analyst, const GameText& record, int nodes) {
  GameReview result;
  reviewGame(analyst, replayGame(record), {.nodes = nodes},
             [&](GameReview&& review) { result = std::move(review); });
  analyst.finish();
  return result;
}

GameText randomRecord(const Rules& rules, std::uint64_t seed, int plies) {
  Rng rng(seed);
  Game game(rules);
  while (game.ply() < plies && !game.over()) game.play(test::randomPit(game.legal(), rng));
  return describeGame(game, {{"Id", "r" + std::to_string(seed)}});
}

Engine::Network shipped(const char* variant) {
  return Engine::loadNetwork(*shippedModel(Rules::named(variant)), Precision::Fp32);
}

TEST(ReviewTest, FiguresFitTogetherInEveryVariant) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    Analyst analyst(shipped(variant), 2);
    const GameText record = randomRecord(Rules::named(variant), 4, 1000);
    const GameReview review = reviewed(analyst, record, 60);
    ASSERT_EQ(review.moves.size(), record.moves.size());
    ASSERT_EQ(review.positions.size(), record.moves.size() + 1);
    ASSERT_TRUE(review.outcome.over());
    std::array<double, 2> accuracy{}, lost{};
    std::array<int, 2> moves{}, blunders{};
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
      const ReviewedMove& move = review.moves[i];
      const auto side = static_cast<std::size_t>(index(review.positions[i].side));
      ASSERT_GE(move.lostWinRate, 0);
      ASSERT_NEAR(move.winRateBest - move.winRate, move.lostWinRate, 1e-9);
      ASSERT_GE(move.lostBalls, 0);
      ASSERT_EQ(move.bestLine.front(), move.best);
      if (move.pit == move.best) {
        ASSERT_EQ(move.lostWinRate, 0);
      }
      ASSERT_EQ(move.mark == Mark::Blunder, move.lostWinRate >= kBlunderPoints);
      ASSERT_EQ(move.turning,
                move.winRateBest >= 50 && move.winRate < 50 && move.lostWinRate >= kMistakePoints);
      accuracy[side] += moveAccuracy(move.lostWinRate);
      lost[side] += move.lostBalls;
      blunders[side] += move.mark == Mark::Blunder;
      ++moves[side];
    }
    for (std::size_t side = 0; side < 2; ++side) {
      EXPECT_EQ(review.sides[side].moves, moves[side]);
      EXPECT_NEAR(review.sides[side].accuracy, accuracy[side] / moves[side], 1e-9);
      EXPECT_NEAR(review.sides[side].lostBalls, lost[side] / moves[side], 1e-9);
      EXPECT_EQ(review.sides[side].count(Mark::Blunder), blunders[side]);
    }
    // Random play is found out.
    EXPECT_GT(blunders[0] + blunders[1], 0) << variant;
    // At the end the outcome speaks.
    const double score = 50.0 * (1 + review.outcome.score(Side::First));
    EXPECT_EQ(review.firstWinRate(review.moves.size()), score);
    EXPECT_EQ(review.firstMargin(review.moves.size()), review.outcome.margin(Side::First));
  }
}

TEST(ReviewTest, TheEnginesOwnMovesLoseNothing) {
  const auto network = shipped("bestemshe");
  Engine engine(network);
  Game game(network->rules());
  while (!game.over() && game.ply() < 30) {
    engine.clear();
    engine.setPosition(Game(game.rules(), game.position(), 100'000));
    game.play(*engine.search({.nodes = 100}).bestPit);
  }
  Analyst analyst(network, 1);
  const GameReview review = reviewed(analyst, describeGame(game), 100);
  for (const SideReview& side : review.sides) {
    EXPECT_EQ(side.accuracy, 100);
    EXPECT_EQ(side.lostBalls, 0);
    EXPECT_EQ(side.count(Mark::Mistake) + side.count(Mark::Blunder), 0);
  }
}

TEST(ReviewTest, AccuracyFallsFromAHundred) {
  EXPECT_NEAR(moveAccuracy(0), 100, 1e-3);
  EXPECT_NEAR(moveAccuracy(10), 63.6, 0.1);  // 103.1668 e^-0.4354 - 3.1669
  EXPECT_EQ(moveAccuracy(100), 0);
  for (double lost = 1; lost <= 100; ++lost) EXPECT_LE(moveAccuracy(lost), moveAccuracy(lost - 1));
}

TEST(ReviewTest, TheAnnotatedRecordIsStillTheGame) {
  Analyst analyst(shipped("standard"), 1);
  GameText record = randomRecord(Rules(), 8, 40);
  record.moves[3].comment = "said before";
  const GameReview review = reviewed(analyst, record, 50);
  const auto again = parseGames(pgnText(annotated(record, review)), RecordFormat::Pgn);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(replayGame(again[0]).pits, replayGame(record).pits);
  ASSERT_EQ(again[0].moves.size(), record.moves.size());
  for (std::size_t i = 0; i < record.moves.size(); ++i)
    EXPECT_THAT(again[0].moves[i].comment, HasSubstr("% "));
  EXPECT_THAT(again[0].moves[3].comment, HasSubstr("; said before"));
  EXPECT_THAT(again[0].comment, HasSubstr("accuracy "));
}

TEST(ReviewTest, JsonAndPageTellTheSame) {
  Analyst analyst(shipped("standard"), 1);
  const GameText record = randomRecord(Rules(), 8, 60);
  const GameReview review = reviewed(analyst, record, 50);
  const auto json = reviewJson(record, review);
  const auto page = reviewPageGame(record, review, "a game");
  ASSERT_EQ(json["moves"].size(), 60u);
  ASSERT_EQ(page["plies"].size(), 61u);
  EXPECT_EQ(json["tags"]["Id"], "r8");
  EXPECT_EQ(json["result"], "*");
  for (std::size_t i = 0; i < 60; ++i) {
    const auto& move = json["moves"][i];
    const auto& ply = page["plies"][i];
    EXPECT_EQ(move["side"], ply["side"]);
    EXPECT_EQ(move["mark"].get<std::string>(), ply.value("mark", ""));
    const double best = move["best_win_rate"];
    EXPECT_NEAR(ply["win"], move["side"] == 0 ? best : 100 - best, 0.051);
  }
}

TEST(OpeningsTest, CountsLinesAndResults) {
  // 1. 76 is played in three games (won, lost, unknown), 1. 21 in one; a fourth begins elsewhere.
  const Rules rules;
  std::vector<GameReview> reviews;
  for (const std::vector<int>& pits : {std::vector{6, 3}, {6, 3}, {6, 4}, {1, 5}}) {
    GameReview review;
    review.rules = rules;
    Game game(rules);
    for (const int pit : pits) {
      game.play(pit);
      ReviewedMove move;
      move.pit = pit;
      review.moves.push_back(move);
    }
    review.positions = game.positions();
    reviews.push_back(review);
  }
  reviews.push_back(reviews.front());
  reviews.back().positions.erase(reviews.back().positions.begin());
  std::vector<const GameReview*> games;
  for (const GameReview& review : reviews) games.push_back(&review);
  const std::vector<std::string> results{"1-0", "0-1", "", "1/2-1/2", "1-0"};
  const auto lines = openingLines(games, results, 2, 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].pits, (std::vector<std::uint8_t>{6}));
  EXPECT_EQ(lines[0].games, 3);
  EXPECT_EQ(lines[0].results, (std::array<int, 3>{1, 0, 1}));
  EXPECT_EQ(lines[1].pits, (std::vector<std::uint8_t>{6, 3}));
  EXPECT_EQ(lines[1].games, 2);
  EXPECT_EQ(openingLines(games, results, 2, 1).size(), 5u);
  EXPECT_EQ(openingsJson(rules, lines)[1]["moves"], "1. 76 44");
}

}  // namespace
}  // namespace toguz
