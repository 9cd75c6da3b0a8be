#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/state_json.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

Position endlessPosition() {
  std::vector<int> list(22, 0);
  list[0] = list[9] = 1;
  list[18] = list[19] = 80;
  return positionOf(kStandard, list, 0);
}

// The ball farthest on: each side's single ball walks round the board.
int walk(const Game& game) {
  return std::bit_width(game.legal()) - 1;
}

TEST(Repetition, TheEndlessPositionReturnsAfterEighteenPlies) {
  Game game(Rules(), endlessPosition());
  for (int ply = 0; ply < 18; ++ply) {
    EXPECT_EQ(game.occurrences(), 1) << ply;
    game.play(walk(game));
  }
  EXPECT_EQ(game.position(), game.start());
  EXPECT_EQ(game.occurrences(), 2);
  EXPECT_FALSE(game.over());
  for (int ply = 0; ply < 18; ++ply) game.play(walk(game));
  EXPECT_EQ(game.occurrences(), 3);
  EXPECT_EQ(game.outcome().reason, EndReason::Repetition);
  EXPECT_EQ(game.outcome().result, Result::Draw);
  EXPECT_EQ(game.outcome().score(Side::First), 0);
  EXPECT_EQ(game.outcome().score(Side::Second), 0);
  EXPECT_EQ(game.legal(), 0u);
  EXPECT_THROW(game.play(0), UsageError);
  game.undo();
  EXPECT_FALSE(game.over());
  EXPECT_NE(game.legal(), 0u);
}

TEST(Repetition, NeedsTheSameSideToMove) {
  Position other = endlessPosition();
  other.side = Side::Second;
  EXPECT_FALSE(other == endlessPosition());
  EXPECT_NE(other.hash(), endlessPosition().hash());
}

TEST(Repetition, HistoryBeforeAKazanChangeIsNotLookedAt) {
  Game game;
  game.play(6);  // 76 captures
  EXPECT_EQ(game.lastKazanChange(), 1);
  EXPECT_EQ(game.occurrences(), 1);
}

TEST(PlyCap, IsADrawWithTheCapNamed) {
  Game game(Rules(), endlessPosition(), 7);
  for (int ply = 0; ply < 7; ++ply) {
    ASSERT_FALSE(game.over());
    game.play(walk(game));
  }
  EXPECT_STREQ(text(game.outcome().reason), "ply_cap");
  EXPECT_STREQ(text(game.outcome().result), "1/2-1/2");
  EXPECT_EQ(game.outcome().kazan, (std::array<std::int16_t, 2>{80, 80}));
}

TEST(Undo, GivesBackEveryStateOfRandomGames) {
  for (const std::string& name : Rules::names()) {
    Rng rng(11);
    Game game{Rules::named(name)};
    std::vector<PitMask> legal;
    while (!game.over()) {
      legal.push_back(game.legal());
      game.play(randomPit(game.legal(), rng));
    }
    const std::vector<Position> positions = game.positions();
    while (game.ply() > 0) {
      game.undo();
      const auto at = static_cast<std::size_t>(game.ply());
      ASSERT_EQ(game.position(), positions[at]);
      ASSERT_EQ(game.legal(), legal[at]);
      ASSERT_FALSE(game.over());
    }
  }
}

TEST(GamePlay, RefusesWhatIsNotLegal) {
  Game game;
  EXPECT_THROW(game.play(-1), UsageError);
  EXPECT_THROW(game.play(9), UsageError);
  game.play(0);
  for (int i = 0; i < 8; ++i) game.play(std::countr_zero(game.legal()));
  EXPECT_EQ(game.ply(), 9);
}

TEST(GamePlay, GiveawayBarsNineteenAsTheFirstMove) {
  Game game(Rules::named("giveaway"));
  EXPECT_EQ(game.legal() & 1u, 0u);
  try {
    game.play(0);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("pit 1"));
  }
}

TEST(GamePlay, TheShortestStandardGame) {
  Game game;
  for (const int pit : {5, 1, 3, 5, 8, 3, 7, 4, 6, 5, 4}) {
    ASSERT_FALSE(game.over());
    game.play(pit - 1);
  }
  EXPECT_TRUE(game.over());
  EXPECT_EQ(game.ply(), 11);
}

