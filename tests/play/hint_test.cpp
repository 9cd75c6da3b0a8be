// Hints: facts held against hand-checked positions and against a plain recount.
#include "play/hint.h"

#include <gmock/gmock.h>

#include "core/position_text.h"
#include "core/reference.h"
#include "play/shipped.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;

Game gameOf(const std::string& variant, const std::string& fen) {
  const Rules rules = Rules::named(variant);
  return Game(rules, parsePosition(rules, fen).position);
}

std::string words(const Game& game, int pit) {
  return explain(game.rules().set(), factsOf(game, pit - 1));
}

// Pit 7 holds nine balls: 7, 8, 9 and the opponent's 1 to 6, where the last makes ten.
TEST(HintTest, ACaptureAtTheStart) {
  const Game game;
  const MoveFacts facts = factsOf(game, 6);
  EXPECT_EQ(facts.capture, (Capture{7, 10, 0}));
  EXPECT_EQ(facts.chanceBefore.balls, 10);
  // The opponent's pits mirror ours, so he could capture ten too; afterwards his pits 1 to 5 hold
  // ten: pit 1's tenth ball falls on our 1 (10), pit 2's on our 2 (10), ..., pit 5's on our 5 (10).
  EXPECT_EQ(facts.dangerBefore.balls, 10);
  EXPECT_EQ(facts.dangerAfter.balls, 10);
  EXPECT_FALSE(facts.only);
  EXPECT_EQ(words(game, 7),
            "Play 7: it captures 10 balls, the most there is. Your opponent can then capture 10 "
            "balls at most.");
}

// The opponent's pit 9 reaches our pit 1 with its second ball: of seven balls it makes eight.
TEST(HintTest, SavingWhatCouldBeTaken) {
  const Game game = gameOf("standard", "2S,3,4S,4/7S,6,2S,1 74 73 S 1");
  const MoveFacts facts = factsOf(game, 0);
  EXPECT_EQ(facts.dangerBefore, (Capture{9, 8, 0}));
  EXPECT_EQ(facts.dangerAfter, (Capture{9, 2, 0}));
  EXPECT_EQ(words(game, 1),
            "Play 1: it leaves your opponent 2 balls to capture instead of 8. Your opponent can "
            "then capture 2 balls at most.");
  EXPECT_THAT(words(game, 8), HasSubstr("a quiet move. Your opponent can then capture 8 balls"));
}

// Our pit 1 holds two: his pit 9's second ball would make three.
TEST(HintTest, PreventingATuzdik) {
  const Game game = gameOf("standard", "2S,3,4S,4/2S,6,2S,1 76 76 S 1");
  const MoveFacts facts = factsOf(game, 0);
  EXPECT_EQ(facts.dangerBefore, (Capture{9, 3, 1}));
  EXPECT_EQ(facts.preventedTuzdik, 1);
  EXPECT_EQ(words(game, 1),
            "Play 1: it keeps your opponent from making your pit 1 a tuzdik. Your opponent can "
            "then capture 2 balls at most.");
  EXPECT_EQ(factsOf(game, 7).preventedTuzdik, 0);
  EXPECT_THAT(words(game, 8), HasSubstr("Your opponent can then make your pit 1 a tuzdik."));
}

// Our pit 9's second ball makes three in his pit 1.
TEST(HintTest, MakingATuzdik) {
  const Game game = gameOf("standard", "4S,7,2S/7,2S,2S 76 76 S 1");
  EXPECT_EQ(factsOf(game, 8).capture, (Capture{9, 3, 1}));
  EXPECT_THAT(words(game, 9), HasSubstr("it makes your opponent's pit 1 your tuzdik"));
  EXPECT_EQ(factsOf(game, 7).capture, (Capture{}));
}

TEST(HintTest, AWinIsSaidWithItsKazans) {
  // 80 and two captured are 82, the majority; the opponent cannot move and the ball left in pit 9
  // is ours as well.
  const Game game = gameOf("standard", "8,1S/8,2S 80 79 S 1");
  const MoveFacts facts = factsOf(game, 8);
  ASSERT_TRUE(facts.end.has_value());
  EXPECT_EQ(facts.end->score, 1);
  EXPECT_EQ(words(game, 9), "Play 9, your only move: it wins the game, 83 to 79.");
}

TEST(HintTest, GiveawayCompels) {
  const Game game = gameOf("giveaway", "1S,7,1S/1S,7,2S 79 78 S 1");
  const MoveFacts facts = factsOf(game, 8);
  EXPECT_TRUE(facts.compelled);
  EXPECT_TRUE(facts.only);
  EXPECT_EQ(facts.capture, (Capture{9, 2, 0}));
  // His pit 9 then reaches our pit 1, which makes two: he must take them.
  EXPECT_EQ(facts.dangerAfter, (Capture{9, 2, 0}));
  EXPECT_THAT(words(game, 9), HasSubstr("it takes 2 balls and makes your opponent take"));
}

