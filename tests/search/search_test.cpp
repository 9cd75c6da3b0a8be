#include "search/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "search/signature.h"

namespace toguz {
namespace {

const std::vector<Rules>& allRules() {
  static const std::vector<Rules> rules = {Rules(kStandard), Rules(kGiveaway), Rules(kBestemshe),
                                           Rules(kSeven),
                                           Rules::named("standard,tuzdik=false,sow_origin=false")};
  return rules;
}

Game randomGame(const Rules& rules, Rng& rng, int plies) {
  for (;;) {
    Game game(rules);
    while (!game.over() && game.ply() < plies) {
      PitMask rest = game.legal();
      for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(rest))); skip; --skip)
        rest &= rest - 1;
      game.play(std::countr_zero(rest));
    }
    if (!game.over()) return game;
  }
}

SearchLimits nodes(int n) {
  SearchLimits limits;
  limits.nodes = n;
  return limits;
}

// The mover needs one capture to win; whoever he is, the root's value must be near +1 for him.
TEST(Search, AWinInOneIsNearPlusOneForTheMoverFromBothSides) {
  const Rules rules(kStandard);
  Position position;
  position.board = {0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 0, 0, 0, 0, 0, 0};
  position.kazan = {80, 77};
  ASSERT_EQ(position.fault(kStandard), nullptr);
  UniformEvaluator evaluator(rules);
  for (const bool second : {false, true}) {
    const Position p = second ? position.swapped(kStandard) : position;
    const Game game(rules, p);
    ASSERT_FALSE(game.over());
    Search search(rules, SearchParams{}, 1);
    search.setRoot(game);
    search.run(nodes(200), evaluator);
    EXPECT_GT(search.rootValue().winLoss(p.side), 0.9f);
    EXPECT_LT(search.rootValue().winLoss(opponent(p.side)), -0.9f);
    EXPECT_EQ(search.bestMove(), 8);
  }
}

TEST(Search, ExchangingThePlayersChangesNothingForTheMover) {
  Rng rng(11);
  for (const Rules& rules : allRules()) {
    UniformEvaluator evaluator(rules);
    for (int i = 0; i < 40; ++i) {
      const Game game = randomGame(rules, rng, 5 + static_cast<int>(rng.below(60)));
      const Game mirrored(rules, game.position().swapped(rules.set()));
      Search a(rules, SearchParams{}, 1), b(rules, SearchParams{}, 1);
      a.setRoot(Game(rules, game.position()));
      b.setRoot(mirrored);
      a.run(nodes(64), evaluator);
      b.run(nodes(64), evaluator);
      EXPECT_EQ(a.bestMove(), b.bestMove());
      EXPECT_EQ(a.rootValue().winLoss(game.position().side),
                b.rootValue().winLoss(mirrored.position().side));
      EXPECT_EQ(a.principalVariation(), b.principalVariation());
    }
  }
}

// A game in which one side moves twice in a row does not exist here, but the tree must not assume
// alternation: values are credited by the node's side, never by depth.
TEST(Search, BackingUpAsksTheSideToMove) {
  // The opponent is stuck whatever happens: first has all balls on his side. The mover, having
  // emptied his own row last move, sees the opponent move again: sides come from the position.
  const Rules rules(kBestemshe);
  Position position;
  position.board = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  position.kazan = {24, 24};
  ASSERT_EQ(position.fault(kBestemshe), nullptr);
  UniformEvaluator evaluator(rules);
  Search search(rules, SearchParams{}, 1);
  search.setRoot(Game(rules, position));
  search.run(nodes(100), evaluator);
  // 5-1 puts the last ball on an empty pit: nothing; then the second player plays 5-1 likewise.
  EXPECT_TRUE(std::isfinite(search.rootValue().winLoss(Side::First)));
  EXPECT_FLOAT_EQ(search.rootValue().winLoss(Side::First),
                  -search.rootValue().winLoss(Side::Second));
}

