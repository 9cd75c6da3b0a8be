// The engine on several threads.
#include <gtest/gtest.h>

#include <thread>

#include "play/engine.h"

namespace toguz {
namespace {

TEST(EngineThreads, ReportsSoundFiguresOverAWholeGame) {
  const Rules rules(kBestemshe);
  EngineOptions options;
  options.threads = 3;
  options.maxTreeNodes = 20'000;
  Engine engine(std::make_shared<const NativeNetwork>(randomModel(rules, Architecture{16, 1}, 1)),
                options);
  Game game(rules);
  while (!game.over()) {
    engine.setPosition(game);
    const SearchReport report = engine.search({.nodes = 400});
    ASSERT_TRUE(report.bestPit);
    ASSERT_TRUE(game.legal() >> *report.bestPit & 1u);
    EXPECT_GE(report.info.nodes, 400u);
    std::uint64_t visits = 0;
    for (const RootMove& move : report.moves) {
      visits += move.visits;
      EXPECT_LE(std::abs(move.winLoss), 1.0f + 1e-3f);
    }
    EXPECT_EQ(visits, report.info.nodes - 1);
    game.play(*report.bestPit);
  }
}

TEST(EngineThreads, AFullTreeEndsTheSearch) {
  const Rules rules(kStandard);
  EngineOptions options;
  options.threads = 2;
  options.maxTreeNodes = 3000;
  Engine engine(std::make_shared<const NativeNetwork>(randomModel(rules, Architecture{16, 1}, 1)),
                options);
  engine.setPosition(Game(rules));
  const SearchReport report = engine.search({.moveTimeMs = 60'000});
  EXPECT_LT(report.info.timeMs, 30'000);
  EXPECT_GT(report.info.nodes, 1000u);
}

TEST(EngineThreads, StopsFromOutside) {
  const Rules rules(kStandard);
  EngineOptions options;
  options.threads = 4;
  Engine engine(std::make_shared<const NativeNetwork>(randomModel(rules, Architecture{16, 1}, 1)),
                options);
  engine.setPosition(Game(rules));
  StopSignal stop;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request();
  });
  const SearchReport report = engine.search(
      {.infinite = true}, [](const SearchInfo&) {}, &stop);
  other.join();
  EXPECT_TRUE(report.bestPit);
  EXPECT_FALSE(report.info.best().pv.empty());
}

}  // namespace
}  // namespace toguz
