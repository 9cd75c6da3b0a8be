// Searches in their own thread: limits, stopping, and lines that come meanwhile.
#include <gmock/gmock.h>

#include <algorithm>
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
using testing::msSince;
using ::testing::Not;
using ::testing::StartsWith;
using Clock = std::chrono::steady_clock;

const char* const kMove = "bestmove [1-9][1-9]X?";

std::size_t count(const std::vector<std::string>& lines, std::string_view start) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const auto& line) { return line.starts_with(start); }));
}

// Of several rounds the least disturbed: a busy machine holds up any process at times.
double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

TEST(ProtocolSearch, InfiniteGoesOnUntilStop) {
  Client client;
  std::vector<double> latency;
  for (int round = 0; round < 5; ++round) {
    client.send("go infinite");
    EXPECT_EQ(client.await("bestmove", 60ms), "");
    const auto start = Clock::now();
    client.send("stop");
    EXPECT_THAT(client.await("bestmove", 5s), MatchesRegex(kMove));
    latency.push_back(msSince(start));
  }
  EXPECT_LT(least(latency), 10);
}

TEST(ProtocolSearch, InfiniteHoldsItsAnswerPastALimit) {
  Client client;
  client.send("go infinite nodes 20");
  EXPECT_EQ(client.await("bestmove", 100ms), "");
  client.send("stop");
  EXPECT_THAT(client.await("info nodes 20 ", 5s), StartsWith("info"));
  EXPECT_THAT(client.await("bestmove", 5s), MatchesRegex(kMove));
}

