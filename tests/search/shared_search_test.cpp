// Several threads on one tree, and many leaves in one gather.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <thread>

#include "base/error.h"
#include "base/flat_array.h"
#include "search/search.h"
#include "search/signature.h"

namespace toguz {
namespace {

TEST(FlatArray, KeepsItsItemsThroughEveryGrowth) {
  FlatArray<std::uint64_t> items;
  EXPECT_TRUE(items.empty());
  // Past several megabytes: from the heap to pages of its own, and on.
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    items.reserveMore(1);
    items[items.append(1)] = i * i;
  }
  ASSERT_EQ(items.size(), 1'000'000u);
  for (std::uint64_t i = 0; i < items.size(); ++i) ASSERT_EQ(items[i], i * i);
  FlatArray<std::uint64_t> other = std::move(items);
  EXPECT_EQ(other[999'999], std::uint64_t{999'999} * 999'999);
  EXPECT_TRUE(items.empty());
}

TEST(FlatArray, ThreadsAppendUntilTheRoomIsUsedUp) {
  FlatArray<std::uint32_t> items;
  items.reserve(100'000);
  const std::size_t room = items.capacity();
  std::vector<std::thread> threads;
  std::atomic<std::size_t> appended{0};
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t at; (at = items.appendShared(1)) != items.kFull; ++appended) items[at] = t;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(appended, room);
  EXPECT_EQ(items.size(), room);
  EXPECT_EQ(items.appendShared(1), items.kFull);
}

// Runs a shared search to its limit and returns the visits.
std::uint32_t searchTogether(Search& search, const SearchLimits& limits, int threads, int batch,
                             const std::function<std::unique_ptr<Evaluator>()>& evaluator) {
  search.begin(limits);
  std::vector<std::thread> crew;
  for (int t = 0; t < threads; ++t)
    crew.emplace_back([&, t] {
      const auto mine = evaluator();
      std::vector<Position> leaves(static_cast<std::size_t>(batch));
      std::vector<Evaluation> answers(leaves.size());
      while (search.rootVisits() < static_cast<std::uint32_t>(limits.nodes) &&
             search.nodesInTree() < limits.sharedNodes) {
        const auto count = static_cast<std::size_t>(search.gather(leaves, t));
        if (count == 0) {
          std::this_thread::yield();
          continue;
        }
        mine->evaluate({leaves.data(), count}, {answers.data(), count});
        search.provide({answers.data(), count}, t);
        // Reading meanwhile is part of the bargain, for one of the threads.
        if (t == 0 && search.rootVisits() > 200 && !search.rootMoves().empty()) {
          search.bestMove();
          search.principalVariation();
        }
      }
    });
  for (std::thread& thread : crew) thread.join();
  EXPECT_FALSE(search.waiting());
  return search.rootVisits();
}

TEST(SharedSearch, CountsAddUpAndNoVirtualLossIsLeft) {
  for (const char* name : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(name);
    Search search(rules, SearchParams{}, 1);
    search.setRoot(Game(rules));
    SearchLimits limits;
    limits.nodes = 6000;
    limits.sharedNodes = 10'000;
    // Level values everywhere: while no walk ends the game, every sum must come back to exactly 0.
    const std::uint32_t visits = searchTogether(
        search, limits, 4, 8, [&] { return std::make_unique<UniformEvaluator>(rules); });
    EXPECT_GE(visits, 6000u);
    EXPECT_LE(visits, 6000u + 4 * 8);
    std::uint32_t sum = 0;
    float winLoss = 0;
    for (const RootMove& move : search.rootMoves()) {
      sum += move.visits;
      winLoss += std::abs(move.winLoss);
    }
    EXPECT_EQ(sum, visits - 1) << name;
    EXPECT_EQ(search.simulations(), visits) << name;
    if (std::string(name) == "standard") {
      EXPECT_EQ(winLoss, 0.0f);
    }
    EXPECT_LE(std::abs(search.rootValue().winLoss(Side::First)), 1.0f);
  }
}

TEST(SharedSearch, FindsWhatOneThreadFinds) {
  // An evaluator with opinions: two searches of enough visits agree on the value and nearly on the
  // shares, though not to the bit.
  const Rules rules(kStandard);
  HashEvaluator hash(rules);
  Search alone(rules, SearchParams{}, 1);
  alone.setRoot(Game(rules));
  SearchLimits limits;
  limits.nodes = 20'000;
  alone.run(limits, hash);
  Search together(rules, SearchParams{}, 1);
  together.setRoot(Game(rules));
  limits.sharedNodes = 30'000;
  searchTogether(together, limits, 3, 4, [&] { return std::make_unique<HashEvaluator>(rules); });
  EXPECT_NEAR(together.rootValue().winLoss(Side::First), alone.rootValue().winLoss(Side::First),
              0.05);
  const auto a = alone.policyTarget(), b = together.policyTarget();
  for (std::size_t pit = 0; pit < a.size(); ++pit) EXPECT_NEAR(a[pit], b[pit], 0.1) << pit;
}

// Every move ends the game: outcomes must count at once, not when a gather ends.
TEST(SharedSearch, OutcomesCountAtOnce) {
  const Rules rules(kBestemshe);
  Rng rng(3);
  int decided = 0;
  for (int trial = 0; trial < 40; ++trial) {
    // Some plies on; then the cap at the next ply makes a majority win the only thing to play for.
    Game game(rules);
    std::vector<int> pits;
    while (!game.over()) {
      PitMask rest = game.legal();
      for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(rest))); skip > 0; --skip)
        rest &= rest - 1;
      pits.push_back(std::countr_zero(rest));
      game.play(pits.back());
    }
    if (game.outcome().reason != EndReason::Majority) continue;
    Game before(rules, Position::start(kBestemshe), static_cast<int>(pits.size()));
    for (std::size_t i = 0; i + 1 < pits.size(); ++i) before.play(pits[i]);
    const Side mover = before.position().side;
    if (game.outcome().score(mover) != 1) continue;
    ++decided;
    for (const std::size_t room : {std::size_t{0}, std::size_t{2000}}) {
      UniformEvaluator uniform(rules);
      Search search(rules, SearchParams{}, 1);
      search.setRoot(before);
      SearchLimits limits;
      limits.nodes = 300;
      limits.sharedNodes = room;
      search.run(limits, uniform, 16);
      Game after = before;
      after.play(search.bestMove());
      EXPECT_EQ(after.outcome().score(mover), 1) << trial;
      EXPECT_GT(search.rootValue().winLoss(mover), 0.8f) << trial;
    }
  }
  EXPECT_GT(decided, 10);
}

