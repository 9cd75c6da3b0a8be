#include "core/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/position_text.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

using testing::HasSubstr;

// Runs `f`, which must throw a UsageError of one line; gives its text.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

std::string refusedMove(const Game& game, const std::string& text, MoveSyntax syntax = {}) {
  return refusal([&] { parseMove(game, text, syntax); });
}

// The first player's pit 9 makes a tuzdik in pit 1; his pit 8 captures ten in pit 2.
Game tuzdikGame() {
  return Game(Rules(),
              positionOf(kStandard,
                         {0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 9, 0, 5, 0, 0, 0, 0, 0, 70, 71, 0, 0}, 0));
}

TEST(MoveText, Writing) {
  EXPECT_EQ(formatMove(Rules(), Game().position(), 6), "76");
  EXPECT_EQ(formatMove(Rules(), Game().position(), 6, true), "76(10)");
  EXPECT_EQ(formatMove(Rules(), Game().position(), 0, true), "19");
  EXPECT_EQ(formatMove(Rules(), tuzdikGame().position(), 8, true), "91X");
  EXPECT_EQ(formatMove(Rules(), tuzdikGame().position(), 7, true), "82(80)");
}

TEST(MoveText, Reading) {
  EXPECT_EQ(parseMove(Game(), "76"), 6);
  EXPECT_EQ(parseMove(Game(), "76(10)"), 6);
  EXPECT_EQ(parseMove(Game(), "76( 10 )"), 6);
  for (const char* text : {"91X", "91x", "91\xd0\xa5", "91\xd1\x85"})
    EXPECT_EQ(parseMove(tuzdikGame(), text, {.needMark = true}), 8) << text;
  EXPECT_EQ(parseMove(tuzdikGame(), "91"), 8);
  EXPECT_EQ(parseMove(Game(), "7", {.barePit = true}), 6);
  EXPECT_EQ(parseMove(Game(), "76", {.barePit = true}), 6);
}

TEST(MoveText, ReasonsAreExact) {
  EXPECT_THAT(refusedMove(Game(), "75"), HasSubstr("'75': the last ball falls in pit 6, not 5"));
  EXPECT_THAT(refusedMove(Game(), "76X"), HasSubstr("no tuzdik is made"));
  EXPECT_THAT(refusedMove(tuzdikGame(), "91", {.needMark = true}), HasSubstr("not marked"));
  EXPECT_THAT(refusedMove(Game(), "76(11)"), HasSubstr("kazan is 10 after it, not 11"));
  EXPECT_THAT(refusedMove(Game(), "19(0)"), HasSubstr("no even capture"));
  EXPECT_THAT(refusedMove(tuzdikGame(), "91X(73)"), HasSubstr("no even capture"));
  EXPECT_THAT(refusedMove(tuzdikGame(), "12"), HasSubstr("pit 1 is empty"));
  EXPECT_THAT(refusedMove(Game(Rules::named("giveaway")), "19"), HasSubstr("compulsory"));
  EXPECT_THAT(refusedMove(Game(Rules::named("bestemshe")), "65"), HasSubstr("no pit 6"));
  EXPECT_THAT(refusedMove(Game(), "70"), HasSubstr("no pit 0"));
  EXPECT_THAT(refusedMove(Game(), "7"), HasSubstr("two digits"));
  EXPECT_THAT(refusedMove(Game(), ""), HasSubstr("two digits"));
  EXPECT_THAT(refusedMove(Game(), "", {.barePit = true}), HasSubstr("pit number"));
  EXPECT_THAT(refusedMove(Game(), "7x", {.barePit = true}), HasSubstr("pit number"));
  EXPECT_THAT(refusedMove(Game(), "76!"), HasSubstr("unexpected '!'"));
  EXPECT_THAT(refusedMove(Game(), "76(ten)"), HasSubstr("whole number"));
  EXPECT_THAT(refusedMove(Game(), "76(10"), HasSubstr("whole number"));
  EXPECT_THAT(refusedMove(Game(), "76()"), HasSubstr("whole number"));
  EXPECT_THAT(refusedMove(Game(), "76(99999999999999999999)"), HasSubstr("whole number"));
}

TEST(MoveText, OpponentsTuzdikIsNamed) {
  const Game game(
      Rules(), positionOf(kStandard,
                          {0, 0, 0, 0, 5, 0, 0, 0, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 75, 75, 0, 3}, 0));
  EXPECT_THAT(refusedMove(game, "34"), HasSubstr("opponent's tuzdik"));
}

TEST(MoveText, NothingIsPlayedInAFinishedGame) {
  std::vector<int> list(22, 0);
  list[0] = 5, list[9] = 5, list[18] = 82, list[19] = 70;
  const Game game(Rules(), positionOf(kStandard, list, 0));
  EXPECT_THAT(refusedMove(game, "15"), HasSubstr("over (majority)"));
  EXPECT_THAT(refusal([&] { parseMove(Rules(), game.position(), "15"); }), HasSubstr("majority"));
}