TEST(ProtocolSearch, AFullTreeEndsAMoveButNotAnAnalysis) {
  Client client;
  client.send("setoption name Hash value 1");
  const auto start = Clock::now();
  const auto answer = client.search("go movetime 60000");
  EXPECT_LT(msSince(start), 20'000);
  EXPECT_THAT(answer.back(), MatchesRegex(kMove));
  client.send("go infinite");
  EXPECT_EQ(client.await("bestmove", 150ms), "");
  client.send("stop");
  EXPECT_THAT(client.await("bestmove", 5s), MatchesRegex(kMove));
}

TEST(ProtocolSearch, StopBeforeTheFirstVisitStillAnswers) {
  Client client;
  for (int round = 0; round < 200; ++round) {
    client.send("go infinite");
    client.send("stop");
    EXPECT_THAT(client.await("bestmove", 5s), MatchesRegex(kMove));
  }
}

TEST(ProtocolSearch, ReadyStateAndGreetingAreAnsweredMeanwhile) {
  Client client;
  client.send("position startpos moves 76");
  const std::string before = client.state();
  client.send("go infinite");
  client.take();
  client.send("isready");
  EXPECT_EQ(client.await("readyok", 0ms), "readyok");
  client.send("d");
  EXPECT_EQ(client.await("{", 0ms), before);
  client.send("uci");
  EXPECT_EQ(client.await("uciok", 0ms), "uciok");
  EXPECT_EQ(client.await("bestmove", 50ms), "") << "none of them ends the search";
}

TEST(ProtocolSearch, AnErrorDoesNotEndTheSearch) {
  Client client;
  client.send("go infinite");
  for (const char* bad : {"go nodes x", "position startpos moves 0", "setoption name Nodes value 0",
                          "newgame 1", "nonsense", "quit now"}) {
    client.send(bad);
    EXPECT_THAT(client.await("error", 0ms), StartsWith("error ")) << bad;
  }
  EXPECT_EQ(client.await("bestmove", 50ms), "");
}

TEST(ProtocolSearch, ANewGoEndsTheOneBefore) {
  Client client;
  client.send("go infinite");
  const auto answer = client.search("go nodes 40");
  EXPECT_EQ(count(answer, "bestmove "), 2u);
  EXPECT_EQ(count(answer, "error"), 0u);
}

TEST(ProtocolSearch, StateChangesEndAnInfiniteSearchFirst) {
  Client client;
  for (const char* line : {"position startpos moves 76", "newgame", "setoption name Nodes value 50",
                           "setoption name Variant value standard", "setoption name Model value"}) {
    client.send("go infinite");
    client.take();
    client.send(line);
    const auto answer = client.take();
    EXPECT_EQ(count(answer, "bestmove "), 1u) << line;
    EXPECT_EQ(count(answer, "error"), 0u) << line;
  }
}

// A script piped in at once gets every answer in full.
TEST(ProtocolSearch, AShortSearchFinishesBeforeTheNextCommand) {
  Client client;
  for (const char* line : {"position startpos", "go nodes 150", "position startpos moves 76",
                           "go nodes 170", "position moves 55", "go nodes 190"})
    client.send(line);
  EXPECT_FALSE(client.send("quit"));
  const auto answer = client.take();
  EXPECT_EQ(count(answer, "bestmove "), 3u);
  for (const char* start : {"info nodes 150 ", "info nodes 170 ", "info nodes 190 "})
    EXPECT_EQ(count(answer, start), 1u) << start;
}

TEST(ProtocolSearch, QuitDoesNotWaitForALongSearch) {
  for (const char* go : {"go infinite", "go movetime 600000", "go nodes 1000000000"}) {
    Client client;
    client.send(go);
    const auto start = Clock::now();
    EXPECT_FALSE(client.send("quit"));
    EXPECT_LT(msSince(start), 3000) << go;
    EXPECT_EQ(count(client.take(), "bestmove "), 1u) << go;
  }
}

TEST(ProtocolSearch, MoveTimeIsKeptOnTheClock) {
  Client client("standard", testing::opinionatedNetwork(Rules()));
  std::vector<double> taken;
  for (int round = 0; round < 7; ++round) {
    client.send("newgame");
    const auto start = Clock::now();
    EXPECT_THAT(client.search("go movetime 60").back(), MatchesRegex(kMove));
    taken.push_back(msSince(start));
  }
  EXPECT_LE(least(taken), 60);
  EXPECT_GE(least(taken), 50) << "the time is there to be used";
}

TEST(ProtocolSearch, NodesEndAMoveTimeEarly) {
  Client client;
  const auto start = Clock::now();
  EXPECT_THAT(client.search("go nodes 30 movetime 60000").front(), StartsWith("info nodes 30 "));
  EXPECT_LT(msSince(start), 10'000);
}

TEST(ProtocolSearch, AForcedMoveOnTheClockIsPlayedAtOnce) {
  Client client;
  client.send("position fen 9S,8/8,5S 74 74 S 40");
  const auto start = Clock::now();
  const auto answer = client.search("go wtime 600000 btime 600000");
  EXPECT_LT(msSince(start), 1000);
  EXPECT_EQ(answer.back(), "bestmove 94");
  EXPECT_THAT(answer.front(), StartsWith("info nodes 1 "));
}

TEST(ProtocolSearch, AClockBelowZeroStillGetsAMove) {
  Client client;
  EXPECT_THAT(client.search("go wtime -20 btime -3").back(), MatchesRegex(kMove));
}

TEST(ProtocolSearch, TheClockOfTheSideToMoveCounts) {
  Client client;
  client.send("position startpos moves 76");
  const auto start = Clock::now();
  client.search("go wtime 3600000 btime 20");
  EXPECT_LT(msSince(start), 1000);
}

// Both sides by one program, each with its own clock; every answer's whole time is taken off. The
// ply at which a clock ran out, or -1.
int lostAtPly(const std::string& variant, double baseMs, double incrementMs) {
  Client first(variant), second(variant);
  double clock[2] = {baseMs, baseMs};
  std::string moves;
  for (int ply = 0; ply < 700; ++ply) {
    Client& mover = ply % 2 ? second : first;
    const auto start = Clock::now();
    mover.send("position startpos" + (moves.empty() ? moves : " moves" + moves));
    const auto wait = [&](int side) { return std::to_string(static_cast<int>(clock[side])); };
    const std::string increment = std::to_string(static_cast<int>(incrementMs));
    const std::string move = mover.bestMove("go wtime " + wait(0) + " btime " + wait(1) + " winc " +
                                            increment + " binc " + increment);
    if (move == "none") break;
    clock[ply % 2] -= msSince(start);
    if (clock[ply % 2] <= 0) return ply;
    clock[ply % 2] += incrementMs;
    EXPECT_THAT(move, MatchesRegex("[1-9][1-9]X?"));
    moves.append(" ").append(move);
  }
  first.send("position startpos moves" + moves);
  EXPECT_THAT(first.state(), HasSubstr("\"over\":true"));
  return -1;
}

// A machine that is held up for a second takes any game of a second: only a clock that is lost
// again and again is the engine's. (TimeBudget.NoClockRunsOut plays against planned hold-ups.)
void playOnTheClock(const std::string& variant, double baseMs, double incrementMs) {
  std::vector<int> lost;
  while (lost.size() < 3) {
    const int ply = lostAtPly(variant, baseMs, incrementMs);
    if (ply < 0) return;
    lost.push_back(ply);
  }
  ADD_FAILURE() << variant << " " << baseMs << " ms + " << incrementMs << " ms: lost at plies "
                << ::testing::PrintToString(lost);
}

TEST(ProtocolSearch, NoGameIsLostOnTheClock) {
  playOnTheClock("standard", 1000, 5);
  playOnTheClock("bestemshe", 500, 0);
}

TEST(ProtocolSearchFull, NoGameIsLostOnTheClock) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    playOnTheClock(variant, 3000, 0);
    playOnTheClock(variant, 1000, 20);
    playOnTheClock(variant, 10'000, 0);
  }
}

}  // namespace
}  // namespace toguz
