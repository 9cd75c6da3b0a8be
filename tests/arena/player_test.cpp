#include "arena/player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <set>

#include "arena/player_factories.h"
#include "base/error.h"
#include "base/rng.h"
#include "search/playout_evaluator.h"

namespace toguz {
namespace {

std::string errorOf(const std::string& text) {
  try {
    parsePlayer(text, Rules());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ParsePlayerTest, KnownFormsKeepTheirNames) {
  for (const char* text : {"random", "greedy", "alphabeta:depth=3", "alphabeta:movetime=5",
                           "mcts:nodes=10", "exec:cat"}) {
    const auto factory = parsePlayer(text, Rules());
    EXPECT_EQ(factory->name(), text);
    EXPECT_NE(factory->make(), nullptr);
  }
}

TEST(ParsePlayerTest, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"randum", "did you mean 'random'"},
      {"alphabta:depth=3", "did you mean 'alphabeta'"},
      {"", "known:"},
      {"random:", "takes no options"},
      {"greedy:x=1", "takes no options"},
      {"alphabeta", "alphabeta:depth=N"},
      {"alphabeta:", "alphabeta:depth=N"},
      {"alphabeta:dept=3", "did you mean 'depth'"},
      {"alphabeta:depth", "depth=NUMBER"},
      {"alphabeta:depth=", "whole number from 1"},
      {"alphabeta:depth=0", "whole number from 1"},
      {"alphabeta:depth=65", "to 64, not '65'"},
      {"alphabeta:depth=3x", "not '3x'"},
      {"alphabeta:depth=3,depth=4", "twice"},
      {"alphabeta:depth=99999999999999999999", "whole number"},
      {"mcts", "mcts:nodes=N"},
      {"mcts:nodes=-4", "whole number"},
      {"mcts:node=4", "did you mean 'nodes'"},
      {"model", "model:PATH"},
      {"model:", "model:PATH"},
      {"model:nodes=5", "model:PATH"},
      {"model:net.bin,nodez=5", "did you mean 'nodes'"},
      {"model:net.bin,threads=0", "1 to 256"},
      {"model:net.bin,level=11", "1 to 10"},
      {"model:net.bin,precision", "precision=WORD"},
      {"model:net.bin,precision=int4", "fp32, int8 or auto, not 'int4'"},
      {"model:net.bin,precison=int8", "did you mean 'precision'"},
      {"model:net.bin,cpuct=0", "cpuct wants a number from 0.01 to 100"},
      {"model:net.bin,fpu=nan", "fpu wants a number"},
      {"model:net.bin,margin=2", "margin wants a number from 0 to 1"},
      {"model:net.bin,batch=0", "1 to 256"},
      {"model:net.bin,loss=2", "loss wants a number from 0 to 1"},
      {"model:net.bin,ties=-1", "ties wants a number from 0 to 1"},
      {"model:net.bin,level=1,level=2", "twice"},
      {"exec:", "exec:COMMAND"},
      {"exec:  ", "exec:COMMAND"},
      {"exec", "exec:COMMAND"},
  };
  for (const auto& [text, part] : cases) {
    const std::string message = errorOf(text);
    EXPECT_NE(message.find(part), std::string::npos) << text << " -> " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(ParsePlayerTest, AMissingModelIsNamed) {
  try {
    parsePlayer("model:/no/such/net.bin,nodes=5", Rules());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/net.bin"), std::string::npos);
  }
}

TEST(ParsePlayerTest, ALevelHasNodesOfItsOwn) {
  for (const char* limit : {"nodes=5", "movetime=5"}) {
    try {
      parsePlayer(std::string("model:/no/such/net.bin,level=3,") + limit, Rules());
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("leave out nodes"), std::string::npos);
    }
  }
}

// Every built-in player in every variant: legal moves to the end, the same for the same seed.
TEST(BuiltinPlayersTest, PlayWholeGamesRepeatably) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    for (const char* text :
         {"random", "greedy", "alphabeta:depth=2", "alphabeta:depth=4", "mcts:nodes=8"}) {
      const auto factory = parsePlayer(text, rules);
      const auto player = factory->make();
      const auto moves = [&](Player& who, std::uint64_t seed) {
        Game game(rules);
        who.newGame(rules, seed);
        while (!game.over()) game.play(who.choose(game, std::nullopt).pit);
        return game.moves();
      };
      const auto first = moves(*player, 1);
      const auto second = moves(*player, 2);
      EXPECT_NE(first, second) << name << " " << text;
      EXPECT_EQ(moves(*player, 1), first) << name << " " << text;
      EXPECT_EQ(moves(*factory->make(), 1), first) << name << " " << text;
    }
  }
}

TEST(GreedyTest, TakesMostAndInGiveawayLeast) {
  Rng rng(3);
  for (const bool giveaway : {false, true}) {
    const Rules rules = Rules::named(giveaway ? "giveaway" : "standard");
    const auto player = makeGreedyFactory()->make();
    player->newGame(rules, 1);
    int choices = 0;
    for (int i = 0; i < 40; ++i) {
      Game game(rules);
      while (!game.over()) {
        const Position& p = game.position();
        const auto mover = static_cast<std::size_t>(index(p.side));
        std::vector<int> gains;
        for (PitMask rest = game.legal(); rest; rest &= rest - 1)
          gains.push_back(play(rules, p, std::countr_zero(rest)).kazan[mover] - p.kazan[mover]);
        const int wanted = giveaway ? *std::min_element(gains.begin(), gains.end())
                                    : *std::max_element(gains.begin(), gains.end());
        const int pit = player->choose(game, std::nullopt).pit;
        ASSERT_EQ(play(rules, p, pit).kazan[mover] - p.kazan[mover], wanted);
        ++choices;
        game.play(randomPit(game.legal(), rng));
      }
    }
    EXPECT_GT(choices, 1000);
  }
}

TEST(GreedyTest, TiesGoToChance) {
  const auto player = makeGreedyFactory()->make();
  std::set<int> picked;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    player->newGame(Rules(), seed);
    picked.insert(player->choose(Game(), std::nullopt).pit);
  }
  EXPECT_GT(picked.size(), 4u);
}

TEST(AlphaBetaPlayerTest, KeepsToTheClock) {
  const auto player = parsePlayer("alphabeta:movetime=10000", Rules())->make();
  player->newGame(Rules(), 1);
  const auto start = std::chrono::steady_clock::now();
  player->choose(Game(), Clock{100, 0});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(90));
}

}  // namespace
}  // namespace toguz
