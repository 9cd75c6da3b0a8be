#include "play/engine.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.h"
#include "core/position_text.h"
#include "tests/play/client.h"

namespace toguz {
namespace {

using testing::opinionatedNetwork;

Game gameFrom(const Rules& rules, const std::string& fen) {
  return Game(rules, parsePosition(rules, fen).position);
}

bool sameSearch(const SearchReport& a, const SearchReport& b) {
  return a.bestPit == b.bestPit && a.info.nodes == b.info.nodes &&
         a.info.best().pv == b.info.best().pv && a.info.best().winLoss == b.info.best().winLoss &&
         a.info.best().margin == b.info.best().margin &&
         std::equal(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(),
                    [](const RootMove& x, const RootMove& y) {
                      return x.pit == y.pit && x.visits == y.visits && x.winLoss == y.winLoss;
                    });
}

TEST(Engine, ReportsEveryLegalMoveAndAllVisits) {
  Engine engine;
  const SearchReport report = engine.search({.nodes = 400});
  ASSERT_TRUE(report.bestPit);
  EXPECT_EQ(report.info.nodes, 400u);
  EXPECT_EQ(report.info.best().pv.front(), *report.bestPit);
  ASSERT_EQ(report.moves.size(), 9u);
  std::uint32_t visits = 0;
  for (const RootMove& move : report.moves) visits += move.visits;
  EXPECT_EQ(visits, 399u);  // the first visit is the root's own
  EXPECT_GE(report.info.best().winRate(), 0);
  EXPECT_LE(report.info.best().winRate(), 100);
}

TEST(Engine, TakesAWinInOneForEitherSide) {
  for (const char* fen : {"4,7S,3,1S/1S,1S,6,2S 80 70 S 50", "2S,6,1S,1S/1S,3,7S,4 70 80 N 50"}) {
    for (const bool network : {false, true}) {
      Engine engine;
      if (network) engine.setNetwork(opinionatedNetwork(Rules()));
      engine.setPosition(gameFrom(Rules(), fen));
      const SearchReport report = engine.search({.nodes = 1000});
      EXPECT_EQ(*report.bestPit, 8) << fen;
      EXPECT_GT(report.info.best().winRate(), 99) << fen;
      EXPECT_GT(report.info.best().margin, 0) << fen;
    }
  }
}

TEST(Engine, AFinishedGameIsAnsweredAtOnce) {
  Engine engine;
  engine.setPosition(gameFrom(Rules(), "8,3S/9 79 80 S 60"));
  const SearchReport report = engine.search({});
  EXPECT_FALSE(report.bestPit);
  EXPECT_TRUE(report.moves.empty());
  EXPECT_EQ(report.info.best().winRate(), 0);
  EXPECT_EQ(report.info.best().margin, -4);
}

// Every line ends within a few plies: no evaluation interrupts the walks, yet limits hold.
TEST(Engine, LimitsHoldWhereEveryLineIsFinished) {
  Engine engine;
  engine.setPosition(gameFrom(Rules(), "9/7,1S,1S 80 80 S 50"));
  const SearchReport byNodes = engine.search({.nodes = 100'000});
  EXPECT_EQ(byNodes.info.nodes, 100'000u);
  engine.clear();
  const auto start = std::chrono::steady_clock::now();
  engine.search({.moveTimeMs = 30});
  EXPECT_LT(testing::msSince(start), 1000);
}

TEST(Engine, SameCallsSameAnswers) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(variant);
    for (const bool network : {false, true}) {
      Engine a(rules), b(rules);
      if (network) {
        a.setNetwork(opinionatedNetwork(rules));
        b.setNetwork(opinionatedNetwork(rules));
      }
      Game game(rules);
      for (int ply = 0; ply < 6 && !game.over(); ++ply) {
        a.setPosition(game);
        b.setPosition(game);
        const SearchReport report = a.search({.nodes = 1500});
        EXPECT_TRUE(sameSearch(report, b.search({.nodes = 1500}))) << variant << " ply " << ply;
        game.play(*report.bestPit);
      }
    }
  }
}

TEST(Engine, ClearForgetsWhatWasSearched) {
  Engine engine(opinionatedNetwork(Rules()));
  const SearchReport first = engine.search({.nodes = 700});
  engine.search({.nodes = 2000});
  engine.clear();
  EXPECT_TRUE(sameSearch(first, engine.search({.nodes = 700})));
}

TEST(Engine, TheTreeGoesOnWithTheGame) {
  Engine engine(opinionatedNetwork(Rules()));
  Game game;
  const SearchReport first = engine.search({.nodes = 6000});
  ASSERT_GE(first.info.best().pv.size(), 2u);
  game.play(first.info.best().pv[0]);
  game.play(first.info.best().pv[1]);
  engine.setPosition(game);
  const SearchReport reused = engine.search({.nodes = 1});
  EXPECT_GT(reused.info.nodes, 100u);
  engine.search({.nodes = 6000});

  Engine fresh(opinionatedNetwork(Rules()));
  fresh.setPosition(game);
  const SearchReport other = fresh.search({.nodes = 6000});
  const SearchReport again = engine.search({.nodes = 6000});
  EXPECT_EQ(again.info.nodes, 6000u);
  // Not the same tree, but the same judgement.
  EXPECT_NEAR(again.info.best().winLoss, other.info.best().winLoss, 0.1);
  const auto visits = [](const SearchReport& report, int pit) {
    for (const RootMove& move : report.moves)
      if (move.pit == pit) return move.visits;
    return 0u;
  };
  EXPECT_GT(visits(other, *again.bestPit), 6000u / 10);
}

TEST(Engine, AnotherGameStartsAnotherTree) {
  Engine engine(opinionatedNetwork(Rules()));
  engine.search({.nodes = 3000});
  Game game;
  game.play(6);
  engine.setPosition(game);
  engine.search({.nodes = 3000});
  Game other;
  other.play(4);
  engine.setPosition(other);  // takes a move back and plays another
  EXPECT_EQ(engine.search({.nodes = 1}).info.nodes, 1u);
  engine.setPosition(Game());
  EXPECT_EQ(engine.search({.nodes = 1}).info.nodes, 1u);
  engine.setPosition(Game(Rules(), 100));  // another ply cap is another game
  EXPECT_EQ(engine.search({.nodes = 1}).info.nodes, 1u);
}

TEST(Engine, FollowsAGameOfOtherRules) {
  Engine engine;
  engine.search({.nodes = 50});
  const Rules rules = Rules::named("bestemshe");
  engine.setPosition(Game(rules));
  EXPECT_EQ(engine.search({.nodes = 50}).moves.size(), 5u);
}

TEST(Engine, NoNoiseAnywhere) {
  // A search of few nodes visits moves in the order of the priors, whatever the seed.
  EngineOptions options;
  options.seed = 1;
  Engine a(opinionatedNetwork(Rules()), options);
  options.seed = 2;
  Engine b(opinionatedNetwork(Rules()), options);
  EXPECT_TRUE(sameSearch(a.search({.nodes = 500}), b.search({.nodes = 500})));
}

TEST(Engine, InfoComesAtTheEndAndMeanwhile) {
  Engine engine;
  std::vector<std::uint64_t> nodes;
  engine.search({.moveTimeMs = 600}, [&](const SearchInfo& info) { nodes.push_back(info.nodes); });
  EXPECT_GE(nodes.size(), 2u);
  EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
}

TEST(Engine, AFailureWithinASearchLeavesAUsableEngine) {
  Engine engine;
  const SearchReport before = engine.search({.nodes = 100});
  engine.clear();
  EXPECT_THROW(engine.search({.nodes = 100}, [](const SearchInfo&) { throw Error("full"); }),
               Error);
  EXPECT_TRUE(sameSearch(before, engine.search({.nodes = 100})));
}

TEST(Engine, MisuseIsNamed) {
  Engine engine;
  EXPECT_THROW(engine.search({.infinite = true}), UsageError);
  EXPECT_THROW(engine.search({.nodes = 0}), UsageError);
  EXPECT_THROW(engine.setNetwork(opinionatedNetwork(Rules::named("seven"))), UsageError);
  engine.setNetwork(opinionatedNetwork(Rules()));
  EXPECT_THROW(engine.setPosition(Game(Rules::named("seven"))), UsageError);
  EXPECT_EQ(engine.rules().name(), "standard");
  EngineOptions options;
  options.params.selection = Selection::Gumbel;
  EXPECT_THROW(engine.setOptions(options), UsageError);
  EXPECT_THROW(Engine::loadNetwork("no such model"), Error);
}

}  // namespace
}  // namespace toguz
