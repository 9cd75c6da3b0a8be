// Kinds of exercises, held against the plain rules.
#include "analysis/exercise_kind.h"

#include <map>

#include "tests/analysis/exercise_support.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

std::string kindOf(const char* variant, const char* fen, std::vector<int> pits) {
  const Rules rules = Rules::named(variant);
  PitMask solution = 0;
  for (const int pit : pits) solution |= 1u << (pit - 1);
  const auto kind = exerciseKind(Game(rules, parsePosition(rules, fen).position), solution);
  return kind ? text(*kind) : "mixed";
}

TEST(ExerciseKindTest, OfPositionsFromGames) {
  EXPECT_EQ(
      kindOf("standard", "2S,2S,6S,1S,6S,18S,6S,1,t/2S,3S,21S,1S,20S,t,1S,4S,1S 43 25 N 12", {7}),
      "capture");
  EXPECT_EQ(kindOf("standard",
                   "4S,2S,13S,4S,3S,1S,14S,1S,15S/1S,13S,13S,1S,13S,2S,2S,1,2S 24 34 S 8", {5}),
            "tuzdik");
  const char* threatened = "3S,1S,3S,3S,1S,3S,1S,1,2S/3S,4S,2S,3S,6S,t,1S,2S,5S 62 57 N 13";
  EXPECT_EQ(kindOf("standard", threatened, {1}), "avoid");
  EXPECT_EQ(kindOf("standard", threatened, {3}), "best");  // the threat stays
  EXPECT_EQ(kindOf("standard", "24S,2S,1S,1S,4,t/3,1S,3S,t,3 75 55 S 75", {4}), "best");
}

TEST(ExerciseKindTest, SolutionsOfDifferentKindsHaveNone) {
  const char* fen = "4S,2S,13S,4S,3S,1S,14S,1S,15S/1S,13S,13S,1S,13S,2S,2S,1,2S 24 34 S 8";
  EXPECT_EQ(kindOf("standard", fen, {5, 2}), "mixed");
}

TEST(ExerciseKindTest, AgreesWithThePlainRulesEverywhere) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(variant);
    std::map<std::string, int> seen;
    test::forRandomPositions(rules, 4000, 3, [&](const Position& position, PitMask legal) {
      const Game game(rules, position);
      if (game.over() || std::popcount(legal) < 2) return;
      for (PitMask rest = legal; rest; rest &= rest - 1) {
        const int pit = std::countr_zero(rest);
        const auto kind = exerciseKind(game, 1u << pit);
        ASSERT_EQ(kind ? std::optional<std::string>(text(*kind)) : std::nullopt,
                  test::plainKind(rules, position, {pit}))
            << formatPosition(rules, position) << " pit " << pit + 1;
        ++seen[text(*kind)];
      }
      const int a = std::countr_zero(legal), b = 31 - std::countl_zero(legal);
      if (std::popcount(legal) == 2) return;
      const auto two = exerciseKind(game, 1u << a | 1u << b);
      ASSERT_EQ(two ? std::optional<std::string>(text(*two)) : std::nullopt,
                test::plainKind(rules, position, {a, b}));
    });
    EXPECT_GT(seen["capture"], 0);
    EXPECT_GT(seen["best"], 0);
    EXPECT_EQ(seen["tuzdik"] > 0, rules.set().tuzdik) << variant;
    EXPECT_EQ(seen["avoid"] > 0, !rules.set().giveaway) << variant;
  }
}

TEST(ExerciseKindTest, TheMostThatCanBeTaken) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(variant);
    test::forRandomPositions(rules, 1000, 5, [&](const Position& position, PitMask legal) {
      const Game game(rules, position);
      if (game.over()) return;
      std::map<int, int> worth;
      for (PitMask rest = legal; rest; rest &= rest - 1) {
        Sowing sowing;
        const int pit = std::countr_zero(rest);
        playBallByBall(rules.set(), position, pit, &sowing);
        worth[pit] = sowing.madeTuzdik ? 1000 : sowing.captured;
      }
      const auto [least, most] =
          std::minmax_element(worth.begin(), worth.end(),
                              [](const auto& a, const auto& b) { return a.second < b.second; });
      for (const auto& [pit, balls] : worth)
        ASSERT_EQ(takesTheMost(game, 1u << pit), rules.set().giveaway
                                                     ? balls == least->second
                                                     : balls > 0 && balls == most->second);
    });
  }
}

}  // namespace
}  // namespace toguz
