#include "selfplay/game.h"

#include <gtest/gtest.h>

#include <numeric>

#include "search/signature.h"

namespace toguz {
namespace {

GameRecord playOne(SelfPlayGame& game, Evaluator& evaluator, const SelfPlayGame::Start& start) {
  game.start(start);
  Position leaf;
  while (game.nextLeaf(leaf)) {
    Evaluation evaluation;
    evaluator.evaluate({&leaf, 1}, {&evaluation, 1});
    game.answer(evaluation);
  }
  return game.take();
}

SelfPlayGame::Start startOf(std::uint64_t id) {
  SelfPlayGame::Start start;
  start.id = id;
  start.seed = 1000 + id;
  start.generation = 7;
  return start;
}

const std::vector<Rules>& variants() {
  static const std::vector<Rules> all = {Rules(kStandard), Rules(kGiveaway), Rules(kBestemshe),
                                         Rules(kSeven)};
  return all;
}

TEST(SelfPlayGame, RecordsReplayUnderTheRulesToTheSameOutcome) {
  for (const Rules& rules : variants())
    for (const Selection selection : {Selection::Puct, Selection::Gumbel}) {
      SelfPlayConfig config;
      config.selection = selection;
      config.fullNodes = config.fullNodesFinal = 40;
      HashEvaluator evaluator(rules);
      SelfPlayGame game(rules, 600, config);
      for (std::uint64_t id = 0; id < 5; ++id) {
        const GameRecord record = playOne(game, evaluator, startOf(id));
        Game replayed(rules, record.start);
        for (const MoveRecord& move : record.moves) {
          ASSERT_FALSE(replayed.over());
          EXPECT_EQ(move.generation, 7u);
          EXPECT_LE(std::abs(move.rootWinLoss), 1.0f);
          const int sum = std::accumulate(move.policy.begin(), move.policy.end(), 0);
          if (move.fullSearch) {
            EXPECT_NEAR(sum, 65535, 8);
            for (int pit = 0; pit < kMaxPits; ++pit)
              if (!(replayed.legal() >> pit & 1u)) {
                EXPECT_EQ(move.policy[static_cast<std::size_t>(pit)], 0);
              }
          } else {
            EXPECT_EQ(sum, 0);
          }
          replayed.play(move.pit);
        }
        EXPECT_TRUE(replayed.over());
        EXPECT_EQ(replayed.outcome().result, record.outcome.result);
        EXPECT_EQ(replayed.outcome().kazan, record.outcome.kazan);
        EXPECT_EQ(record.id, id);
      }
    }
}

TEST(SelfPlayGame, PolicyTargetsComeFromFreshSearchesWhateverTheTreeHeld) {
  const Rules rules(kStandard);
  SelfPlayConfig config;
  config.fullShare = 0.5;
  config.openingPlies = 0;
  config.wonThreshold = 1;
  HashEvaluator evaluator(rules);
  SelfPlayGame game(rules, 600, config);
  std::uint64_t full = 0, cheapNodes = 0;
  const GameRecord record = playOne(game, evaluator, startOf(3));
  Game replayed(rules, record.start);
  for (const MoveRecord& move : record.moves) {
    const bool forced = std::has_single_bit(replayed.legal());
    replayed.play(move.pit);
    if (move.fullSearch) {
      EXPECT_EQ(move.nodes, config.fullNodes);
      ++full;
    } else if (!forced) {
      EXPECT_GE(move.nodes, config.cheapNodes);
      cheapNodes += move.nodes;
    }
  }
  EXPECT_GT(full, record.moves.size() / 5);
  // Reuse may leave nothing to do for a cheap search, never for a full one.
  EXPECT_GE(game.simulations(), full * static_cast<std::uint64_t>(config.fullNodes));
  EXPECT_GT(cheapNodes, 0u);
}

TEST(SelfPlayGame, RepeatsForASeedAndDiffersBetweenSeeds) {
  const Rules rules(kStandard);
  SelfPlayConfig config;
  HashEvaluator evaluator(rules);
  SelfPlayGame a(rules, 600, config), b(rules, 600, config);
  const auto pits = [](const GameRecord& record) {
    std::vector<int> moves;
    for (const MoveRecord& move : record.moves) moves.push_back(move.pit);
    return moves;
  };
  const auto first = pits(playOne(a, evaluator, startOf(1)));
  playOne(b, evaluator, startOf(2));  // what an object played before must not matter
  EXPECT_EQ(first, pits(playOne(b, evaluator, startOf(1))));
  EXPECT_NE(first, pits(playOne(a, evaluator, startOf(2))));
}

TEST(SelfPlayGame, ProgressGrowsFullSearches) {
  SelfPlayConfig config;
  config.fullNodes = 50;
  config.fullNodesFinal = 150;
  EXPECT_EQ(config.fullNodesAt(0), 50);
  EXPECT_EQ(config.fullNodesAt(0.5), 100);
  EXPECT_EQ(config.fullNodesAt(1), 150);
}

TEST(SelfPlayGame, AForkStartsFromItsPosition) {
  const Rules rules(kSeven);
  SelfPlayConfig config;
  HashEvaluator evaluator(rules);
  Game source(rules);
  for (int i = 0; i < 6; ++i) source.play(std::countr_zero(source.legal()));
  SelfPlayGame game(rules, 600, config);
  SelfPlayGame::Start start = startOf(1);
  start.forkedFrom = source.position();
  const GameRecord record = playOne(game, evaluator, start);
  EXPECT_EQ(record.start, source.position());
  EXPECT_GT(record.moves.size(), 0u);
}

}  // namespace
}  // namespace toguz