TEST(Quoting, KeepsMessagesShortAndPrintable) {
  EXPECT_EQ(inQuotes("a\nb\x01"), "'a?b?'");
  EXPECT_EQ(inQuotes(std::string(50, 'z')), "'" + std::string(40, 'z') + "...'");
  // 39 letters and a two-byte character across the cut.
  EXPECT_EQ(inQuotes(std::string(39, 'z') + "\xd0\xa5 and more"),
            "'" + std::string(39, 'z') + "...'");
}

TEST(PositionText, StartAndExample) {
  EXPECT_EQ(formatPosition(Rules(), Game().position()),
            "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1");
  const std::string example =
      "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
  const PositionText read = parsePosition(Rules(), example);
  EXPECT_EQ(read.position, positionOf(kStandard, {12, 2, 13, 13, 0,  3, 12, 12, 1,  12, 12,
                                                  0,  1, 2,  3,  12, 2, 13, 22, 15, 0,  5},
                                      0));
  EXPECT_EQ(read.fullmove, 4);
  EXPECT_EQ(formatPosition(Rules(), read.position, read.fullmove), example);
}

TEST(PositionText, NorthTuzdikIsTheFirstPlayers) {
  const PositionText read = parsePosition(Rules(), "8S,7,t/9 80 74 N 50");
  EXPECT_EQ(read.position.tuzdikNumber(kStandard, Side::First), 1);
  EXPECT_FALSE(read.position.hasTuzdik(Side::Second));
  EXPECT_EQ(read.position.pit(kStandard, Side::Second, 8), 8);
  EXPECT_EQ(read.position.side, Side::Second);
}

TEST(PositionText, BlankSpaceAndSplitRunsAreRead) {
  EXPECT_EQ(parsePosition(Rules(), "  8S,3,4,t/9  80 74  N 50\r\n").position,
            parsePosition(Rules(), "8S,7,t/9 80 74 N 50").position);
}

TEST(PositionText, RefusalsNameThePart) {
  const auto refused = [](const std::string& text, const char* variant = "standard") {
    return refusal([&] { parsePosition(Rules::named(variant), text); });
  };
  EXPECT_THAT(refused(""), HasSubstr("five parts"));
  EXPECT_THAT(refused("9/9 81 81 S"), HasSubstr("got 4"));
  EXPECT_THAT(refused("9/9 81 81 S 1 1"), HasSubstr("got 6"));
  EXPECT_THAT(refused("99 81 81 S 1"), HasSubstr("no /"));
  EXPECT_THAT(refused("8/9 81 81 S 1"), HasSubstr("north row has fewer"));
  EXPECT_THAT(refused("9/9,1 81 81 S 1"), HasSubstr("south row has more"));
  EXPECT_THAT(refused("9/9/9 81 81 S 1"), HasSubstr("'9/9'"));
  EXPECT_THAT(refused("8,q/9 81 81 S 1"), HasSubstr("'q'"));
  EXPECT_THAT(refused("8,0S/9 81 81 S 1"), HasSubstr("'0'"));
  EXPECT_THAT(refused("8,-1S/9 81 81 S 1"), HasSubstr("'-1'"));
  EXPECT_THAT(refused("8,S/9 81 81 S 1"), HasSubstr("cell"));
  EXPECT_THAT(refused("8,300S/9 81 81 S 1"), HasSubstr("'300'"));
  EXPECT_THAT(refused("8,99999999999999999999S/9 81 81 S 1"), HasSubstr("whole number"));
  EXPECT_THAT(refused("8,,/9 81 81 S 1"), HasSubstr("''"));
  EXPECT_THAT(refused("8,t/9 x 81 S 1"), HasSubstr("first player's kazan 'x'"));
  EXPECT_THAT(refused("9/9 81 163 S 1"), HasSubstr("second player's kazan"));
  EXPECT_THAT(refused("9/9 81 81 W 1"), HasSubstr("side to move 'W'"));
  EXPECT_THAT(refused("9/9 81 81 S 0"), HasSubstr("move number '0'"));
  EXPECT_THAT(refused("9/9 80 81 S 1"), HasSubstr("do not add up"));
  EXPECT_THAT(refused("7,t,t/9 81 81 S 1"), HasSubstr("two tuzdiks on the north row"));
  EXPECT_THAT(refused("t,8/9 81 81 S 1"), HasSubstr("last pit"));
  EXPECT_THAT(refused("9/8,t 81 81 S 1"), HasSubstr("last pit"));
  EXPECT_THAT(refused("8,t/t,8 81 81 S 1"), HasSubstr("same number"));
  EXPECT_THAT(refused("4,t/5 25 25 S 1", "bestemshe"), HasSubstr("variant that has none"));
  EXPECT_THAT(refused("9/9 81 81 S 1", "seven"), HasSubstr("'9'"));
}

TEST(PositionText, SwitchesDecideWhatIsSound) {
  EXPECT_NO_THROW(parsePosition(Rules::named("standard,bar_last_pit=false"), "t,8/9 81 81 S 1"));
}

}  // namespace
}  // namespace toguz::test
