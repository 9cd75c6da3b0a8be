#include "arena/match_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <unistd.h>

#include "arena/match_report.h"
#include "arena/player_factories.h"
#include "base/error.h"
#include "base/file.h"
#include "search/playout_evaluator.h"
#include "tests/arena/scripted_players.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using test::ScriptedFactory;
using testing::HasSubstr;

class MatchJournalTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("toguz_journal_" + std::to_string(::getpid()) + ".jsonl");
    fs::remove(path_);
    options_.rules = Rules(kBestemshe);
    options_.games = 30;
    options_.openings = randomOpenings(options_.rules, 3, 15, 1);
    options_.keepOpinions = true;
  }
  void TearDown() override { fs::remove(path_); }

  MatchResult play(const MatchOptions& options) const {
    return playMatch(*makeAlphaBetaFactory(options.rules, {.depth = 2}), *makeGreedyFactory(),
                     options);
  }
  // With the journal; stopped once `most` games are in it.
  MatchResult playWithJournal(int most) {
    MatchJournal journal(path_, asked_, options_);
    MatchOptions options = options_;
    std::atomic<bool> stop{false};
    std::atomic<int> done{0};
    options.stop = &stop;
    options.concurrency = 2;
    options.played = journal.played();
    options.onGame = [&](const MatchGame& game) {
      journal.add(game);
      if (++done >= most) stop = true;
    };
    return play(options);
  }
  std::string fault(const nlohmann::json& asked) const {
    try {
      MatchJournal(path_, asked, options_);
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_.string()));
      return error.what();
    }
    return "";
  }
  std::string records(const MatchResult& result) const {
    std::string text;
    for (const GameText& game : matchRecords(result, options_, false)) text += pgnText(game);
    return text;
  }

  fs::path path_;
  MatchOptions options_;
  nlohmann::json asked_ = {{"seed", 1}};
};

TEST_F(MatchJournalTest, AMatchStoppedTwiceIsTheSameMatch) {
  const MatchResult straight = play(options_);
  EXPECT_TRUE(playWithJournal(7).interrupted);
  EXPECT_TRUE(playWithJournal(9).interrupted);
  const MatchResult whole = playWithJournal(1000);
  EXPECT_FALSE(whole.interrupted);
  EXPECT_EQ(whole.tally, straight.tally);
  EXPECT_EQ(whole.pairs, straight.pairs);
  EXPECT_EQ(records(whole), records(straight));
  EXPECT_EQ(whole.a.nodes, straight.a.nodes);
  EXPECT_EQ(MatchJournal(path_, asked_, options_).played().size(), 30u);
}

TEST_F(MatchJournalTest, AHalfWrittenLastLineIsDropped) {
  playWithJournal(5);
  const std::string whole = readFile(path_);
  const std::size_t games = MatchJournal(path_, asked_, options_).played().size();
  std::ofstream(path_, std::ios::app) << "{\"index\":29,\"mov";
  EXPECT_EQ(MatchJournal(path_, asked_, options_).played().size(), games);
  EXPECT_EQ(readFile(path_), whole);
  // Of the first line, too.
  std::ofstream(path_, std::ios::trunc) << "{\"asked\":{\"se";
  EXPECT_EQ(MatchJournal(path_, asked_, options_).played().size(), 0u);
}

TEST_F(MatchJournalTest, WhatIsNotThisMatchIsRefused) {
  playWithJournal(5);
  EXPECT_THAT(fault({{"seed", 2}}), HasSubstr("another match"));
  const std::string text = readFile(path_);
  const auto broken = [&](const std::string& line) {
    std::ofstream(path_, std::ios::trunc) << text << line << "\n";
    return fault(asked_);
  };
  EXPECT_THAT(broken("nonsense"), HasSubstr("no game of this match"));
  EXPECT_THAT(broken("{\"index\":99}"), HasSubstr("no such place"));
  const std::string game = text.substr(text.find('\n') + 1);
  EXPECT_THAT(broken(game.substr(0, game.find('\n'))), HasSubstr("there already"));
  std::ofstream(path_, std::ios::trunc) << "# a text of mine\n";
  EXPECT_THAT(fault(asked_), HasSubstr("no journal"));
  EXPECT_EQ(readFile(path_), "# a text of mine\n");
  std::ofstream(path_, std::ios::trunc) << "a text without an end";
  EXPECT_THAT(fault(asked_), HasSubstr("no journal"));
}