TEST(Search, EveryVisitIsOnALegalMoveAndCountsAddUp) {
  Rng rng(5);
  for (const Rules& rules : allRules()) {
    HashEvaluator evaluator(rules);
    for (const auto selection : {Selection::Puct, Selection::Gumbel})
      for (int i = 0; i < 60; ++i) {
        const Game game = randomGame(rules, rng, static_cast<int>(rng.below(80)));
        SearchParams params;
        params.selection = selection;
        Search search(rules, params, rng());
        search.setRoot(game);
        SearchLimits limits = nodes(1 + static_cast<int>(rng.below(90)));
        limits.noise = i % 2;
        search.run(limits, evaluator, 1 + static_cast<int>(rng.below(8)));
        std::uint32_t sum = 0;
        PitMask seen = 0;
        for (const RootMove& move : search.rootMoves()) {
          EXPECT_TRUE(game.legal() >> move.pit & 1u);
          seen |= 1u << move.pit;
          sum += move.visits;
        }
        EXPECT_EQ(seen, game.legal());
        EXPECT_EQ(sum + 1, search.rootVisits());
        EXPECT_EQ(search.rootVisits(), static_cast<std::uint32_t>(limits.nodes));
        const auto target = search.policyTarget();
        EXPECT_NEAR(std::accumulate(target.begin(), target.end(), 0.0f), 1.0f, 1e-4);
        for (int pit = 0; pit < kMaxPits; ++pit)
          if (!(game.legal() >> pit & 1u)) {
            EXPECT_EQ(target[static_cast<std::size_t>(pit)], 0.0f);
          }
        EXPECT_TRUE(game.legal() >> search.bestMove() & 1u);
        EXPECT_LE(std::abs(search.rootValue().winLoss(Side::First)), 1.0f + 1e-5f);
      }
  }
}

TEST(Search, NoiseIsFixedWithinASearchAndNewInTheNext) {
  const Rules rules(kStandard);
  HashEvaluator evaluator(rules);
  Search search(rules, SearchParams{}, 9);
  search.setRoot(Game(rules));
  SearchLimits limits = nodes(50);
  limits.noise = true;
  search.begin(limits);
  std::vector<float> first;
  Position leaf;
  while (search.gather({&leaf, 1}) == 1) {
    Evaluation evaluation;
    evaluator.evaluate({&leaf, 1}, {&evaluation, 1});
    search.provide({&evaluation, 1});
    const auto priors = search.rootPriors();
    if (first.empty()) first.assign(priors.begin(), priors.end());
    EXPECT_TRUE(std::equal(first.begin(), first.end(), priors.begin()));
  }
  limits.nodes = 100;
  search.run(limits, evaluator);
  const auto second = search.rootPriors();
  EXPECT_FALSE(std::equal(first.begin(), first.end(), second.begin()));
  // And none at all where none is asked for: play and matches.
  limits.noise = false;
  limits.nodes = 150;
  search.run(limits, evaluator);
  const auto moves = search.rootMoves();
  for (std::size_t i = 0; i < moves.size(); ++i) EXPECT_EQ(search.rootPriors()[i], moves[i].prior);
}

// Own move and answer in one step keep the same tree as in two.
TEST(Search, AdvancingByTwoPliesIsAdvancingTwice) {
  const Rules rules;
  HashEvaluator evaluator(rules);
  Game game(rules);
  Search once(rules, SearchParams{}, 1), twice(rules, SearchParams{}, 1);
  for (Search* search : {&once, &twice}) {
    search->setRoot(game);
    search->run(nodes(500), evaluator);
  }
  const std::vector<std::uint8_t> line = once.principalVariation();
  ASSERT_GE(line.size(), 2u);
  for (const std::uint8_t pit : {line[0], line[1]}) {
    game.play(pit);
    twice.advance(game, pit);
  }
  once.advance(game, std::span(line).first(2));
  EXPECT_GT(once.rootVisits(), 1u);
  EXPECT_EQ(once.rootVisits(), twice.rootVisits());
  EXPECT_EQ(once.nodesInTree(), twice.nodesInTree());
  for (Search* search : {&once, &twice}) search->run(nodes(800), evaluator);
  const auto a = once.rootMoves(), b = twice.rootMoves();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].visits, b[i].visits);
    EXPECT_EQ(a[i].winLoss, b[i].winLoss);
  }
  // A line that leaves the tree drops it.
  std::vector<std::uint8_t> far;
  while (far.size() < 12) {
    far.push_back(static_cast<std::uint8_t>(std::countr_zero(game.legal())));
    game.play(far.back());
  }
  once.advance(game, far);
  EXPECT_EQ(once.rootVisits(), 0u);
}

