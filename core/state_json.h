// The one line of JSON with which the protocol's `d` shows a game:
//
//   {"variant","fen","pits":[[1..N],[1..N]],"kazan":[k1,k2],"tuzdik":[t1,t2],"turn":0|1,
//    "legal":[pits],"over":bool,"reason":null|text,"result":null|text}
//
// First player first. Once the game is over by no_moves the leftovers are in the kazans and the
// pits (and the fen) are empty.
#pragma once

#include <string>

#include "core/game.h"

namespace toguz {

// `startFullmove` is the move number of the game's start position (PositionText::fullmove).
std::string stateJson(const Game& game, int startFullmove = 1);

// Move number, as position text counts it, after game.ply() plies.
int fullmoveOf(const Game& game, int startFullmove = 1);

}  // namespace toguz
