// The engine against the clock and the stop signal.
#include <gtest/gtest.h>

#include <thread>

#include "play/engine.h"
#include "tests/play/client.h"

namespace toguz {
namespace {

using testing::msSince;
using Clock = std::chrono::steady_clock;

TEST(EngineTime, StoppedFromAnotherThread) {
  Engine engine;
  StopSignal stop;
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request();
  });
  const auto start = Clock::now();
  const SearchReport report = engine.search({.infinite = true}, {}, &stop);
  stopper.join();
  EXPECT_GE(msSince(start), 50);
  EXPECT_TRUE(report.bestPit);
}

TEST(EngineTime, AStoppedSignalStillGetsOneVisit) {
  Engine engine;
  StopSignal stop;
  stop.request();
  const SearchReport report = engine.search({.nodes = 100'000}, {}, &stop);
  EXPECT_TRUE(report.bestPit);
  EXPECT_EQ(report.info.nodes, 1u);
  stop.reset();
  EXPECT_EQ(engine.search({.nodes = 200}, {}, &stop).info.nodes, 200u);
}

TEST(EngineTime, SleepsWhileAFinishedAnalysisWaits) {
  Engine engine;
  StopSignal stop;
  std::thread stopper([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request();
  });
  timespec before{}, after{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  const SearchReport report = engine.search({.nodes = 10, .infinite = true}, {}, &stop);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  stopper.join();
  EXPECT_EQ(report.info.nodes, 10u);
  const double cpuMs = 1e3 * static_cast<double>(after.tv_sec - before.tv_sec) +
                       1e-6 * static_cast<double>(after.tv_nsec - before.tv_nsec);
  EXPECT_LT(cpuMs, 100);
}

TEST(EngineTime, AClearMoveOnTheClockIsPlayedEarly) {
  Engine engine;
  const Rules rules;
  // One move wins at once, and there is plenty of time.
  Position position = Position::start(rules.set());
  position.board.fill(0);
  position.board[8] = 2;
  position.board[0] = 1;
  position.board[1] = 1;
  position.board[9] = 1;
  position.board[13] = 7;
  position.kazan = {80, 70};
  engine.setPosition(Game(rules, position));
  const auto start = Clock::now();
  const SearchReport report = engine.search({.remainingMs = 20'000});
  EXPECT_EQ(report.bestPit, 8);
  EXPECT_LT(msSince(start), 0.9 * 20'000 / expectedMovesLeft(position));
}

TEST(EngineTime, AFullTreeEndsTheSearch) {
  EngineOptions options;
  options.maxTreeNodes = 500;
  Engine engine(Rules(), options);
  const auto start = Clock::now();
  const SearchReport report = engine.search({.moveTimeMs = 60'000});
  EXPECT_LT(msSince(start), 10'000);
  EXPECT_TRUE(report.bestPit);
  EXPECT_LT(report.info.nodes, 2000u);
}

}  // namespace
}  // namespace toguz
