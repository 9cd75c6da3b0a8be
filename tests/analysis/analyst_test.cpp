// The analyst: answers like the engine's, each query once, cancelling at any moment.
#include "analysis/analyst.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/position_text.h"
#include "models/model.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

Engine::Network network(const char* variant = "standard") {
  return std::make_shared<const NativeNetwork>(
      randomModel(Rules::named(variant), {.width = 32, .blocks = 1}, 3));
}

Game randomGame(const Rules& rules, int plies, Rng& rng) {
  Game game(rules);
  while (game.ply() < plies && !game.over()) game.play(test::randomPit(game.legal(), rng));
  return game;
}

// One query, waited for.
Analysis ask(Analyst& analyst, const Game& game, const AnalysisLimits& limits) {
  Analysis answer;
  analyst.submit(game, limits, [&](auto, Analysis&& analysis) { answer = std::move(analysis); });
  analyst.finish();
  return answer;
}

TEST(AnalystTest, AnswersAsAnEngineDoesWhateverElseIsUnderWay) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    const auto shared = network(variant);
    Rng rng(5);
    std::vector<Game> games;
    for (int i = 0; i < 120; ++i)
      games.push_back(randomGame(shared->rules(), static_cast<int>(rng.below(60)), rng));
    std::vector<Analysis> answers(games.size());
    {
      Analyst analyst(shared, 2);
      for (std::size_t i = 0; i < games.size(); ++i)
        analyst.submit(games[i], {.nodes = 20 + 13 * static_cast<int>(i), .lines = 3},
                       [&, i](auto, Analysis&& analysis) { answers[i] = std::move(analysis); });
      analyst.finish();
    }
    EngineOptions options;
    options.lines = 3;
    Engine engine(shared, options);
    for (std::size_t i = 0; i < games.size(); ++i) {
      engine.clear();
      engine.setPosition(games[i]);
      const SearchReport report = engine.search({.nodes = 20 + 13 * static_cast<int>(i)});
      ASSERT_EQ(answers[i].bestPit, report.bestPit) << variant << ' ' << i;
      ASSERT_EQ(answers[i].nodes, report.info.nodes);
      ASSERT_EQ(answers[i].lines.size(), report.info.lines.size());
      for (std::size_t k = 0; k < report.info.lines.size(); ++k) {
        ASSERT_EQ(answers[i].lines[k].pv, report.info.lines[k].pv);
        ASSERT_EQ(answers[i].lines[k].winLoss, report.info.lines[k].winLoss);
      }
      for (std::size_t k = 0; k < report.moves.size(); ++k)
        ASSERT_EQ(answers[i].moves[k].visits, report.moves[k].visits);
    }
  }
}

TEST(AnalystTest, AFinishedGameIsAnsweredWithItsOutcome) {
  Analyst analyst(network(), 1);
  const Game game(Rules(), parsePosition(Rules(), "9/8,1S 80 81 N 90").position);
  ASSERT_TRUE(game.over());
  const Analysis answer = ask(analyst, game, {});
  EXPECT_FALSE(answer.bestPit.has_value());
  EXPECT_EQ(answer.nodes, 0u);
  ASSERT_EQ(answer.lines.size(), 1u);
  EXPECT_EQ(answer.lines[0].winRate(), 50);
}

TEST(AnalystTest, ATimeEndsASearch) {
  Analyst analyst(network(), 1);
  const Analysis answer = ask(analyst, Game(), {.nodes = kMaxAnalysisNodes, .timeMs = 20});
  EXPECT_GE(answer.timeMs, 20);
  EXPECT_GT(answer.nodes, 1u);
  EXPECT_LT(answer.nodes, static_cast<std::uint64_t>(kMaxAnalysisNodes));
  EXPECT_FALSE(answer.cancelled);
  EXPECT_EQ(ask(analyst, Game(), {.nodes = 100, .timeMs = 0}).nodes, 1u);
}

TEST(AnalystTest, CancelledQueriesAreAnsweredOnceWithWhatIsKnown) {
  constexpr int kQueries = 1000;
  std::array<std::atomic<int>, kQueries> answered{};
  std::atomic<int> cancelled{0};
  {
    Analyst analyst(network(), 2);
    Rng rng(9);
    std::vector<Analyst::Ticket> tickets;
    for (int i = 0; i < kQueries; ++i) {
      tickets.push_back(analyst.submit(randomGame(Rules(), static_cast<int>(rng.below(40)), rng),
                                       {.nodes = 3000}, [&, i](auto, Analysis&& analysis) {
                                         ++answered[static_cast<std::size_t>(i)];
                                         if (!analysis.cancelled) return;
                                         ++cancelled;
                                         EXPECT_LT(analysis.nodes, 3000u);
                                         EXPECT_EQ(analysis.nodes > 0,
                                                   analysis.bestPit.has_value());
                                       }));
      // Sometimes this one, sometimes one that may be answered already.
      analyst.cancel(tickets[rng.below(static_cast<std::uint32_t>(tickets.size()))]);
      if (rng.chance(0.9)) analyst.cancel(tickets.back());
    }
    analyst.finish();
    for (const Analyst::Ticket ticket : tickets) EXPECT_FALSE(analyst.cancel(ticket));
  }
  for (const auto& count : answered) EXPECT_EQ(count, 1);
  EXPECT_GT(cancelled, kQueries / 2);
}

TEST(AnalystTest, WhoeverGoesAwayAnswersFirst) {
  std::atomic<int> answered{0};
  {
    Analyst analyst(network(), 1);
    for (int i = 0; i < 300; ++i)
      analyst.submit(Game(), {.nodes = kMaxAnalysisNodes}, [&](auto, Analysis&& analysis) {
        EXPECT_TRUE(analysis.cancelled);
        ++answered;
      });
  }
  EXPECT_EQ(answered, 300);
}

TEST(AnalystTest, WhatIsOutOfRangeIsRefused) {
  Analyst analyst(network(), 1);
  const auto never = [](auto, Analysis&&) { FAIL(); };
  EXPECT_THROW(analyst.submit(Game(Rules::named("seven")), {}, never), UsageError);
  EXPECT_THROW(analyst.submit(Game(), {.nodes = 0}, never), UsageError);
  EXPECT_THROW(analyst.submit(Game(), {.nodes = kMaxAnalysisNodes + 1}, never), UsageError);
  EXPECT_THROW(analyst.submit(Game(), {.timeMs = -1}, never), UsageError);
  EXPECT_THROW(analyst.submit(Game(), {.lines = 0}, never), UsageError);
  EXPECT_FALSE(analyst.cancel(77));
}

}  // namespace
}  // namespace toguz
