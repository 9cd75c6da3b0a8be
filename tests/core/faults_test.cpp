// Faults of rules found in other programs, each held against ours for both sides.
#include <gtest/gtest.h>

#include "core/reference.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

// A standard position from the first player's view; what the pits do not hold lies in the kazans.
struct Board {
  std::vector<int> own = std::vector<int>(9, 0), other = std::vector<int>(9, 0);
  int ownTuzdik = 0, otherTuzdik = 0;  // pit numbers, as in the conformance files

  Board& with(int pit, int balls) { return own[static_cast<unsigned>(pit - 1)] = balls, *this; }
  Board& against(int pit, int balls) {
    return other[static_cast<unsigned>(pit - 1)] = balls, *this;
  }
  Board& tuzdiks(int mine, int his) { return ownTuzdik = mine, otherTuzdik = his, *this; }

  Position first() const {
    std::vector<int> list = own;
    list.insert(list.end(), other.begin(), other.end());
    int onBoard = 0;
    for (const int balls : list) onBoard += balls;
    const int left = 162 - onBoard;
    list.insert(list.end(), {left / 2, left - left / 2, ownTuzdik, otherTuzdik});
    const Position position = positionOf(kStandard, list, 0);
    EXPECT_EQ(position.fault(kStandard), nullptr);
    return position;
  }
};

struct Seen {
  int gain = 0, otherGain = 0;  // of the mover's kazan and of the other's
  int tuzdik = 0, otherTuzdik = 0;
  std::vector<int> other;  // pits of the side that did not move
  bool turnPassed = false;
  bool over = false;
};

// Plays `pit` for the first player, then the same with the sides exchanged: `look` must hold for
// both.
template <class F>
void bothSides(const Board& board, int pit, F&& look) {
  for (const bool swap : {false, true}) {
    SCOPED_TRACE(swap ? "second player" : "first player");
    const Position before = swap ? board.first().swapped(kStandard) : board.first();
    Game game{Rules(), before};
    game.play(pit - 1);
    const Position& after = game.position();
    EXPECT_EQ(after, playBallByBall(kStandard, before, pit - 1));
    const Side mover = before.side;
    const auto me = static_cast<unsigned>(index(mover));
    Seen seen;
    seen.gain = after.kazan[me] - before.kazan[me];
    seen.otherGain = after.kazan[1 - me] - before.kazan[1 - me];
    seen.tuzdik = after.tuzdikNumber(kStandard, mover);
    seen.otherTuzdik = after.tuzdikNumber(kStandard, opponent(mover));
    for (int i = 0; i < 9; ++i) seen.other.push_back(after.pit(kStandard, opponent(mover), i));
    seen.turnPassed = after.side == opponent(mover);
    seen.over = game.over();
    look(seen);
  }
}

TEST(KnownFaults, LastBallOnATuzdikIsNotJudgedAtThePitBeforeIt) {
  // Five balls from pit 9 end on the mover's tuzdik, pit 4; pit 3 before it becomes 2.
  const Board board = Board().with(9, 5).against(1, 4).against(3, 1).against(8, 7).tuzdiks(4, 0);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_EQ(seen.gain, 1);
    EXPECT_EQ(seen.other, (std::vector<int>{5, 1, 2, 0, 0, 0, 0, 7, 0}));
  });
}

TEST(KnownFaults, ThreeInThePitBeforeATuzdikMakesNone) {
  // The last ball ends on the opponent's tuzdik, on the mover's own side.
  Board board = Board().with(3, 2).with(1, 1).against(2, 6).tuzdiks(0, 4);
  bothSides(board, 3, [](const Seen& seen) {
    EXPECT_EQ(seen.gain, 0);
    EXPECT_EQ(seen.otherGain, 1);
    EXPECT_EQ(seen.tuzdik, 0);
  });
}

TEST(KnownFaults, MirrorRuleBarsTheSamePitNumber) {
  // The opponent owns the mover's pit 5: pit 5 of his may not be taken, and the three stay.
  const Board board = Board().with(9, 6).with(2, 5).against(5, 2).against(9, 4).tuzdiks(0, 5);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_EQ(seen.tuzdik, 0);
    EXPECT_EQ(seen.gain, 0);
    EXPECT_EQ(seen.other[4], 3);
  });
}

