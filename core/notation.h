// A move as text: two digits, from-pit and pit of the last ball, each numbered by its own side;
// then `X` where the move makes a tuzdik; then, where scores are wanted, the mover's kazan after an
// even capture in parentheses: `76`, `83X`, `76(10)`.
//
// The second digit, the mark and the score are redundant. On input each is checked where it is
// given, and a mismatch is an error that says what is true instead. A score is accepted only after
// an even capture. A missing score is always accepted (many databases print none). A missing mark
// is accepted by default, as people and programs type moves without it, and refused with
// `needMark`: records are read so, because every database known marks each tuzdik, and a lost mark
// then betrays a damaged record.
//
// Free functions without state: any thread may call them.
#pragma once

#include <string>
#include <string_view>

#include "core/game.h"

namespace toguz {

// The text of playing `pit` (0-based, must hold a ball) in `position`.
std::string formatMove(const Rules& rules, const Position& position, int pit,
                       bool withScore = false);
// The same for a move already made, so that nothing is sown twice.
std::string formatMove(const Rules& rules, const Position& before, int pit, const Sowing& sowing,
                       int kazanAfter, bool withScore = false);

struct MoveSyntax {
  bool barePit = false;   // also accept a pit number alone (`7`), as the protocol does
  bool needMark = false;  // a tuzdik without its mark is an error
};

// Reads a move for the side to move and returns its 0-based pit. Marks X, x and Cyrillic Kha, upper
// or lower (UTF-8). Throws UsageError with one line that quotes the move and says what is wrong
// (syntax, empty pit, compulsion, last pit, mark, score, game over). Repetition and the ply cap end
// a Game but not a bare position.
int parseMove(const Rules& rules, const Position& position, std::string_view text,
              MoveSyntax syntax = {});
int parseMove(const Game& game, std::string_view text, MoveSyntax syntax = {});

// What someone wrote, fit for an error message: quoted, cut to 40 bytes, no control characters.
std::string inQuotes(std::string_view text);

}  // namespace toguz