TEST(SharedSearch, StopsWhereTheRoomEnds) {
  const Rules rules(kStandard);
  Search search(rules, SearchParams{}, 1);
  search.setRoot(Game(rules));
  SearchLimits limits;
  limits.nodes = 1'000'000;
  limits.sharedNodes = 5000;
  searchTogether(search, limits, 3, 16, [&] { return std::make_unique<UniformEvaluator>(rules); });
  EXPECT_GE(search.nodesInTree(), 5000u);
  EXPECT_LE(search.nodesInTree(), 5000u + 64 + 8192);  // the array rounds its room up
  // One thread may go on from there, and so may the next game.
  search.setRoot(Game(rules));
  limits.nodes = 500;
  limits.sharedNodes = 0;
  UniformEvaluator uniform(rules);
  search.run(limits, uniform, 8);
  EXPECT_EQ(search.rootVisits(), 500u);
}

TEST(SharedSearch, TheTreeGoesOnFromAShared) {
  const Rules rules(kStandard);
  Search search(rules, SearchParams{}, 1);
  Game game(rules);
  search.setRoot(game);
  SearchLimits limits;
  limits.sharedNodes = 50'000;
  for (int move = 0; move < 4; ++move) {
    limits.nodes = static_cast<int>(search.rootVisits()) + 3000;
    searchTogether(search, limits, 2, 8, [&] { return std::make_unique<HashEvaluator>(rules); });
    const int pit = search.bestMove();
    std::uint32_t kept = 0;
    for (const RootMove& m : search.rootMoves())
      if (m.pit == pit) kept = m.visits;
    game.play(pit);
    search.advance(game, pit);
    EXPECT_EQ(search.rootVisits(), kept);
  }
}

TEST(SharedSearchDeathTest, GumbelIsNotShared) {
  const Rules rules(kStandard);
  Search search(rules, {.selection = Selection::Gumbel}, 1);
  search.setRoot(Game(rules));
  SearchLimits limits;
  limits.sharedNodes = 100;
  EXPECT_DEATH(search.begin(limits), "PUCT");
}

TEST(ManyLeaves, OneGatherMakesTheSelectionsOfManyWalks) {
  // Up to the moment when answers come in, sixteen walks of one gather are sixteen walks of gathers
  // of one, left open: the same leaves in some order.
  const Rules rules(kStandard);
  HashEvaluator hash(rules);
  const auto prepared = [&] {
    Search search(rules, SearchParams{}, 1);
    search.setRoot(Game(rules));
    SearchLimits limits;
    limits.nodes = 300;
    search.run(limits, hash);
    limits.nodes = 10'000;
    search.begin(limits);
    return search;
  };
  Search many = prepared(), single = prepared();
  std::vector<Position> together(16), apart(16);
  ASSERT_EQ(many.gather(together), 16);
  for (std::size_t i = 0; i < 16; ++i)
    ASSERT_EQ(single.gather({&apart[i], 1}, static_cast<int>(i)), 1);
  const auto order = [](const Position& a, const Position& b) { return a.words() < b.words(); };
  std::sort(together.begin(), together.end(), order);
  std::sort(apart.begin(), apart.end(), order);
  EXPECT_EQ(together, apart);
}

}  // namespace
}  // namespace toguz
