#include "play/time_budget.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/rng.h"

namespace toguz {
namespace {

TEST(TimeBudget, NoneWithoutALimitOfTime) {
  EXPECT_FALSE(timeBudgetMs({}, Game(), 10));
  EXPECT_FALSE(timeBudgetMs({.nodes = 5}, Game(), 10));
}

TEST(TimeBudget, MoveTimeLessTheOverhead) {
  EXPECT_DOUBLE_EQ(*timeBudgetMs({.moveTimeMs = 1000}, Game(), 10), 990);
  EXPECT_DOUBLE_EQ(*timeBudgetMs({.moveTimeMs = 50}, Game(), 10), 45);
  EXPECT_DOUBLE_EQ(*timeBudgetMs({.moveTimeMs = 0}, Game(), 10), 0);
}

TEST(TimeBudget, TheShorterOfMoveTimeAndClock) {
  const double clock = *timeBudgetMs({.remainingMs = 60'000}, Game(), 10);
  EXPECT_DOUBLE_EQ(*timeBudgetMs({.moveTimeMs = 30'000, .remainingMs = 60'000}, Game(), 10), clock);
  EXPECT_DOUBLE_EQ(*timeBudgetMs({.moveTimeMs = 50, .remainingMs = 60'000}, Game(), 10), 45);
}

TEST(TimeBudget, WithinTheReserveMovesTakeNextToNothing) {
  const auto budget = [](double remaining) {
    EngineLimits limits;
    limits.remainingMs = remaining;
    limits.incrementMs = 5000;
    return *timeBudgetMs(limits, Game(), 10);
  };
  EXPECT_DOUBLE_EQ(budget(-1000), 0);
  EXPECT_DOUBLE_EQ(budget(0), 0);
  EXPECT_DOUBLE_EQ(budget(5), 0.5);
  EXPECT_DOUBLE_EQ(budget(100), 1);
  EXPECT_DOUBLE_EQ(budget(300), 1);
  EXPECT_DOUBLE_EQ(budget(320), 10) << "half of what is above the reserve";
}

TEST(TimeBudget, AlwaysBelowTheClock) {
  Rng rng(1);
  for (int round = 0; round < 10'000; ++round) {
    const double remaining = rng.uniform() * std::pow(10.0, rng.below(7));
    const double increment = rng.chance(0.5) ? 0 : rng.uniform() * 10'000;
    const double overhead = rng.uniform() * 100;
    const double budget =
        *timeBudgetMs({.remainingMs = remaining, .incrementMs = increment}, Game(), overhead);
    EXPECT_GE(budget, 0);
    EXPECT_LT(budget, remaining);
    EXPECT_TRUE(budget <= 1 || budget + 30 * overhead < remaining) << remaining;
  }
}

// Random games against the clock alone: each move takes its whole budget and up to the overhead.
TEST(TimeBudget, NoClockRunsOut) {
  Rng rng(2);
  for (int round = 0; round < 300; ++round) {
    const Rules rules = Rules::named(rng.chance(0.5) ? "standard" : "seven");
    const double base = 500 + rng.uniform() * 60'000, increment = rng.chance(0.5) ? 0 : 100;
    const double overhead = 2;
    double clock[2] = {base, base};
    double spent = 0;
    Game game(rules);
    while (!game.over()) {
      double& mine = clock[index(game.position().side)];
      const double budget =
          *timeBudgetMs({.remainingMs = mine, .incrementMs = increment}, game, overhead);
      mine -= budget + rng.uniform() * 0.5 * overhead;
      spent += budget;
      ASSERT_GT(mine, 0) << "base " << base << " ply " << game.ply();
      mine += increment;
      PitMask legal = game.legal();
      for (std::uint32_t skip = rng.below(static_cast<std::uint32_t>(std::popcount(legal)));
           skip > 0; --skip)
        legal &= legal - 1;
      game.play(std::countr_zero(legal));
    }
    if (game.ply() > 60) {
      EXPECT_GT(spent, 0.5 * base) << "the time is there to be used";
    }
  }
}

}  // namespace
}  // namespace toguz
