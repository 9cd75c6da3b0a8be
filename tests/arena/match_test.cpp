#include "arena/match.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "arena/match_report.h"
#include "arena/player_factories.h"
#include "search/playout_evaluator.h"
#include "tests/arena/scripted_players.h"

namespace toguz {
namespace {

using test::ScriptedFactory;

MatchOptions options(int games, int concurrency = 1, const Rules& rules = Rules()) {
  MatchOptions o;
  o.rules = rules;
  o.games = games;
  o.concurrency = concurrency;
  o.openings = randomOpenings(rules, 4, static_cast<std::size_t>((games + 1) / 2), 1);
  return o;
}

Choice randomChoice(const Game& game, const std::optional<Clock>&, Rng& rng) {
  Choice choice;
  choice.pit = randomPit(game.legal(), rng);
  return choice;
}

std::string pgn(const MatchResult& result, const MatchOptions& o) {
  std::string text;
  for (const GameText& game : matchRecords(result, o, false)) text += pgnText(game);
  return text;
}

// Wins, draws, losses and pairs added up again from the games.
void expectConsistent(const MatchResult& r) {
  Tally tally;
  PairCounts pairs{};
  for (std::size_t i = 0; i < r.games.size(); ++i) {
    const MatchGame& game = r.games[i];
    ASSERT_EQ(game.index, static_cast<int>(i));
    EXPECT_EQ(game.aFirst, i % 2 == 0);
    const double points = game.pointsOfA();
    tally.wins += points == 1;
    tally.draws += points == 0.5;
    tally.losses += points == 0;
    if (i % 2 == 1) ++pairs[static_cast<std::size_t>(2 * (points + r.games[i - 1].pointsOfA()))];
  }
  EXPECT_EQ(r.tally, tally);
  EXPECT_EQ(r.pairs, pairs);
  EXPECT_DOUBLE_EQ(r.strength.score, tally.score());
}

TEST(MatchTest, TheSameGamesAtAnyConcurrency) {
  const auto a = makeAlphaBetaFactory(Rules(), {.depth = 2});
  const auto b = makeGreedyFactory();
  auto o = options(60);
  o.keepOpinions = true;
  const MatchResult one = playMatch(*a, *b, o);
  o.concurrency = 8;
  const MatchResult eight = playMatch(*a, *b, o);
  EXPECT_EQ(one.gamesPlayed(), 60);
  EXPECT_EQ(pgn(one, o), pgn(eight, o));
  EXPECT_EQ(one.pairs, eight.pairs);
  EXPECT_EQ(one.a.nodes, eight.a.nodes);
  expectConsistent(one);
  expectConsistent(eight);
  EXPECT_GT(one.strength.score, 0.8);
}

TEST(MatchTest, SeedsMakeOtherGamesAndTheSameAgain) {
  const auto a = makeRandomFactory();
  auto o = options(40);
  const auto first = pgn(playMatch(*a, *a, o), o);
  EXPECT_EQ(pgn(playMatch(*a, *a, o), o), first);
  o.seed = 2;
  EXPECT_NE(pgn(playMatch(*a, *a, o), o), first);
}

// With an early stop, games finish out of order and others are under way: each is recorded once,
// the count is exact, and the same whatever the threads.
TEST(MatchTest, EarlyStopIsExactAtConcurrency8) {
  const auto a = makeAlphaBetaFactory(Rules(), {.depth = 1});
  const auto b = makeRandomFactory();
  auto o = options(200);
  o.sprt = SprtSettings{0, 40};
  const MatchResult one = playMatch(*a, *b, o);
  ASSERT_TRUE(one.sprt.has_value());
  EXPECT_EQ(one.sprt->verdict, SprtVerdict::H1);
  EXPECT_LT(one.gamesPlayed(), 200);
  EXPECT_EQ(one.gamesPlayed() % 2, 0);
  EXPECT_FALSE(one.interrupted);
  for (int run = 0; run < 10; ++run) {
    o.concurrency = 8;
    const MatchResult eight = playMatch(*a, *b, o);
    ASSERT_EQ(eight.gamesPlayed(), one.gamesPlayed());
    EXPECT_EQ(pgn(eight, o), pgn(one, o));
    EXPECT_DOUBLE_EQ(eight.sprt->llr, one.sprt->llr);
    expectConsistent(eight);
  }
  // It stopped at the first pair that decided, not later.
  PairCounts before = one.pairs;
  const double last =
      one.games[one.games.size() - 1].pointsOfA() + one.games[one.games.size() - 2].pointsOfA();
  --before[static_cast<std::size_t>(2 * last)];
  EXPECT_EQ(sprtVerdict(*o.sprt, sprtLlr(*o.sprt, before)), SprtVerdict::None);
}

TEST(MatchTest, WithoutADecisionAllGamesArePlayed) {
  std::atomic<int> begun{0};
  const ScriptedFactory a("a", [&](const Game& game, const auto& clock, Rng& rng) {
    if (game.ply() <= 5) ++begun;
    return randomChoice(game, clock, rng);
  });
  auto o = options(200, 8);
  o.sprt = SprtSettings{-1, 1};
  o.sprt->alpha = o.sprt->beta = 1e-12;
  const MatchResult r = playMatch(a, *makeRandomFactory(), o);
  EXPECT_EQ(r.gamesPlayed(), 200);
  EXPECT_EQ(r.sprt->verdict, SprtVerdict::None);
  EXPECT_EQ(begun.load(), 200);
  EXPECT_EQ(r.distinctGames, 200);
  expectConsistent(r);
}

TEST(MatchTest, AgainstItselfNobodyIsStronger) {
  const auto greedy = makeGreedyFactory();
  const MatchResult r = playMatch(*greedy, *greedy, options(600, 2));
  EXPECT_NEAR(r.strength.score, 0.5, 0.08);
  EXPECT_LT(std::abs(r.strength.elo), 2 * r.strength.eloError);
  EXPECT_GT(r.distinctShare(), 0.95);
}

// A player without chance plays the mirror game of each opening: every pair is level, and half of
// the games are copies, which the report shows.
TEST(MatchTest, ADeterministicPlayerAgainstItselfIsSymmetric) {
  const ScriptedFactory first("leftmost", [](const Game& game, const auto&, Rng&) {
    Choice choice;
    choice.pit = std::countr_zero(game.legal());
    return choice;
  });
  const MatchResult r = playMatch(first, first, options(40, 2));
  EXPECT_EQ(r.pairs, (PairCounts{0, 0, 20, 0, 0}));
  EXPECT_DOUBLE_EQ(r.strength.score, 0.5);
  EXPECT_EQ(r.distinctGames, 20);
  EXPECT_LT(r.distinctShare(), kDistinctShareWanted);
}

TEST(MatchTest, OddGamesLeaveAHalfPairOutOfThePairs) {
  const auto a = makeRandomFactory();
  const MatchResult r = playMatch(*a, *a, options(7, 3));
  EXPECT_EQ(r.gamesPlayed(), 7);
  EXPECT_EQ(r.pairs[0] + r.pairs[1] + r.pairs[2] + r.pairs[3] + r.pairs[4], 3);
  EXPECT_EQ(r.tally.games(), 7);
  const MatchResult single = playMatch(*a, *a, options(1));
  EXPECT_EQ(single.gamesPlayed(), 1);
  EXPECT_TRUE(std::isfinite(single.strength.elo));
}

TEST(MatchTest, EachOpeningIsPlayedTwiceWithSidesSwapped) {
  const auto a = makeRandomFactory();
  const auto o = options(20, 2);
  const MatchResult r = playMatch(*a, *a, o);
  for (std::size_t i = 0; i < r.games.size(); ++i) {
    const Opening& opening = o.openings[i / 2];
    ASSERT_GE(r.games[i].moves.size(), opening.moves.size());
    EXPECT_TRUE(std::equal(opening.moves.begin(), opening.moves.end(), r.games[i].moves.begin()));
    EXPECT_EQ(r.games[i].openingPlies, 4);
  }
  // Both games of a pair start alike but are not copies.
  EXPECT_EQ(r.distinctGames, 20);
}

TEST(MatchTest, FaultsLoseTheirGameOnlyAndAreNamed) {
  const ScriptedFactory flaky("flaky", [](const Game& game, const auto& clock, Rng& rng) {
    if (game.positions()[4].hash() % 3 == 0 && game.ply() > 8) throw PlayerFault("fell over");
    return randomChoice(game, clock, rng);
  });
  const ScriptedFactory cheat("cheat", [](const Game& game, const auto& clock, Rng& rng) {
    Choice choice = randomChoice(game, clock, rng);
    if (game.positions()[4].hash() % 3 == 1 && game.ply() > 8) choice.pit = 9;
    return choice;
  });
  auto o = options(60, 4);
  const MatchResult r = playMatch(flaky, cheat, o);
  EXPECT_EQ(r.gamesPlayed(), 60);
  EXPECT_GT(r.a.faults, 5);
  EXPECT_GT(r.b.faults, 5);
  EXPECT_LT(r.a.faults + r.b.faults, 60);
  for (const MatchGame& game : r.games) {
    if (game.end != GameEnd::Fault) continue;
    EXPECT_EQ(game.pointsOfA(), game.offenderIsA ? 0.0 : 1.0);
    EXPECT_FALSE(game.fault.empty());
  }
  EXPECT_NE(r.a.firstFault.find("fell over"), std::string::npos);
  EXPECT_NE(r.b.firstFault.find("no legal move"), std::string::npos);
  expectConsistent(r);
  // The records say so and still replay.
  const auto records = matchRecords(r, o, false);
  EXPECT_TRUE(checkGames(records).faults.empty());
  const std::string text = matchText(r);
  EXPECT_NE(text.find("lost by fault"), std::string::npos);
}

TEST(MatchTest, IllegalPitsOfEveryKind) {
  for (const int pit : {-1, 9, 1000, -1000}) {
    const ScriptedFactory bad("bad", [pit](const Game&, const auto&, Rng&) {
      Choice choice;
      choice.pit = pit;
      return choice;
    });
    const MatchResult r = playMatch(bad, *makeRandomFactory(), options(2));
    EXPECT_EQ(r.tally, (Tally{0, 0, 2}));
    EXPECT_EQ(r.a.faults, 2);
  }
}

TEST(MatchTest, AnyOtherExceptionEndsTheMatch) {
  const ScriptedFactory broken("broken", [](const Game& game, const auto& clock, Rng& rng) {
    if (game.ply() > 20) throw std::runtime_error("out of memory");
    return randomChoice(game, clock, rng);
  });
  for (const int concurrency : {1, 4})
    EXPECT_THROW(playMatch(broken, *makeRandomFactory(), options(40, concurrency)),
                 std::runtime_error);
}

TEST(MatchTest, ThePlyCapDraws) {
  auto o = options(10, 2);
  o.plyCap = 10;
  const auto a = makeRandomFactory();
  const MatchResult r = playMatch(*a, *a, o);
  EXPECT_EQ(r.tally, (Tally{0, 10, 0}));
  EXPECT_EQ(r.pairs, (PairCounts{0, 0, 10 / 2, 0, 0}));
  EXPECT_DOUBLE_EQ(r.meanPlies, 10);
  for (const MatchGame& game : r.games) EXPECT_EQ(game.reason, EndReason::PlyCap);
}

TEST(MatchTest, TheClockIsKept) {
  std::atomic<int> clocked{0};
  const ScriptedFactory slow("slow", [&](const Game& game, const auto& clock, Rng& rng) {
    clocked += clock.has_value() && clock->remainingMs <= 30 && clock->incrementMs == 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return randomChoice(game, clock, rng);
  });
  auto o = options(4, 4);
  o.clock = TimeControl{30, 1};
  const MatchResult r = playMatch(slow, *makeRandomFactory(), o);
  EXPECT_EQ(r.tally, (Tally{0, 0, 4}));
  EXPECT_EQ(r.a.timeLosses, 4);
  EXPECT_EQ(r.a.faults, 0);
  EXPECT_GE(clocked.load(), 4);
  EXPECT_NE(r.a.firstFault.find("ran out of time"), std::string::npos);
  for (const MatchGame& game : r.games) EXPECT_EQ(game.end, GameEnd::Time);
}

TEST(MatchTest, StopLeavesAWholeBeginning) {
  std::atomic<bool> stop{false};
  // One thread: with more, a thread held up in the first game would let the rest finish all others
  // before the count, which goes in order, reaches twenty.
  auto o = options(400, 1);
  o.stop = &stop;
  o.onProgress = [&](const MatchProgress& p) {
    if (p.gamesDone >= 20) stop = true;
  };
  const auto a = makeRandomFactory();
  const MatchResult r = playMatch(*a, *a, o);
  EXPECT_TRUE(r.interrupted);
  EXPECT_GE(r.gamesPlayed(), 20);
  EXPECT_LT(r.gamesPlayed(), 400);
  expectConsistent(r);
}

TEST(MatchTest, ProgressCountsUpToTheEnd) {
  auto o = options(30, 8);
  int last = 0;
  Tally tally;
  o.onProgress = [&](const MatchProgress& p) {
    EXPECT_GT(p.gamesDone, last);
    EXPECT_EQ(p.tally.games(), p.gamesDone);
    last = p.gamesDone;
    tally = p.tally;
  };
  const auto a = makeRandomFactory();
  const MatchResult r = playMatch(*a, *a, o);
  EXPECT_EQ(last, 30);
  EXPECT_EQ(tally, r.tally);
}

TEST(MatchTest, FewerOpeningsAreTakenInTurn) {
  auto o = options(12);
  o.openings.resize(2);
  const auto a = makeRandomFactory();
  const MatchResult r = playMatch(*a, *a, o);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto& moves = o.openings[i / 2 % 2].moves;
    EXPECT_TRUE(std::equal(moves.begin(), moves.end(), r.games[i].moves.begin()));
  }
}

TEST(MatchReportTest, JsonHasTheFiguresOfTheText) {
  auto o = options(20, 2);
  o.sprt = SprtSettings{0, 400};
  const MatchResult r = playMatch(*makeGreedyFactory(), *makeRandomFactory(), o);
  const nlohmann::json json = matchJson(r);
  EXPECT_EQ(json["games"], r.gamesPlayed());
  EXPECT_EQ(json["wins"].get<int>() + json["draws"].get<int>() + json["losses"].get<int>(),
            r.gamesPlayed());
  EXPECT_EQ(json["pairs"].size(), 5u);
  EXPECT_EQ(json["score"], r.strength.score);
  for (const char* key : {"elo", "elo_error", "los", "llr", "mean_plies", "overhead"})
    EXPECT_TRUE(json[key].is_number()) << key;
  EXPECT_EQ(json["distinct_games"], r.distinctGames);
  EXPECT_TRUE(json["verdict"].is_string());
  EXPECT_EQ(json["a"]["name"], "greedy");
  EXPECT_EQ(json["b"]["faults"], 0);
  EXPECT_TRUE(json["first_player"].contains("score"));
  EXPECT_NE(matchText(r).find("verdict"), std::string::npos);
  // A match without SPRT says nothing of one.
  o.sprt.reset();
  EXPECT_FALSE(matchJson(playMatch(*makeGreedyFactory(), *makeRandomFactory(), o)).contains("llr"));
}

TEST(MatchReportTest, RecordsReplayInEveryVariant) {
  for (const std::string& name : Rules::names()) {
    auto o = options(10, 2, Rules::named(name));
    o.keepOpinions = true;
    const auto a = makeAlphaBetaFactory(o.rules, {.depth = 2});
    const MatchResult r = playMatch(*a, *makeRandomFactory(), o);
    std::string text;
    for (const GameText& game : matchRecords(r, o, true)) text += pgnText(game);
    const auto games = parseGames(text, RecordFormat::Pgn);
    ASSERT_EQ(games.size(), 10u);
    EXPECT_TRUE(checkGames(games).faults.empty()) << name;
    EXPECT_EQ(games[0].tag("White"), "alphabeta:depth=2");
    EXPECT_EQ(games[1].tag("Black"), "alphabeta:depth=2");
    EXPECT_NE(text.find("nodes"), std::string::npos);
    EXPECT_NE(text.find("ms}"), std::string::npos);
  }
}

// Four hundred games of strong-ish players on many threads.
TEST(MatchTest, FullDeeperIsStronger) {
  const auto a = makeAlphaBetaFactory(Rules(), {.depth = 6});
  const auto b = makeAlphaBetaFactory(Rules(), {.depth = 2});
  const MatchResult r = playMatch(*a, *b, options(400, 8));
  EXPECT_GT(r.strength.elo - r.strength.eloError, 100);
  EXPECT_EQ(r.distinctGames, 400);
}

}  // namespace
}  // namespace toguz
