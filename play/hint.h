// Why a move is good, as facts that hold by construction: what the rules say happens when it is
// played, what either side could capture next, and what the search expects. Words are made from the
// facts alone, so another language or a page needs nothing but them.
//
// Pits are numbered 1..N by their owner.
#pragma once

#include <optional>
#include <string>

#include "core/game.h"
#include "play/engine.h"

namespace toguz {

// One move and what it takes where its last ball falls; balls that the sowing drops into a tuzdik
// on the way are not in. In giveaway, where balls lose, all that the mover's kazan gains.
struct Capture {
  int pit = 0;     // that is played; 0: nothing is taken
  int balls = 0;   // of a new tuzdik too
  int tuzdik = 0;  // the other side's pit that becomes a tuzdik; 0: none
  bool operator==(const Capture&) const = default;
};

struct MoveFacts {
  int pit = 0;
  Capture capture;          // by this move
  int intoOwnTuzdik = 0;    // balls that it drops into the mover's tuzdik
  int intoOtherTuzdik = 0;  // and into the opponent's
  bool only = false;        // the one legal move
  bool compelled = false;   // giveaway: moves that take nothing were forbidden
  // The game is over after it: +1 won, 0 drawn, -1 lost, and the final kazans.
  struct End {
    int score = 0;
    int own = 0, other = 0;
  };
  std::optional<End> end;

  // The greatest capture that the opponent could make at once if the mover passed, and the greatest
  // that he can make after the move; making a tuzdik counts as 13 balls. In giveaway, where
  // captures are compulsory, the fewest balls that he can choose to take.
  Capture dangerBefore, dangerAfter;
  int endangered = 0;       // mover's pit that he can make a tuzdik after the move, the first
  int preventedTuzdik = 0;  // mover's pit that he could have made a tuzdik, and cannot now
  // The same for the mover: before the move, and after it if the opponent passed.
  Capture chanceBefore, chanceAfter;
  bool newChance = false;  // that pit could not take so much before

  // By the search, for the mover after this move; empty without a search or if it did not look.
  struct Expected {
    double winRate = 0;         // per cent, a draw counting half
    double own = 0, other = 0;  // final kazans
  };
  std::optional<Expected> expected;
  std::optional<int> nextBest;  // the best of the other moves that the search looked at
  double nextBestWinRate = 0;
};

// TOGUZ_CHECK: the game is not over and `pit` (0-based) is legal. `report` is a search of this very
// position, or null.
MoveFacts factsOf(const Game& game, int pit, const SearchReport* report = nullptr);

// One or two sentences in English to the player who is to move: "Play 7: it captures 12 balls ..."
std::string explain(const RuleSet& rules, const MoveFacts& facts);

}  // namespace toguz
