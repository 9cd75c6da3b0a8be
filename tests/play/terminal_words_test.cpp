// What the game says to a person.
#include <gmock/gmock.h>

#include "base/error.h"
#include "core/position_text.h"
#include "play/terminal/game_words.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

const Address kFirst(Side::First), kSecond(Side::Second), kNobody;

Game gameAt(const std::string& variant, const std::string& fen) {
  const Rules rules = Rules::named(variant);
  return Game(rules, parsePosition(rules, fen).position);
}

std::string refusal(const Game& game, const std::string& move, const Address& address = kFirst) {
  try {
    return "pit " + std::to_string(readMove(game, move, address) + 1) + " is played";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(TerminalWords, RefusedMovesOfTheStandardGame) {
  const Game game =
      gameAt("standard", "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,12S,t,3S,12S,1,14S 22 15 S 4");
  EXPECT_EQ(refusal(game, "8"), "pit 8 is empty");
  EXPECT_EQ(refusal(game, "81"), "pit 8 is empty");
  EXPECT_EQ(refusal(game, "5"), "pit 5 is the engine's tuzdik and cannot be played");
  EXPECT_EQ(refusal(game, "5", kSecond), "pit 5 is your tuzdik and cannot be played");
  EXPECT_EQ(refusal(game, "5", kNobody),
            "pit 5 is the second player's tuzdik and cannot be played");
  for (const char* nowhere : {"0", "10", "01", "123", "90", "99999999999999999999"})
    EXPECT_EQ(refusal(game, nowhere),
              "there are pits 1 to 9; a move is a pit, or a pit and the pit of its last ball");
  EXPECT_EQ(refusal(game, "15"), "the last ball falls in pit 3, not 5");
  EXPECT_EQ(refusal(game, "13X"), "no tuzdik is made, but it is marked");
  EXPECT_EQ(refusal(game, "13(4)"), "a score is given, but there is no even capture");
  EXPECT_EQ(refusal(game, "1z"), "want a pit number or two digits, as 7 or 76");
  EXPECT_EQ(refusal(game, "1"), "pit 1 is played");
  EXPECT_EQ(refusal(game, "13"), "pit 1 is played");
}

TEST(TerminalWords, RefusedMovesOfGiveaway) {
  const Game game(Rules::named("giveaway"));
  EXPECT_EQ(refusal(game, "1"),
            "giveaway: you must take balls where that is possible; pits 2, 3, 4, 5, 6, 7, 8 and 9 "
            "do; pit 1 takes none");
  EXPECT_EQ(refusal(game, "19"), refusal(game, "1"));
  EXPECT_EQ(refusal(game, "2"), "pit 2 is played");
  EXPECT_EQ(compulsionText(game, kNobody),
            "giveaway: the first player must take balls where that is possible; pits 2, 3, 4, 5, "
            "6, 7, 8 and 9 do");
  const Game one = gameAt("giveaway", "8,1S/2S,7,1S 79 79 S 60");
  EXPECT_EQ(compulsionText(one, kFirst),
            "giveaway: you must take balls where that is possible; pit 9 does");
  EXPECT_EQ(compulsionText(Game(), kFirst), "");
}

TEST(TerminalWords, RefusedMovesOfSmallerBoards) {
  EXPECT_EQ(refusal(Game(Rules::named("bestemshe")), "7"),
            "there are pits 1 to 5; a move is a pit, or a pit and the pit of its last ball");
  EXPECT_EQ(refusal(Game(Rules::named("bestemshe")), "16"),
            refusal(Game(Rules::named("bestemshe")), "7"));
  EXPECT_EQ(refusal(Game(Rules::named("seven")), "8"),
            "there are pits 1 to 7; a move is a pit, or a pit and the pit of its last ball");
  EXPECT_EQ(refusal(gameAt("seven", "7S,7S,7S,7S,7S,7S,7S/1,14S,7S,7S,7S,7S,7S 0 0 S 1"), "1"),
            "pit 1 is empty");
}

TEST(TerminalWords, Moves) {
  const Rules rules;
  const Position start = Position::start(rules.set());
  EXPECT_EQ(describeMove(rules, start, 6, kFirst),
            "You play 76(10): from pit 7 to pit 6 across, taking 10 balls.");
  EXPECT_EQ(describeMove(rules, start, 0, kSecond), "The engine plays 19: from pit 1 to pit 9.");
  const auto tuzdik =
      parsePosition(rules, "9S,9S,9S,9S,9S,9S,2S,9S,9S/9S,9S,9S,9S,9S,9S,9S,3S,4S 11 7 S 9");
  EXPECT_EQ(describeMove(rules, tuzdik.position, 8, kNobody),
            "The first player plays 93X: from pit 9 to pit 3 across, which becomes the first "
            "player's tuzdik (3 balls).");
  const auto owned =
      parsePosition(rules, "13S,2S,12S,3S,t,1S,1,12S,12S/12S,2S,13S,11S,1S,t,12S,12S,1S 28 15 S 4");
  EXPECT_EQ(describeMove(rules, owned.position, 3, kFirst),
            "You play 45: from pit 4 to pit 5 across; 1 ball falls into your tuzdik; 1 ball falls "
            "into the engine's tuzdik.");
}

TEST(TerminalWords, EndsByMajority) {
  Game game = gameAt("standard", "4,7S,3,1S/1S,1S,6,2S 80 70 S 50");
  game.play(8);
  EXPECT_EQ(describeEnd(game, kFirst),
            "Your kazan holds 82 balls, more than half of 162. You win. Final kazans: you 82, the "
            "engine 70.");
  EXPECT_EQ(describeEnd(game, kSecond),
            "The engine's kazan holds 82 balls, more than half of 162. The engine wins. Final "
            "kazans: the engine 82, you 70.");
  Game giveaway = gameAt("giveaway", "4,7S,3,1S/1S,1S,6,2S 80 70 S 50");
  giveaway.play(8);
  EXPECT_EQ(describeEnd(giveaway, kFirst),
            "Your kazan holds 82 balls, more than half of 162, which loses in giveaway. The engine "
            "wins. Final kazans: you 82, the engine 70.");
}

TEST(TerminalWords, EndsWithoutAMove) {
  EXPECT_EQ(describeEnd(gameAt("standard", "8,3S/9 79 80 S 60"), kFirst),
            "You have no ball left to play. The 3 balls left on the board go to the engine's "
            "kazan. The engine wins. Final kazans: you 79, the engine 83.");
  EXPECT_EQ(describeEnd(gameAt("giveaway2010", "8,1S/9 80 81 S 60"), kSecond),
            "The engine has no ball left to play. The ball left on the board goes to the engine's "
            "kazan. The game is a draw. Final kazans: the engine 81, you 81.");
  EXPECT_EQ(describeEnd(gameAt("seven", "7/7 49 49 N 60"), kNobody),
            "The second player has no ball left to play. The game is a draw. Final kazans: the "
            "first player 49, the second player 49.");
}

TEST(TerminalWords, EndsOfTheGameRecord) {
  Game game(Rules::named("standard,stop_at_majority=false"), 2);
  game.play(0);
  game.play(0);
  EXPECT_EQ(describeEnd(game, kNobody),
            "The game has reached its limit of 2 moves, both players' counted. The game is a draw. "
            "Final kazans: the first player 0, the second player 0.");
  Game circle = gameAt("standard", "8,1S/1S,8 80 80 S 1");
  for (int ply = 0; !circle.over(); ++ply) circle.play(ply / 2 % 9);
  EXPECT_EQ(describeEnd(circle, kFirst),
            "The same position has come up for the third time. The game is a draw. Final kazans: "
            "you 80, the engine 80.");
}

TEST(TerminalWords, Lists) {
  EXPECT_EQ(pitsText(0), "");
  EXPECT_EQ(pitsText(1), "1");
  EXPECT_EQ(pitsText(0b101), "1 and 3");
  EXPECT_EQ(pitsText(0b100000111, "or"), "1, 2, 3 or 9");
  EXPECT_EQ(ballsText(1), "1 ball");
  EXPECT_EQ(ballsText(0), "0 balls");
}

}  // namespace
}  // namespace toguz
