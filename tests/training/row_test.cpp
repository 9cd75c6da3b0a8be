#include "training/row.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::randomRecord;

// A shortest game of the standard variant (5 1 3 5 8 3 7 4 6 5 4): the first player wins at ply 11.
GameRecord scriptedGame() {
  GameRecord record;
  record.id = 42;
  Game game;
  record.start = game.position();
  for (const int number : {5, 1, 3, 5, 8, 3, 7, 4, 6, 5, 4}) {
    MoveRecord move;
    move.pit = static_cast<std::uint8_t>(number - 1);
    move.nodes = 10;
    game.play(move.pit);
    record.moves.push_back(move);
  }
  record.outcome = game.outcome();
  return record;
}

TEST(Row, ScriptedGameAgreesWithAHandMadeTable) {
  GameRecord record = scriptedGame();
  ASSERT_EQ(record.outcome.result, Result::FirstWins);
  const int margin = record.outcome.margin(Side::First);
  ASSERT_GT(margin, 0);
  // Values for the side to move: the winner's 0.5, the loser's -0.5; full searches at plies 0,
  // 9, 10.
  for (std::size_t ply = 0; ply < 11; ++ply) record.moves[ply].rootWinLoss = ply % 2 ? -0.5f : 0.5f;
  for (const std::size_t ply : {0u, 9u, 10u}) {
    record.moves[ply].fullSearch = true;
    record.moves[ply].policy[record.moves[ply].pit] = 65535;
  }
  record.moves[9].weight = 0.1f;

  const std::vector<TrainingRow> rows = makeRows(record, 2.0, 0.0);
  ASSERT_EQ(rows.size(), 3u);
  struct Expected {
    int result, margin, reply, ply, weight;
    double root, later;  // later: from the mover's view, halving with each ply (horizon 2)
  };
  // At ply 9 what follows is 0.5 once (half) and then the win (half): 0.75 to the winner.
  const Expected table[] = {
      {1, margin, 0, 0, 255, 0.5, 0.5 * (1 - std::exp2(-10)) + std::exp2(-10)},
      {-1, -margin, 3, 9, 26, -0.5, -0.75},
      {1, margin, TrainingRow::kNoReply, 10, 255, 0.5, 1.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].result, table[i].result) << i;
    EXPECT_EQ(rows[i].margin, table[i].margin) << i;
    EXPECT_EQ(rows[i].reply, table[i].reply) << i;
    EXPECT_EQ(rows[i].ply, table[i].ply) << i;
    EXPECT_EQ(rows[i].weight, table[i].weight) << i;
    EXPECT_NEAR(rows[i].rootValue / 32767.0, table[i].root, 1e-4) << i;
    EXPECT_NEAR(rows[i].shortValue / 32767.0, table[i].later, 1e-4) << i;
    EXPECT_EQ(rows[i].holdOut, 0);
    EXPECT_EQ(rows[i].position.side, Side::First);
  }
  EXPECT_EQ(rows[0].position, Position::start(kStandard));
  EXPECT_EQ(rows[0].policy[4], 65535);
}

// Swapping the players of a whole game must change nothing but who is first.
TEST(Row, ExchangingThePlayersGivesTheSameRows) {
  for (const char* name : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(name);
    for (std::uint64_t id = 0; id < 40; ++id) {
      const GameRecord game = randomRecord(id, rules);
      GameRecord other = game;
      other.start = game.start.swapped(rules.set());
      std::swap(other.outcome.kazan[0], other.outcome.kazan[1]);
      if (game.outcome.result != Result::Draw)
        other.outcome.result =
            game.outcome.result == Result::FirstWins ? Result::SecondWins : Result::FirstWins;
      const auto a = makeRows(game), b = makeRows(other);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(std::memcmp(&a[i], &b[i], sizeof a[i]), 0) << name << " " << id << " row " << i;
    }
  }
}

TEST(Row, PolicyAndReplyAreLegalInTheNormalisedPosition) {
  for (std::uint64_t id = 0; id < 50; ++id) {
    const GameRecord game = randomRecord(id, Rules::named("giveaway"));
    for (const TrainingRow& row : makeRows(game)) {
      const PitMask legal = legalMoves(game.rules, row.position);
      for (unsigned pit = 0; pit < kMaxPits; ++pit)
        EXPECT_TRUE(row.policy[pit] == 0 || (legal >> pit & 1u));
      EXPECT_EQ(row.position.fault(game.rules.set()), nullptr);
      if (row.reply == TrainingRow::kNoReply) continue;
      const Position next = play(game.rules, row.position, game.moves[row.ply].pit);
      EXPECT_TRUE(legalMoves(game.rules, next) >> row.reply & 1u);
    }
  }
}

TEST(Row, ADrawIsNoughtForBoth) {
  GameRecord game = randomRecord(1, Rules(), 20, 1.0);
  ASSERT_EQ(game.outcome.reason, EndReason::PlyCap);
  for (const TrainingRow& row : makeRows(game)) EXPECT_EQ(row.result, 0);
}

TEST(Row, UnsearchedMovesLendNoValue) {
  GameRecord record = scriptedGame();
  record.moves[0].fullSearch = true;
  for (MoveRecord& move : record.moves) move.nodes = 0;
  record.moves[0].nodes = 1;
  EXPECT_EQ(makeRows(record, 8.0, 0.0).at(0).shortValue, 32767);  // the result alone is left
}

TEST(Row, HoldsOutWholeGamesAtTheShareAskedFor) {
  int held = 0;
  constexpr int kGames = 3000;
  for (int id = 0; id < kGames; ++id) {
    GameRecord record = scriptedGame();
    record.id = static_cast<std::uint64_t>(id);
    for (MoveRecord& move : record.moves) move.fullSearch = true;
    const auto rows = makeRows(record, 8.0, 0.1);
    for (const TrainingRow& row : rows) EXPECT_EQ(row.holdOut, rows[0].holdOut);
    held += rows[0].holdOut;
  }
  EXPECT_NEAR(held, kGames * 0.1, 5 * std::sqrt(kGames * 0.09));
}

TEST(Row, ABrokenRecordIsNamed) {
  const auto fault = [](auto&& change) {
    GameRecord record = scriptedGame();
    change(record);
    return messageOf<Error>([&] { makeRows(record); });
  };
  EXPECT_THAT(fault([](GameRecord& r) { r.moves[2].pit = 9; }),
              HasSubstr("game 000000000000002a: ply 3"));
  EXPECT_THAT(fault([](GameRecord& r) { r.moves.pop_back(); }), HasSubstr("breaks off at ply 10"));
  EXPECT_THAT(fault([](GameRecord& r) { r.moves.push_back(r.moves[0]); }), HasSubstr("ply 12"));
  EXPECT_THAT(fault([](GameRecord& r) { r.outcome.result = Result::SecondWins; }),
              AllOf(HasSubstr("outcome"), HasSubstr("0-1"), HasSubstr("1-0")));
  EXPECT_THAT(fault([](GameRecord& r) { r.outcome.kazan[0] += 1; }), HasSubstr("outcome"));
  EXPECT_THAT(fault([](GameRecord& r) { r.start.board[3] = 10; }), HasSubstr("start position"));
}

}  // namespace
}  // namespace toguz
