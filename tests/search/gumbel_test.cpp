#include "search/gumbel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/search.h"
#include "search/signature.h"

namespace toguz {
namespace {

TEST(Gumbel, UnvisitedMovesGetTheMixedValue) {
  GumbelNode node;
  node.size = 3;
  node.prior = {0.5f, 0.3f, 0.2f};
  node.visits = {2, 1, 0};
  node.value = {0.1f, 0.2f, 0.9f};  // the last is unvisited: never read
  node.ownValue = 0.6f;
  const float weighted = (0.5f * 0.1f + 0.3f * 0.2f) / 0.8f;
  const float mixed = (0.6f + 3 * weighted) / 4;
  EXPECT_NEAR(mixedValue(node), mixed, 1e-6);
  const auto logits = improvedLogits(node, 50, 0.1f);
  EXPECT_NEAR(logits[2], std::log(0.2f) + 52 * 0.1f * mixed, 1e-4);
  EXPECT_NEAR(logits[0], std::log(0.5f) + 52 * 0.1f * 0.1f, 1e-4);
  // Visited moves that all lose drive the policy to the unvisited one.
  const auto policy = improvedPolicy(node, 50, 1.0f);
  EXPECT_GT(policy[2], policy[0]);
}

TEST(Gumbel, WithoutVisitsThePolicyIsThePrior) {
  GumbelNode node;
  node.size = 2;
  node.prior = {0.7f, 0.3f};
  node.ownValue = 0.4f;
  const auto policy = improvedPolicy(node, 50, 1.0f);
  EXPECT_NEAR(policy[0], 0.7f, 1e-5);
  EXPECT_NEAR(policy[1], 0.3f, 1e-5);
}

TEST(Gumbel, HalvingScheduleVisitsEveryMoveAndHalves) {
  for (int moves = 1; moves <= kMaxPits; ++moves)
    for (const int simulations : {1, 5, 16, 31, 32, 100}) {
      const auto schedule = consideredVisits(moves, simulations);
      ASSERT_EQ(schedule.size(), static_cast<std::size_t>(simulations));
      // Playing it out must always find a move with the wanted count.
      std::vector<std::uint32_t> visits(static_cast<std::size_t>(moves), 0);
      for (const std::uint32_t wanted : schedule) {
        const auto move = std::find(visits.begin(), visits.end(), wanted);
        ASSERT_NE(move, visits.end()) << moves << " moves, " << simulations << " simulations";
        ++*move;
      }
      if (simulations >= moves) {
        EXPECT_EQ(std::count(visits.begin(), visits.end(), 0u), 0);
      }
    }
  // 8 moves, 24 simulations, 3 rounds: one visit each, then two to four of them, then four to two.
  const auto schedule = consideredVisits(8, 24);
  EXPECT_EQ(std::count(schedule.begin(), schedule.end(), 0u), 8);
  EXPECT_EQ(std::count(schedule.begin(), schedule.end(), 1u), 4);
  EXPECT_EQ(std::count(schedule.begin(), schedule.end(), 3u), 2);
}

TEST(Gumbel, SearchFollowsItsSchedule) {
  const Rules rules(kStandard);
  HashEvaluator evaluator(rules);
  SearchParams params;
  params.selection = Selection::Gumbel;
  Search search(rules, params, 3);
  search.setRoot(Game(rules));
  SearchLimits limits;
  limits.nodes = 33;  // the root's own visit and 32 simulations
  limits.noise = true;
  search.run(limits, evaluator);
  std::vector<std::uint32_t> visits;
  for (const RootMove& move : search.rootMoves()) visits.push_back(move.visits);
  std::sort(visits.begin(), visits.end());
  std::vector<std::uint32_t> expected(9, 0);
  for (const std::uint32_t wanted : consideredVisits(9, 32))
    ++*std::find(expected.begin(), expected.end(), wanted);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(visits, expected);
  const auto target = search.policyTarget();
  EXPECT_NEAR(std::accumulate(target.begin(), target.end(), 0.0f), 1.0f, 1e-5);
}

}  // namespace
}  // namespace toguz
