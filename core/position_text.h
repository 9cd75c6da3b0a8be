// Position text in PlayStrategy's form, for every variant:
//
//   NORTH/SOUTH K1 K2 S|N FULLMOVE
//
// NORTH is the second player's pits N..1 and SOUTH the first player's 1..N, cells parted by commas:
// `9S` nine balls, `3` three empty pits in a row, `t` a tuzdik (on the south row the second
// player's, on the north row the first player's). K1 and K2 are the kazans, S or N the side to
// move.
#pragma once

#include <string>
#include <string_view>

#include "core/position.h"

namespace toguz {

struct PositionText {
  Position position;
  int fullmove = 1;  // 1 before the first player's first move; goes up after the second player's
};

std::string formatPosition(const Rules& rules, const Position& position, int fullmove = 1);

// Reads position text. The result is sound under the rules (Position::fault). Throws UsageError
// naming the part that is wrong.
PositionText parsePosition(const Rules& rules, std::string_view text);

}  // namespace toguz
