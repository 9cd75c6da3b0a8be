#include "arena/league.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "models/model.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LeagueTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("toguz_league_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
    options_.rules = Rules(kBestemshe);
    options_.openingPlies = 3;
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string fault(std::vector<std::string> players, const std::string& file = "") {
    try {
      League league(std::move(players), options_, file.empty() ? fs::path() : root_ / file);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  fs::path root_;
  LeagueOptions options_;
};

TEST(NextPairing, FirstTiesNeighboursThenGoesWhereTheOutcomeIsOpenAndUnsure) {
  std::vector<PairResult> results;
  const auto fit = [&] { return fitLeague(4, results, 0); };
  using Pair = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(nextPairing(results, fit()), Pair(0, 1));
  results.push_back({0, 1, 20, 0});
  EXPECT_EQ(nextPairing(results, fit()), Pair(1, 2));
  results.push_back({1, 2, 20, 10});
  results.push_back({2, 3, 20, 10});
  // How far all of them are above 0 is well known; of the open differences, that of the two who
  // never met is the least sure.
  results[0] = {0, 1, 2000, 200};
  EXPECT_EQ(nextPairing(results, fit()), Pair(1, 3));
}

TEST_F(LeagueTest, RanksPlayersOfKnownOrder) {
  League league({"random", "greedy", "alphabeta:depth=4"}, options_);
  while (league.gamesPlayed() < 200) ASSERT_TRUE(league.step());
  const auto standings = league.standings();
  ASSERT_EQ(standings.size(), 3u);
  EXPECT_EQ(standings[0].player, "alphabeta:depth=4");
  EXPECT_EQ(standings[2].player, "random");
  EXPECT_EQ(standings[2].rating.elo, 0.0);
  EXPECT_GT(standings[0].rating.elo, standings[1].rating.elo + 50);
  EXPECT_THAT(standingsText(standings), HasSubstr("alphabeta:depth=4"));
  EXPECT_EQ(standingsJson(standings).size(), 3u);
  EXPECT_THAT(league.lastStep(), HasSubstr("against"));
}

TEST_F(LeagueTest, GoesOnFromItsFileAndKeepsResultsOfPlayersNotHere) {
  {
    League league({"random", "greedy", "alphabeta:depth=2"}, options_, root_ / "r.json");
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(league.step());
    EXPECT_EQ(league.gamesPlayed(), 80);
  }
  {
    // Another order, one player fewer and one more.
    League league({"greedy", "random", "alphabeta:depth=1"}, options_, root_ / "r.json");
    EXPECT_GT(league.gamesPlayed(), 0);
    EXPECT_LT(league.gamesPlayed(), 80);
    ASSERT_TRUE(league.step());
    // The anchor is the first one named.
    for (const Standing& s : league.standings()) {
      if (s.player == "greedy") {
        EXPECT_EQ(s.rating.elo, 0.0);
      }
      if (s.player == "random") {
        EXPECT_LT(s.rating.elo, 0.0);
      }
    }
  }
  League again({"random", "greedy", "alphabeta:depth=2", "alphabeta:depth=1"}, options_,
               root_ / "r.json");
  EXPECT_EQ(again.gamesPlayed(), 100);
}

TEST_F(LeagueTest, AStoppedStepCountsForNothing) {
  std::atomic<bool> stop{true};
  options_.stop = &stop;
  League league({"random", "greedy"}, options_, root_ / "r.json");
  EXPECT_FALSE(league.step());
  EXPECT_EQ(league.gamesPlayed(), 0);
  EXPECT_FALSE(fs::exists(root_ / "r.json"));
  for (const Standing& s : league.standings()) EXPECT_EQ(s.games, 0);
}

TEST_F(LeagueTest, FaultsAreNamed) {
  EXPECT_THAT(fault({"random"}), HasSubstr("two players"));
  EXPECT_THAT(fault({"random", "random"}), HasSubstr("twice"));
  EXPECT_THAT(fault({"random", "gredy"}), HasSubstr("greedy"));
  std::ofstream(root_ / "bad.json") << "{\"variant\":";
  EXPECT_THAT(fault({"random", "greedy"}, "bad.json"),
              HasSubstr("bad.json: not a file of results"));
  std::ofstream(root_ / "seven.json") << R"({"variant":"seven","steps":0,"results":[]})";
  EXPECT_THAT(fault({"random", "greedy"}, "seven.json"), HasSubstr("variant seven"));
  std::ofstream(root_ / "sum.json")
      << R"({"variant":"bestemshe","steps":1,"results":[{"a":"random","b":"greedy","games":2,"score":3}]})";
  EXPECT_THAT(fault({"random", "greedy"}, "sum.json"), HasSubstr("cannot be"));
}

TEST_F(LeagueTest, TheLadderIsOfPlayersThatExist) {
  const auto ladder = ladderPlayers(options_.rules, root_);
  EXPECT_EQ(ladder.front(), "random");
  EXPECT_EQ(fault(ladder), "");
  saveModel(randomModel(options_.rules, {.width = 16, .blocks = 1}, 1), root_ / "bestemshe.tzn");
  const auto withEngine = ladderPlayers(options_.rules, root_);
  EXPECT_EQ(withEngine.size(), ladder.size() + 2);
  EXPECT_EQ(fault(withEngine), "");
}

// A run's best.tzn is another network each day: results of the earlier one must not be its.
TEST_F(LeagueTest, AModelFileThatChangedIsAnotherPlayer) {
  const std::string file = (root_ / "best.tzn").string(), name = "model:" + file + ",nodes=2";
  const auto save = [&](std::uint64_t seed) {
    saveModel(randomModel(options_.rules, {.width = 16, .blocks = 1}, seed), file);
  };
  save(1);
  {
    League league({"random", name}, options_, root_ / "r.json");
    ASSERT_TRUE(league.step());
  }
  EXPECT_EQ(League({"random", name}, options_, root_ / "r.json").gamesPlayed(), 20);
  const std::string old = hash128Hex(readFile(file));
  save(2);
  {
    League league({"random", name}, options_, root_ / "r.json");
    EXPECT_EQ(league.gamesPlayed(), 0);
    ASSERT_TRUE(league.step());
  }
  save(3);
  {
    League league({"random", name}, options_, root_ / "r.json");
    EXPECT_EQ(league.gamesPlayed(), 0);
    ASSERT_TRUE(league.step());
  }
  EXPECT_EQ(League({"random", name}, options_, root_ / "r.json").gamesPlayed(), 20);
  save(1);  // the first one again, and its results with it
  EXPECT_EQ(League({"random", name}, options_, root_ / "r.json").gamesPlayed(), 20);
  save(3);
  const auto kept = nlohmann::json::parse(readFile(root_ / "r.json"));
  EXPECT_EQ(kept["results"].size(), 3u);
  EXPECT_THAT(kept.dump(), HasSubstr(name + "#" + old.substr(0, 8)));
  EXPECT_EQ(kept["files"][name + "#" + old.substr(0, 8)], old);
}

}  // namespace
}  // namespace toguz