TEST(Outcome, HalfEachIsADrawForBoth) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    Position position;
    position.kazan = {static_cast<std::uint8_t>(rules.set().total() / 2),
                      static_cast<std::uint8_t>(rules.set().total() / 2)};
    const Game game(rules, position);
    EXPECT_EQ(game.outcome().reason, EndReason::NoMoves);
    EXPECT_EQ(game.outcome().result, Result::Draw);
    EXPECT_EQ(game.outcome().score(Side::First), 0);
    EXPECT_EQ(game.outcome().score(Side::Second), 0);
  }
}

TEST(Outcome, StuckAndMajorityTogetherAreNoMovesWithLeftovers) {
  std::vector<int> list(22, 0);
  list[0] = 4;
  list[18] = 100;
  list[19] = 58;
  const Game game(Rules(), positionOf(kStandard, list, 1));
  EXPECT_EQ(game.outcome().reason, EndReason::NoMoves);
  EXPECT_EQ(game.outcome().kazan, (std::array<std::int16_t, 2>{104, 58}));
  EXPECT_EQ(game.outcome().margin(Side::Second), -46);
}

// Held against a simulation written independently (6,000 uniformly random games: 124.9 plies,
// standard error 0.8) and the first player's score in random games known from elsewhere (54.5%).
TEST(RandomGames, FullHaveTheKnownLengthAndScore) {
  Rng rng(5);
  constexpr int kGames = 30000;
  double plies = 0, score = 0;
  for (int i = 0; i < kGames; ++i) {
    Game game;
    while (!game.over()) game.play(randomPit(game.legal(), rng));
    plies += game.ply();
    score += 0.5 * (1 + game.outcome().score(Side::First));
  }
  EXPECT_NEAR(plies / kGames, 124.9, 2.5);
  EXPECT_NEAR(score / kGames, 0.545, 0.012);
}

TEST(StateJson, StartOfEveryVariant) {
  EXPECT_EQ(stateJson(Game(Rules::named("bestemshe"))),
            R"({"variant":"bestemshe","fen":"5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1",)"
            R"("pits":[[5,5,5,5,5],[5,5,5,5,5]],"kazan":[0,0],"tuzdik":[0,0],"turn":0,)"
            R"("legal":[1,2,3,4,5],"over":false,"reason":null,"result":null})");
  const auto giveaway = nlohmann::json::parse(stateJson(Game(Rules::named("giveaway"))));
  EXPECT_EQ(giveaway["legal"], (std::vector<int>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(StateJson, TuzdiksAndTurnAfterMoves) {
  Game game(Rules(),
            positionOf(kStandard,
                       {0, 0, 0, 0, 5, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 75, 75, 0, 3}, 0));
  game.play(8);
  const auto state = nlohmann::json::parse(stateJson(game, 7));
  EXPECT_EQ(state["tuzdik"], (std::vector<int>{1, 3}));
  EXPECT_EQ(state["kazan"], (std::vector<int>{78, 75}));
  EXPECT_EQ(state["turn"], 1);
  EXPECT_EQ(state["fen"], "7,4S,t/2,t,1,5S,4 78 75 N 7");
  EXPECT_EQ(state["legal"], (std::vector<int>{2}));
}

TEST(StateJson, LeftoversAreInTheKazansWhenStuck) {
  Game game(Rules(),
            positionOf(kStandard,
                       {1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 79, 79, 0, 0}, 0));
  game.play(0);
  const auto state = nlohmann::json::parse(stateJson(game));
  EXPECT_EQ(state["over"], true);
  EXPECT_EQ(state["reason"], "no_moves");
  EXPECT_EQ(state["result"], "1-0");
  EXPECT_EQ(state["kazan"], (std::vector<int>{83, 79}));
  EXPECT_EQ(state["pits"], (std::vector<std::vector<int>>(2, std::vector<int>(9, 0))));
  EXPECT_EQ(state["fen"], "9/9 83 79 N 1");
  EXPECT_TRUE(state["legal"].empty());
}

TEST(StateJson, MajorityKeepsTheBoard) {
  std::vector<int> list(22, 0);
  list[8] = 1, list[9] = 3, list[12] = 9, list[0] = 5, list[18] = 80, list[19] = 64;
  Game game(Rules(), positionOf(kStandard, list, 0));
  game.play(8);
  const auto state = nlohmann::json::parse(stateJson(game));
  EXPECT_EQ(state["reason"], "majority");
  EXPECT_EQ(state["kazan"], (std::vector<int>{84, 64}));
  EXPECT_EQ(state["pits"][0][0], 5);
  EXPECT_EQ(state["pits"][1][3], 9);
}

}  // namespace
}  // namespace toguz::test