// His pit 9 would take six balls of our pit 1, his pit 8 make our pit 2 a tuzdik, which is three.
TEST(HintTest, GiveawayNamesTheFewestBalls) {
  const Game game = gameOf("giveaway", "2S,4S,7/5S,2S,7 75 74 S 1");
  const MoveFacts facts = factsOf(game, 1);
  EXPECT_EQ(facts.dangerBefore, (Capture{8, 3, 2}));
}

// Pits 5, 2 and 9 can be played; all take, pits 2 and 9 two balls, pit 5 twelve.
TEST(HintTest, GiveawaySaysOnlyOfTheLeast) {
  const Game game =
      gameOf("giveaway", "10S,1S,11S,11S,11S,11S,11S,11S,1S/1,9S,9S,9S,9S,9S,9S,9S,1S 10 10 S 1");
  EXPECT_EQ(words(game, 5).find("only"), std::string::npos) << words(game, 5);
  EXPECT_THAT(words(game, 9), HasSubstr("takes only 2 balls"));
}

// The greatest (in giveaway the least) capture of the side to move, counted ball by ball.
Capture plainly(const RuleSet& set, const Position& position) {
  Capture best;
  bool first = true;
  if (set.stopAtMajority &&
      (position.kazan[0] >= set.majority() || position.kazan[1] >= set.majority()))
    return best;
  for (const int pit : legalPitsPlainly(set, position)) {
    Sowing sowing;
    const Position after = playBallByBall(set, position, pit, &sowing);
    const auto mover = static_cast<std::size_t>(index(position.side));
    Capture capture;
    capture.balls = set.giveaway ? after.kazan[mover] - position.kazan[mover] : sowing.captured;
    if (sowing.madeTuzdik) capture.tuzdik = sowing.last % set.pits + 1;
    if (capture.balls > 0) capture.pit = pit + 1;
    const auto worth = [&](const Capture& c) { return c.tuzdik && !set.giveaway ? 13 : c.balls; };
    if (first || (set.giveaway ? worth(capture) < worth(best) : worth(capture) > worth(best)))
      best = capture;
    first = false;
  }
  return best;
}

TEST(HintTest, FactsAreThoseOfAPlainRecountInAnyPosition) {
  for (const char* variant :
       {"standard", "giveaway", "bestemshe", "seven", "standard,tuzdik=false"}) {
    const Rules rules = Rules::named(variant);
    const RuleSet& set = rules.set();
    test::forRandomPositions(rules, 2000, 11, [&](const Position& position, PitMask) {
      const Game game(rules, position);
      for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
        const int pit = std::countr_zero(rest);
        const MoveFacts facts = factsOf(game, pit);
        Position passed = position;
        passed.side = opponent(position.side);
        ASSERT_EQ(facts.dangerBefore, plainly(set, passed));
        ASSERT_EQ(facts.chanceBefore, plainly(set, position));
        Position after = playBallByBall(set, position, pit);
        if (!facts.end) {
          ASSERT_EQ(facts.dangerAfter, plainly(set, after));
          after.side = position.side;
          ASSERT_EQ(facts.chanceAfter, plainly(set, after));
        }
        const auto m = static_cast<std::size_t>(index(position.side));
        ASSERT_EQ(facts.intoOtherTuzdik, after.kazan[1 - m] - position.kazan[1 - m]);
        const std::string said = explain(set, facts);
        ASSERT_TRUE(said.starts_with("Play " + std::to_string(pit + 1))) << said;
        ASSERT_TRUE(said.ends_with(".")) << said;
        // Who is called first does not matter.
        ASSERT_EQ(explain(set, factsOf(Game(rules, position.swapped(set)), pit)), said);
      }
    });
  }
}

TEST(HintTest, TheSearchsExpectationIsInIt) {
  const auto path = shippedModel(Rules());
  ASSERT_TRUE(path.has_value());
  Engine engine(Engine::loadNetwork(*path, Precision::Fp32));
  const SearchReport report = engine.search({.nodes = 200});
  const MoveFacts facts = factsOf(Game(), *report.bestPit, &report);
  ASSERT_TRUE(facts.expected.has_value());
  EXPECT_GT(facts.expected->winRate, 20);
  EXPECT_LT(facts.expected->winRate, 80);
  EXPECT_NEAR(facts.expected->own + facts.expected->other, 162, 1e-6);
  ASSERT_TRUE(facts.nextBest.has_value());
  EXPECT_NE(*facts.nextBest, facts.pit);
  EXPECT_THAT(explain(kStandard, facts), HasSubstr("he search gives you "));
}

TEST(ShippedModelTest, EachVariantHasOneAndSwitchesHaveNone) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"})
    EXPECT_TRUE(shippedModel(Rules::named(variant)).has_value()) << variant;
  EXPECT_FALSE(shippedModel(Rules::named("standard,tuzdik=false")).has_value());
}

}  // namespace
}  // namespace toguz
