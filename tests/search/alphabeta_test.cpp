#include "search/alphabeta.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "search/playout_evaluator.h"
#include "tests/search/plain_minimax.h"

namespace toguz {
namespace {

// A game after `plies` random moves, not over.
Game randomGame(const Rules& rules, int plies, Rng& rng) {
  for (;;) {
    Game game(rules);
    while (game.ply() < plies && !game.over()) game.play(randomPit(game.legal(), rng));
    if (!game.over()) return game;
  }
}

std::vector<Rules> variants() {
  std::vector<Rules> all;
  for (const std::string& name : Rules::names()) all.push_back(Rules::named(name));
  all.push_back(Rules::named("standard,tuzdik=false,stop_at_majority=false"));
  all.push_back(Rules::named("seven,sow_origin=false"));
  return all;
}

void expectLikeMinimax(const Game& game, int depth, const AlphaBeta::Options& options,
                       std::uint64_t seed) {
  SCOPED_TRACE(std::to_string(game.rules().set().pits) + " pits, ply " +
               std::to_string(game.ply()) + " seed " + std::to_string(seed));
  AlphaBeta search(game.rules(), options);
  Rng rng(seed);
  const AlphaBetaResult result = search.search(game, {.depth = depth}, rng);
  auto values =
      test::PlainMinimax(game.rules(), options.quiescenceDepth).rootValues(game, result.depth);
  const int best = *std::max_element(values.begin(), values.end());
  ASSERT_EQ(result.score, best);
  ASSERT_EQ(values[static_cast<std::size_t>(result.pit)], best) << "pit " << result.pit + 1;
  ASSERT_TRUE(game.legal() >> result.pit & 1u);
  // Stops early only where there is nothing more to find.
  ASSERT_TRUE(result.depth == depth || result.provenWin() || result.provenLoss() ||
              std::popcount(game.legal()) == 1);
}

TEST(AlphaBetaTest, AgreesWithPlainMinimaxOnRandomPositions) {
  Rng rng(11);
  for (const Rules& rules : variants())
    for (int i = 0; i < 60; ++i)
      expectLikeMinimax(randomGame(rules, 3 * i / 2, rng), 3,
                        {.tableBits = 0, .quiescenceDepth = 0}, rng());
}

TEST(AlphaBetaTest, AgreesWithPlainMinimaxWithCapturesPastTheHorizon) {
  Rng rng(12);
  for (const Rules& rules : variants())
    for (int i = 0; i < 40; ++i)
      expectLikeMinimax(randomGame(rules, 2 * i, rng), 2, {.tableBits = 0, .quiescenceDepth = 3},
                        rng());
}

TEST(AlphaBetaTest, TheTableDoesNotChangeTheScore) {
  // Deeper entries may legitimately refine a score where a position is met again at another
  // depth; so a few may differ, never many.
  Rng rng(13);
  int same = 0, all = 0;
  for (const Rules& rules : variants())
    for (int i = 0; i < 30; ++i) {
      const Game game = randomGame(rules, 2 * i, rng);
      AlphaBeta with(rules, {.tableBits = 12}), without(rules, {.tableBits = 0});
      Rng a(i), b(i);
      const AlphaBetaResult x = with.search(game, {.depth = 5}, a);
      const AlphaBetaResult y = without.search(game, {.depth = 5}, b);
      ++all;
      same += x.score == y.score;
    }
  EXPECT_GE(same, all * 97 / 100) << same << " of " << all;
}

// Boards so small that lines repeat within the search.
TEST(AlphaBetaTest, RepetitionsOnTheLineAreDraws) {
  Rng rng(14);
  for (int pits = 2; pits <= 3; ++pits) {
    const Rules rules(
        RuleSet{.pits = static_cast<std::uint8_t>(pits), .balls = 2, .tuzdik = false});
    for (int i = 0; i < 40; ++i)
      expectLikeMinimax(randomGame(rules, i % 5, rng), 9, {.tableBits = 0, .quiescenceDepth = 0},
                        rng());
  }
}

TEST(AlphaBetaTest, APositionOfTheGameThatComesBackIsADraw) {
  // One ball in each pit 1 and 80-80: the two walk round the board without end.
  Position start;
  start.board[0] = start.board[9] = 1;
  start.kazan = {80, 80};
  Game game(Rules(), start);
  while (game.ply() < 16) game.play(std::countr_zero(game.legal()));
  AlphaBeta search{Rules()};
  Rng rng(1);
  const AlphaBetaResult result = search.search(game, {.depth = 12}, rng);
  EXPECT_EQ(result.score, 0);
}

TEST(AlphaBetaTest, FindsWinsInOneForBothSides) {
  Rng rng(15);
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    std::array<int, 2> found{};
    for (int tries = 0; tries < 20000 && (found[0] < 8 || found[1] < 8); ++tries) {
      Game game = randomGame(rules, 30 + static_cast<int>(rng.below(60)), rng);
      PitMask winning = 0;
      for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
        Game next = game;
        next.play(std::countr_zero(rest));
        if (next.over() && next.outcome().score(game.position().side) == 1)
          winning |= 1u << std::countr_zero(rest);
      }
      if (winning == 0 || winning == game.legal()) continue;
      ++found[static_cast<std::size_t>(index(game.position().side))];
      for (const int depth : {1, 2, 4}) {
        AlphaBeta search(rules);
        const AlphaBetaResult result = search.search(game, {.depth = depth}, rng);
        ASSERT_TRUE(winning >> result.pit & 1u) << rules.name();
        ASSERT_EQ(result.score, AlphaBeta::kWin - 1);
        ASSERT_TRUE(result.provenWin());
      }
    }
    EXPECT_GE(found[0], 4) << rules.name();
    EXPECT_GE(found[1], 4) << rules.name();
  }
}