TEST(KnownFaults, MirrorRuleIsNotAboutThePitAcross) {
  // Straight across from pit 5 lies the opponent's pit 5; across from 4, pit 6: both 4 and 6 are
  // free.
  for (const int pit : {4, 6}) {
    const Board board =
        Board().with(9, pit + 1).with(2, 5).against(pit, 2).against(9, 4).tuzdiks(0, 5);
    bothSides(board, 9, [pit](const Seen& seen) {
      EXPECT_EQ(seen.tuzdik, pit);
      EXPECT_EQ(seen.otherTuzdik, 5);
      EXPECT_EQ(seen.gain, 3);
    });
  }
}

TEST(KnownFaults, MirrorRuleIsNotAboutTheStartPit) {
  // From pit 3 to pit 3 with ten balls: start and tuzdik have the same number, which bars nothing.
  const Board board = Board().with(3, 10).with(5, 2).against(3, 2).against(7, 6).tuzdiks(0, 8);
  bothSides(board, 3, [](const Seen& seen) {
    EXPECT_EQ(seen.tuzdik, 3);
    EXPECT_EQ(seen.gain, 3);
  });
}

TEST(KnownFaults, PitNineIsBarredForBothSides) {
  const Board board = Board().with(9, 10).with(2, 5).against(9, 2).against(1, 4);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_EQ(seen.tuzdik, 0);
    EXPECT_EQ(seen.gain, 0);
    EXPECT_EQ(seen.other[8], 3);
  });
}

TEST(KnownFaults, ASecondTuzdikIsRefused) {
  const Board board = Board().with(9, 6).with(2, 5).against(5, 2).against(9, 4).tuzdiks(7, 0);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_EQ(seen.tuzdik, 7);
    EXPECT_EQ(seen.other[4], 3);
  });
}

TEST(KnownFaults, AMoverWhoEmptiesHisOwnRowEndsNothing) {
  const Board board = Board().with(9, 1).against(1, 2).against(5, 9);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_FALSE(seen.over);
    EXPECT_TRUE(seen.turnPassed);
  });
}

TEST(KnownFaults, ASideToMoveWithoutBallsEndsTheGame) {
  const Board board = Board().with(1, 1).with(4, 9);
  bothSides(board, 1, [](const Seen& seen) { EXPECT_TRUE(seen.over); });
}

TEST(KnownFaults, SingleBallsCapture) {
  bothSides(Board().with(9, 1).with(1, 4).against(1, 5).against(7, 3), 9, [](const Seen& seen) {
    EXPECT_EQ(seen.gain, 6);
    EXPECT_EQ(seen.other[0], 0);
  });
}

TEST(KnownFaults, TuzdikBallsGoToItsOwnerWhoeverMoves) {
  // The mover's balls pass the opponent's tuzdik on the mover's row, then his own beyond.
  const Board board = Board().with(7, 7).with(1, 2).against(6, 5).tuzdiks(2, 8);
  bothSides(board, 7, [](const Seen& seen) {
    EXPECT_EQ(seen.otherGain, 1);
    EXPECT_EQ(seen.gain, 1);
  });
}

TEST(KnownFaults, TuzdikBallsCountOnEveryPass) {
  // 38 balls pass every square twice and the first two a third time.
  const Board board = Board().with(1, 38).with(9, 3).against(6, 5).tuzdiks(2, 4);
  bothSides(board, 1, [](const Seen& seen) {
    EXPECT_EQ(seen.gain, 2);
    EXPECT_EQ(seen.otherGain, 2);
  });
}

TEST(KnownFaults, ATuzdikInPitOneIsKept) {
  const Board board = Board().with(9, 1).with(8, 4).against(1, 2).against(5, 9);
  for (const bool swap : {false, true}) {
    Game game{Rules(), swap ? board.first().swapped(kStandard) : board.first()};
    const Side mover = game.position().side;
    const auto me = static_cast<unsigned>(index(mover));
    EXPECT_TRUE(game.play(8).madeTuzdik);
    EXPECT_EQ(game.position().tuzdikNumber(kStandard, mover), 1);
    game.play(4);  // nine balls from pit 5 pass the mover's row only
    const int before = game.position().kazan[me];
    game.play(7);  // four balls from pit 8: the third falls in the tuzdik, the fourth in pit 2
    EXPECT_EQ(game.position().pit(kStandard, opponent(mover), 0), 0);
    EXPECT_EQ(game.position().kazan[me], before + 1);
  }
}

TEST(KnownFaults, ARefusedThreePassesTheTurn) {
  const Board board = Board().with(9, 10).with(2, 5).against(9, 2).against(1, 4);
  bothSides(board, 9, [](const Seen& seen) {
    EXPECT_TRUE(seen.turnPassed);
    EXPECT_FALSE(seen.over);
  });
}

}  // namespace
}  // namespace toguz::test
