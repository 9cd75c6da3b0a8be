// The protocol's level, multi-PV, ponder and seed.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <thread>

#include "tests/play/client.h"

namespace toguz {
namespace {

using namespace std::chrono_literals;
using testing::Client;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

Engine::Network network() {
  return std::make_shared<const NativeNetwork>(randomModel(Rules(), {.width = 16, .blocks = 1}, 3));
}

TEST(ProtocolMultiPv, ALineForEachMoveTheBestFirst) {
  Client client("standard", network());
  client.send("setoption name MultiPV value 3");
  const auto answer = client.search("go nodes 300");
  ASSERT_EQ(answer.size(), 4u);
  std::set<std::string> first;
  for (int k = 1; k <= 3; ++k) {
    const std::string& line = answer[static_cast<std::size_t>(k - 1)];
    EXPECT_THAT(line, StartsWith("info multipv " + std::to_string(k) + " nodes 300 "));
    first.insert(line.substr(line.find(" pv ") + 4, 2));
  }
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(answer[3].substr(9, 2), answer[0].substr(answer[0].find(" pv ") + 4, 2));
  client.send("setoption name MultiPV value 1");
  EXPECT_THAT(client.search("go nodes 300")[0], StartsWith("info nodes 300 "));
}

TEST(ProtocolMultiPv, NoMoreLinesThanMoves) {
  Client client;
  client.send("setoption name MultiPV value 9");
  client.send("position fen 8,1S/2S,7,1S 79 79 S 1");
  EXPECT_EQ(client.search("go nodes 200").size(), 3u);
}

TEST(ProtocolLevel, SetsTheNodesAndDrawsByTheSeed) {
  const auto net = network();
  std::set<std::string> picked;
  for (int seed = 1; seed <= 30; ++seed) {
    std::string before;
    for (int again = 0; again < 2; ++again) {
      Client client("standard", net);
      client.send("setoption name Level value 1");
      client.send("setoption name Seed value " + std::to_string(seed));
      const auto answer = client.search("go movetime 2000");
      EXPECT_THAT(answer[0], StartsWith("info nodes 1 "));
      if (again) {
        EXPECT_EQ(answer.back(), before);
      }
      before = answer.back();
      picked.insert(before);
    }
  }
  EXPECT_GT(picked.size(), 2u);
}

TEST(ProtocolLevel, WithoutASeedGamesDiffer) {
  Client client("standard", network());
  client.send("setoption name Level value 1");
  std::set<std::string> picked;
  for (int game = 0; game < 40; ++game) {
    client.send("newgame");
    picked.insert(client.bestMove("go"));
  }
  EXPECT_GT(picked.size(), 2u);
}

TEST(ProtocolPonder, AHitCountsTheLimitsFromThenAndKeepsTheTree) {
  Client client("standard", network());
  client.send("go ponder nodes 50");
  std::this_thread::sleep_for(50ms);  // far more than fifty nodes by now
  EXPECT_THAT(client.take(), Not(::testing::Contains(StartsWith("bestmove"))));
  client.send("ponderhit");
  EXPECT_THAT(client.await("bestmove", 5s), MatchesRegex("bestmove [1-9][1-9]X?"));

  client.take();
  client.send("go ponder movetime 150");
  std::this_thread::sleep_for(250ms);
  const auto hit = std::chrono::steady_clock::now();
  client.send("ponderhit");
  EXPECT_THAT(client.await("bestmove", 5s), StartsWith("bestmove"));
  EXPECT_GT(testing::msSince(hit), 100);
  EXPECT_THAT(client.ask("stop"), IsEmpty());
}

TEST(ProtocolPonder, ALevelStaysALevel) {
  Client client("standard", network());
  client.send("setoption name Level value 7");
  const auto nodes = levelOf(Rules(), 7).nodes;
  client.send("go ponder wtime 60000 btime 60000");
  std::this_thread::sleep_for(100ms);
  client.send("ponderhit");
  EXPECT_THAT(client.await("info", 5s), StartsWith("info nodes " + std::to_string(nodes) + " "));
  client.await("bestmove", 5s);
  client.send("setoption name Level value 10");
  client.search("go nodes 3000");
  client.send("setoption name Level value 7");
  EXPECT_THAT(client.search("go")[0], StartsWith("info nodes " + std::to_string(nodes) + " "));
}

// A large tree is not carried over while a stop waits.
TEST(ProtocolPonder, AStopIsHeardWhileATreeIsKept) {
  Client client("standard", network());
  std::vector<double> latency;
  for (int round = 0; round < 3; ++round) {
    client.send("position startpos");
    client.send("go infinite");
    std::this_thread::sleep_for(700ms);
    client.send("stop");
    client.await("bestmove", 5s);
    client.send("position startpos moves 7");
    client.send("go infinite");
    const auto start = std::chrono::steady_clock::now();
    client.send("stop");
    EXPECT_THAT(client.await("bestmove", 5s), StartsWith("bestmove"));
    latency.push_back(testing::msSince(start));
  }
  EXPECT_LT(*std::min_element(latency.begin(), latency.end()), 20);
}

TEST(ProtocolPonder, StopOrAnotherCommandEndsIt) {
  Client client("standard", network());
  client.send("go ponder wtime 1000 btime 1000");
  client.send("stop");
  EXPECT_THAT(client.await("bestmove", 5s), StartsWith("bestmove"));
  EXPECT_THAT(client.ask("ponderhit"), ElementsAre(StartsWith("error ponderhit without")));
  client.send("go ponder");
  const auto answer = client.ask("position startpos moves 7");
  EXPECT_THAT(answer, ::testing::Contains(StartsWith("bestmove")));
  EXPECT_THAT(client.ask("ponderhit"), ElementsAre(StartsWith("error")));
}

TEST(ProtocolPonder, TheReplyIsNamedWhereItIsAskedFor) {
  Client client("standard", network());
  EXPECT_THAT(client.bestMove("go nodes 300"), MatchesRegex("[1-9][1-9]X?"));
  client.send("setoption name Ponder value true");
  EXPECT_THAT(client.bestMove("go nodes 300"), MatchesRegex("[1-9][1-9]X? ponder [1-9][1-9]X?"));
  EXPECT_THAT(client.ask("setoption name Ponder value perhaps"),
              ElementsAre(HasSubstr("neither true nor false")));
}

TEST(ProtocolOptionLines, AreAllThere) {
  Client client;
  const auto lines = client.ask("uci");
  EXPECT_THAT(lines, ::testing::IsSupersetOf({"option name Level type spin default 10 min 1 max 10",
                                              "option name MultiPV type spin default 1 min 1 max 9",
                                              "option name Ponder type check default false",
                                              "option name Seed type spin default 0 min 0 max "
                                              "1000000000"}));
}

}  // namespace
}  // namespace toguz