TEST_F(MatchJournalTest, OnlyOneMatchWritesToIt) {
  const MatchJournal journal(path_, asked_, options_);
  EXPECT_THROW(MatchJournal(path_, asked_, options_), Error);
}

// Both say that the first player wins from `ply` on.
ScriptedFactory sureFrom(int ply, float winLoss) {
  return {"sure", [ply, winLoss](const Game& game, const std::optional<Clock>&, Rng& rng) {
            Choice choice;
            choice.pit = randomPit(game.legal(), rng);
            choice.winLoss = 0.0f;
            if (game.ply() >= ply)
              choice.winLoss = game.position().side == Side::First ? winLoss : -winLoss;
            return choice;
          }};
}

TEST(Adjudication, EndsAGameOnceBothHaveAgreedLongEnough) {
  MatchOptions options;
  options.rules = Rules(kStandard);
  options.games = 4;
  options.openings = randomOpenings(options.rules, 4, 2, 1);
  options.adjudication = {.winRate = 0.95f, .plies = 6};
  const ScriptedFactory sure = sureFrom(10, 0.92f);
  const MatchResult result = playMatch(sure, sure, options);
  EXPECT_EQ(result.adjudicated, 4);
  for (const MatchGame& game : result.games) {
    EXPECT_EQ(game.end, GameEnd::Adjudicated);
    EXPECT_EQ(game.result, Result::FirstWins);
    EXPECT_EQ(game.moves.size(), 16u);
  }
  EXPECT_EQ(result.a.faults + result.b.faults, 0);
  EXPECT_EQ(matchJson(result)["adjudicated"], 4);
  EXPECT_THAT(matchText(result), HasSubstr("4 adjudicated"));
  EXPECT_EQ(matchRecords(result, options, false)[0].result, "1-0");

  // Not sure enough; or only one of the two sure.
  const ScriptedFactory unsure = sureFrom(10, 0.88f);
  EXPECT_EQ(playMatch(unsure, unsure, options).adjudicated, 0);
  EXPECT_EQ(playMatch(sure, unsure, options).adjudicated, 0);
}

TEST(Openings, BalancedOnesAreEvenInTheEyesOfTheNeutralPlayer) {
  const Rules rules(kStandard);
  const auto balanced = balancedOpenings(rules, 8, 3, 20, 5);
  ASSERT_EQ(balanced.size(), 20u);
  Rng rng(1);
  AlphaBeta neutral(rules);
  for (const Opening& opening : balanced) {
    EXPECT_EQ(opening.moves.size(), 8u);
    neutral.newGame();
    EXPECT_LE(std::abs(neutral.search(opening.game(rules), {.depth = kBalanceDepth}, rng).score),
              3);
  }
  EXPECT_EQ(parseOpenings(rules, "balanced:8:3", 20, 5).size(), 20u);
  for (const char* bad : {"balanced:", "balanced:x", "balanced:4:5:6", "balanced:-1", "games:3",
                          "games:x:file", "games:6:/no/such/file"})
    EXPECT_THROW(parseOpenings(rules, bad, 4, 1), UsageError) << bad;
}

TEST(Openings, OfRecordedGames) {
  const Rules rules(kStandard);
  const std::string file = std::string(TOGUZ_TEST_DATA) + "/games/games.tsv";
  const auto openings = parseOpenings(rules, "games:10:" + file, 50, 3);
  ASSERT_EQ(openings.size(), 50u);
  for (const Opening& opening : openings) {
    EXPECT_EQ(opening.moves.size(), 10u);
    EXPECT_FALSE(opening.game(rules).over());
  }
  // Another order under another seed, the same under the same.
  const auto again = parseOpenings(rules, "games:10:" + file, 50, 3);
  const auto other = parseOpenings(rules, "games:10:" + file, 50, 4);
  EXPECT_EQ(again[7].moves, openings[7].moves);
  EXPECT_NE(other[0].moves == openings[0].moves && other[1].moves == openings[1].moves, true);
  EXPECT_THROW(parseOpenings(Rules(kSeven), "games:10:" + file, 5, 1), UsageError);
}

}  // namespace
}  // namespace toguz
