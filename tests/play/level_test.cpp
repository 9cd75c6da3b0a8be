// Levels: which moves they draw, how many nodes they take, and that they do not depend on time.
#include "play/level.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/model.h"
#include "play/engine.h"

namespace toguz {
namespace {

std::vector<RootMove> movesOf(std::initializer_list<float> priors) {
  std::vector<RootMove> moves;
  for (const float prior : priors)
    moves.push_back({.pit = static_cast<std::uint8_t>(moves.size()), .visits = 1, .prior = prior});
  return moves;
}

Engine::Network network() {
  return std::make_shared<const NativeNetwork>(randomModel(Rules(), {.width = 32, .blocks = 1}, 5));
}

TEST(LevelTest, AMoveThatLooksAbsurdIsNeverPlayed) {
  const auto moves = movesOf({0.5f, 0.4f, 0.099f, 0.001f});
  for (int number = 1; number <= kLevels; ++number) {
    Rng rng(7);
    std::map<int, int> drawn;
    for (int i = 0; i < 2000; ++i) ++drawn[chooseByLevel(levelOf(Rules(), number), moves, 0, rng)];
    EXPECT_EQ(drawn[3], 0) << number;
    EXPECT_GT(drawn[0], 0) << number;
  }
}

TEST(LevelTest, LowerLevelsStrayMore) {
  const auto moves = movesOf({0.6f, 0.2f, 0.15f, 0.05f});
  int before = 0;
  for (int number = 1; number <= kLevels; ++number) {
    Rng rng(7);
    int best = 0;
    for (int i = 0; i < 5000; ++i)
      best += chooseByLevel(levelOf(Rules(), number), moves, 0, rng) == 0;
    EXPECT_GE(best, before - 150) << number;  // about two standard errors
    before = best;
  }
  EXPECT_EQ(before, 5000);
}

TEST(LevelTest, NodesGrowAndTheLastHasTheCallersLimits) {
  for (const char* variant :
       {"standard", "giveaway", "bestemshe", "seven", "standard,tuzdik=false", "giveaway2010"}) {
    const Rules rules = Rules::named(variant);
    for (int number = 2; number < kLevels; ++number) {
      const Level& level = levelOf(rules, number);
      const Level& below = levelOf(rules, number - 1);
      EXPECT_GE(level.nodes, below.nodes);
      EXPECT_LE(level.temperature, below.temperature);
      EXPECT_TRUE(level.nodes > below.nodes || level.temperature < below.temperature);
    }
    EXPECT_EQ(levelOf(rules, kLevels).nodes, 0);
    EXPECT_EQ(levelOf(rules, kLevels).temperature, 0);
  }
}

TEST(LevelTest, TheEngineTakesTheLevelsNodesWhateverTheTime) {
  for (int number = 1; number < kLevels; ++number) {
    EngineOptions options;
    options.level = number;
    Engine engine(network(), options);
    engine.setPosition(Game());
    EXPECT_EQ(engine.search({.moveTimeMs = 5000}).info.nodes,
              static_cast<std::uint64_t>(levelOf(Rules(), number).nodes));
    engine.clear();
    EXPECT_EQ(engine.search({.nodes = 1'000'000}).info.nodes,
              static_cast<std::uint64_t>(levelOf(Rules(), number).nodes));
  }
}

TEST(LevelTest, WithoutLimitsTooAndBeyondTheEnginesDefault) {
  const Rules rules = Rules::named("giveaway");
  EngineOptions options;
  options.level = 9;
  options.defaultNodes = 5;
  Engine engine(
      std::make_shared<const NativeNetwork>(randomModel(rules, {.width = 16, .blocks = 0}, 5)),
      options);
  EXPECT_EQ(engine.search({}).info.nodes, static_cast<std::uint64_t>(levelOf(rules, 9).nodes));
}

TEST(LevelTest, TheSeedDecides) {
  std::set<int> picked;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EngineOptions options;
    options.level = 1;
    options.seed = seed;
    Engine engine(network(), options);
    const int pit = *engine.search({}).bestPit;
    EXPECT_EQ(Engine(network(), options).search({}).bestPit, pit);
    picked.insert(pit);
  }
  EXPECT_GT(picked.size(), 2u);
}

TEST(LevelTest, OutOfRangeIsRefused) {
  for (const int level : {0, kLevels + 1}) {
    EngineOptions options;
    options.level = level;
    EXPECT_THROW(Engine(Rules(), options), UsageError);
  }
  EngineOptions options;
  options.lines = 0;
  EXPECT_THROW(Engine(Rules(), options), UsageError);
}

}  // namespace
}  // namespace toguz