TEST(Search, AdvancingKeepsTheSubtreesVisitsAndAFreshRootGivesTheSameGame) {
  const Rules rules(kStandard);
  HashEvaluator evaluator(rules);
  Game game(rules);
  Search search(rules, SearchParams{}, 1);
  search.setRoot(game);
  search.run(nodes(300), evaluator);
  const int pit = search.bestMove();
  std::uint32_t visits = 0;
  for (const RootMove& move : search.rootMoves())
    if (move.pit == pit) visits = move.visits;
  game.play(pit);
  search.advance(game, pit);
  EXPECT_EQ(search.rootVisits(), visits);
  search.run(nodes(static_cast<int>(visits)), evaluator);  // nothing left to do
  EXPECT_EQ(search.rootVisits(), visits);
  search.run(nodes(1000), evaluator);
  EXPECT_EQ(search.rootVisits(), 1000u);
}

TEST(Search, EndlessPlayIsADraw) {
  const Rules rules(kStandard);
  Position position;
  position.board[0] = 1;
  position.board[9] = 1;
  position.kazan = {80, 80};
  Game game(rules, position);
  // Twice round: the next return to the start is the third occurrence.
  const auto farthest = [&] { return static_cast<int>(std::bit_width(game.legal())) - 1; };
  while (game.ply() < 35) game.play(farthest());
  ASSERT_FALSE(game.over());
  UniformEvaluator evaluator(rules);
  Search search(rules, SearchParams{}, 1);
  search.setRoot(game);
  search.run(nodes(50), evaluator);
  for (const RootMove& move : search.rootMoves())
    if (move.pit == farthest()) {
      EXPECT_GT(move.visits, 0u);
      EXPECT_FLOAT_EQ(move.winLoss, 0.0f);
    }
  game.play(farthest());
  EXPECT_EQ(game.outcome().reason, EndReason::Repetition);
  EXPECT_EQ(game.outcome().result, Result::Draw);
}

TEST(Search, ManyLeavesInFlightEndInTheSameCounts) {
  const Rules rules(kSeven);
  HashEvaluator evaluator(rules);
  for (const int batch : {1, 4, 16, 64}) {
    Search search(rules, SearchParams{}, 1);
    search.setRoot(Game(rules));
    search.run(nodes(2000), evaluator, batch);
    EXPECT_EQ(search.rootVisits(), 2000u);
    EXPECT_LE(std::abs(search.rootValue().winLoss(Side::First)), 1.0f);
  }
}

TEST(Search, SamplingFollowsVisitsAndTemperature) {
  const Rules rules(kStandard);
  HashEvaluator evaluator(rules);
  Search search(rules, SearchParams{}, 1);
  search.setRoot(Game(rules));
  search.run(nodes(400), evaluator);
  Rng rng(1);
  std::array<int, kMaxPits> count{};
  for (int i = 0; i < 20000; ++i) ++count[static_cast<std::size_t>(search.sampleMove(1.0f, rng))];
  for (const RootMove& move : search.rootMoves())
    EXPECT_NEAR(count[move.pit] / 20000.0, move.visits / 399.0, 0.02);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(search.sampleMove(0.0f, rng), search.bestMove());
}

// Pinned: a change here changes every engine's play, and must be meant.
TEST(Search, Signature) {
  EXPECT_EQ(searchSignature(Rules(kStandard)).hash, 5348934523593284637u);
  EXPECT_EQ(searchSignature(Rules(kGiveaway)).hash, 14884949562323073125u);
  EXPECT_EQ(searchSignature(Rules(kBestemshe)).hash, 17098592512004562128u);
  EXPECT_EQ(searchSignature(Rules(kSeven)).hash, 17231691953958229906u);
  EXPECT_EQ(searchSignature(Rules(kStandard), 1, 400, 8).hash, 5147591445012721535u);
}

}  // namespace
}  // namespace toguz