TEST(AlphaBetaTest, GiveawayShunsBalls) {
  // At depth 1 without more the choice is bare: compelled to take, it takes as little as it can.
  const Rules rules = Rules::named("giveaway");
  Rng rng(16);
  int compelled = 0;
  for (int i = 0; i < 300; ++i) {
    const Game game = randomGame(rules, i % 40, rng);
    const Position& p = game.position();
    const auto mover = static_cast<std::size_t>(index(p.side));
    int least = 1000, most = 0, deadly = 0;
    std::array<int, kMaxPits> gain{};
    for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      const Position next = play(rules, p, pit);
      gain[static_cast<std::size_t>(pit)] =
          (next.kazan[mover] - p.kazan[mover]) - (next.kazan[1 - mover] - p.kazan[1 - mover]);
      least = std::min(least, gain[static_cast<std::size_t>(pit)]);
      most = std::max(most, gain[static_cast<std::size_t>(pit)]);
      Game after = game;
      after.play(pit);
      deadly += after.over();
    }
    if (deadly || least == most) continue;
    ++compelled;
    AlphaBeta search(rules, {.tableBits = 0, .quiescenceDepth = 0});
    const AlphaBetaResult result = search.search(game, {.depth = 1}, rng);
    EXPECT_EQ(gain[static_cast<std::size_t>(result.pit)], least);
    EXPECT_EQ(result.score, -(p.kazan[mover] - p.kazan[1 - mover] + least));
  }
  EXPECT_GT(compelled, 50);
}

TEST(AlphaBetaTest, SwappedPlayersGetTheSameScore) {
  Rng rng(17);
  for (const Rules& rules : variants())
    for (int i = 0; i < 20; ++i) {
      const Game game = randomGame(rules, 2 * i, rng);
      const Game fresh(rules, game.position()),
          swapped(rules, game.position().swapped(rules.set()));
      AlphaBeta a(rules), b(rules);
      Rng first(5), second(5);
      const AlphaBetaResult x = a.search(fresh, {.depth = 4}, first);
      const AlphaBetaResult y = b.search(swapped, {.depth = 4}, second);
      EXPECT_EQ(x.score, y.score);
      EXPECT_EQ(x.pit, y.pit);
    }
}

TEST(AlphaBetaTest, TheLineIsPlayable) {
  Rng rng(18);
  for (int i = 0; i < 50; ++i) {
    Game game = randomGame(Rules(), i, rng);
    AlphaBeta search{Rules()};
    const AlphaBetaResult result = search.search(game, {.depth = 6}, rng);
    ASSERT_FALSE(result.pv.empty());
    EXPECT_EQ(result.pv.front(), result.pit);
    for (const std::uint8_t pit : result.pv) ASSERT_NO_THROW(game.play(pit));
  }
}

TEST(AlphaBetaTest, SameSeedSameGameAndNewGameForgets) {
  const auto playOut = [](AlphaBeta& search, std::uint64_t seed) {
    search.newGame();
    Rng rng(seed);
    Game game;
    while (!game.over() && game.ply() < 40) game.play(search.search(game, {.depth = 4}, rng).pit);
    return game.moves();
  };
  AlphaBeta used{Rules()}, fresh{Rules()};
  const auto first = playOut(used, 3);
  playOut(used, 4);
  EXPECT_EQ(playOut(used, 3), first);
  EXPECT_EQ(playOut(fresh, 3), first);
}

TEST(AlphaBetaTest, EqualMovesAreDrawnByTheSeed) {
  std::set<int> picked;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    AlphaBeta search(Rules(), {.tableBits = 0, .quiescenceDepth = 0});
    Rng rng(seed);
    const AlphaBetaResult result = search.search(Game(), {.depth = 1}, rng);
    EXPECT_EQ(result.score, 10);  // every pit but one sows an even ten
    picked.insert(result.pit);
  }
  const auto values = test::PlainMinimax(Rules(), 0).rootValues(Game(), 1);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(picked.size()),
            std::count(values.begin(), values.end(), 10));
}

TEST(AlphaBetaTest, MovetimeIsKept) {
  AlphaBeta search{Rules()};
  Rng rng(1);
  for (const double limit : {5.0, 60.0}) {
    const auto start = std::chrono::steady_clock::now();
    const AlphaBetaResult result = search.search(Game(), {.movetimeMs = limit}, rng);
    const double spent =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    EXPECT_GE(spent, limit * 0.99);
    EXPECT_LT(spent, limit + 200);  // room for a busy machine
    EXPECT_GE(result.depth, 1);
    EXPECT_GT(result.nodes, 100u);
  }
}

TEST(AlphaBetaDeathTest, MisuseIsCaught) {
  AlphaBeta search{Rules()};
  Rng rng(1);
  EXPECT_DEATH(search.search(Game(), {}, rng), "without a limit");
  EXPECT_DEATH(search.search(Game(Rules::named("seven")), {.depth = 1}, rng), "other rules");
}

}  // namespace
}  // namespace toguz
