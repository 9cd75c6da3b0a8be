// The board as lines of text, for a terminal or a file.
//
// The second player's row is on top, numbered from right to left, so that sowing runs
// counter-clockwise as on a real board; `flip` turns the board round. The pit that the last move
// was played from is numbered (7), the one where its last ball fell [6]. Free functions without
// state: any thread may call them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/sow.h"

namespace toguz {

struct BoardLook {
  int width = 80;        // columns there are; below 4 * pits + 1 lines may be longer than that
  bool colour = false;   // ANSI sequences, of the 16 colours that follow the terminal's theme
  bool unicode = false;  // boxes and balls in UTF-8; else ASCII
  bool dots = true;      // balls as dots too, where the columns suffice; four lines more
  bool flip = false;     // the first player's row on top
};

struct BoardScene {
  RuleSet rules;
  // May be one in the middle of a sowing: nothing is checked.
  Position position;
  std::array<std::string, 2> names;  // of the players, in UTF-8 without control characters
  std::optional<Side> toMove;
  PitMask legal = 0;  // of the side to move; shown in colour alone
  // Ring squares, -1 for none: of the last move, and where a ball or a capture is right now.
  int from = -1;
  int last = -1;
  int now = -1;
};

// Lines without ends.
std::vector<std::string> drawBoard(const BoardScene& scene, const BoardLook& look);

// Columns that UTF-8 text without ANSI sequences takes, one a character.
int columnsOf(std::string_view text);

// Breaks text at blanks into lines of at most `width` columns; a longer word has a line of its own.
// Lines after the first begin with `indent` blanks.
std::vector<std::string> wrapText(std::string_view text, int width, int indent = 0);

}  // namespace toguz
