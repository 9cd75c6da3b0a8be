// Model players on untrained networks, and a real match of two of them as the training gate plays
// it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "arena/match.h"
#include "arena/player_factories.h"
#include "base/error.h"

namespace toguz {
namespace {

std::shared_ptr<const NativeNetwork> smallNetwork(const Rules& rules, std::uint64_t seed) {
  Model model = randomModel(rules, {.width = 16, .blocks = 1}, seed);
  // Heads start at zero: give them something to say.
  Rng rng(seed);
  for (Tensor& tensor : model.tensors)
    if (tensor.name.starts_with("head."))
      for (float& w : tensor.data) w = static_cast<float>(0.3 * rng.normal());
  return std::make_shared<const NativeNetwork>(model);
}

TEST(ModelPlayerTest, FixedNodesRepeatWhateverTheThreads) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    const auto a = makeModelFactory(smallNetwork(rules, 1), {.nodes = 20}, "a");
    const auto b = makeModelFactory(smallNetwork(rules, 2), {.nodes = 12}, "b");
    MatchOptions options;
    options.rules = rules;
    options.games = 8;
    options.openings = randomOpenings(rules, 4, 4, 1);
    const MatchResult one = playMatch(*a, *b, options);
    options.concurrency = 4;
    options.seed = 99;  // no chance in it: the seed must not matter
    const MatchResult four = playMatch(*a, *b, options);
    ASSERT_EQ(one.games.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(one.games[i].moves, four.games[i].moves);
    EXPECT_EQ(one.a.name, "a");
    EXPECT_GT(one.a.nodes, 0u);
  }
}

TEST(ModelPlayerTest, OpinionsAreOfTheMover) {
  const auto factory = makeModelFactory(smallNetwork(Rules(), 1), {.nodes = 50}, "a");
  const auto player = factory->make();
  // One move from winning: 83-79.
  Position p;
  p.board[8] = 1;
  p.board[9] = 1;
  p.kazan = {81, 79};
  for (const Position& position : {p, p.swapped(kStandard)}) {
    player->newGame(Rules(), 1);
    const Choice choice = player->choose(Game(Rules(), position), std::nullopt);
    EXPECT_EQ(choice.pit, 8);
    EXPECT_GT(choice.winLoss.value(), 0.9f);
    EXPECT_GT(choice.margin.value(), 3.0f);
  }
}

TEST(ModelPlayerTest, ABeginnersLevelBringsVariety) {
  EngineSettings settings;
  settings.level = 1;
  const auto weak = makeModelFactory(smallNetwork(Rules(), 1), settings, "weak")->make();
  std::set<int> picked;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    weak->newGame(Rules(), seed);
    picked.insert(weak->choose(Game(), std::nullopt).pit);
  }
  EXPECT_GT(picked.size(), 3u);
}

TEST(ModelPlayerTest, FromAFileOfTheRightVariant) {
  const auto path =
      std::filesystem::temp_directory_path() / ("toguz_arena_" + std::to_string(getpid()) + ".net");
  saveModel(randomModel(Rules::named("seven"), {.width = 16, .blocks = 1}, 1), path);
  const auto factory =
      parsePlayer("model:" + path.string() + ",nodes=4,threads=2", Rules::named("seven"));
  EXPECT_EQ(factory->name(), "model:" + path.string() + ",nodes=4,threads=2");
  const auto player = factory->make();
  player->newGame(Rules::named("seven"), 1);
  EXPECT_EQ(player->choose(Game(Rules::named("seven")), std::nullopt).nodes, 4u);
  const auto int8 =
      parsePlayer("model:" + path.string() + ",nodes=4,precision=int8", Rules::named("seven"))
          ->make();
  int8->newGame(Rules::named("seven"), 1);
  EXPECT_EQ(int8->choose(Game(Rules::named("seven")), std::nullopt).nodes, 4u);
  try {
    parsePlayer("model:" + path.string(), Rules());
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("--variant seven"), std::string::npos);
  }
  std::filesystem::remove(path);
}

// A player against itself says something only if its games differ; with ties they do, and are
// still the same at any concurrency.
TEST(ModelPlayerTest, TiesMakeGamesDifferBySeedAlone) {
  const Rules rules;
  const auto network = smallNetwork(rules, 1);
  const auto plain = makeModelFactory(network, {.nodes = 24}, "a");
  const auto tied = makeModelFactory(network, {.nodes = 24, .ties = kKinTies}, "a");
  MatchOptions options;
  options.games = 40;
  options.openings = randomOpenings(rules, 4, 20, 1);
  EXPECT_EQ(playMatch(*plain, *plain, options).distinctGames, 20);
  const MatchResult one = playMatch(*tied, *tied, options);
  EXPECT_GE(one.distinctGames, 38);
  options.concurrency = 3;
  const MatchResult three = playMatch(*tied, *tied, options);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(one.games[i].moves, three.games[i].moves);
  options.seed = 2;
  const MatchResult other = playMatch(*tied, *tied, options);
  int same = 0;
  for (std::size_t i = 0; i < 40; ++i) same += one.games[i].moves == other.games[i].moves;
  EXPECT_LE(same, 2);
}

}  // namespace
}  // namespace toguz
