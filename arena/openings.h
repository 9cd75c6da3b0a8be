// The positions from which a match is played, so that deterministic players do not repeat one game.
#pragma once

#include <string>
#include <vector>

#include "core/game.h"

namespace toguz {

struct Opening {
  Position start;  // of the game, before `moves`
  std::vector<std::uint8_t>
      moves;  // 0-based pits, legal from there; the game is not over after them

  Game game(const Rules& rules, int plyCap = Game::kDefaultPlyCap) const;
};

// `count` openings of `plies` uniformly random legal moves from the start position, none over, no
// two reaching the same position; the same for the same seed. Where the variant has too few
// different positions at that depth, fewer are returned (at least one).
std::vector<Opening> randomOpenings(const Rules& rules, int plies, std::size_t count,
                                    std::uint64_t seed);

// One opening a line: moves in notation (`76 99 ...`, pit numbers alone will do, move numbers are
// skipped) or position text. Empty lines and lines from `#` on are skipped. Throws UsageError
// naming file, line and fault.
std::vector<Opening> readOpenings(const Rules& rules, const std::string& path);

// Random openings that a neutral player holds for even: the built-in alpha-beta, `kBalanceDepth`
// plies deep, sees neither side more than `balls` ahead. Throws UsageError if there are none.
inline constexpr int kBalanceDepth = 5;
std::vector<Opening> balancedOpenings(const Rules& rules, int plies, int balls, std::size_t count,
                                      std::uint64_t seed);

// The first `plies` moves of recorded games of these rules, no two openings reaching the same
// position, in an order drawn by `seed`; shorter games and games that are not by the rules are
// passed over. Throws UsageError if none is left.
std::vector<Opening> recordedOpenings(const Rules& rules, const std::string& path, int plies,
                                      std::size_t count, std::uint64_t seed);

// As on the command line: `random:PLIES`, `balanced:PLIES[:BALLS]`, `games:PLIES:FILE` (records),
// or a file of one opening a line. At most `count` openings. Throws UsageError.
std::vector<Opening> parseOpenings(const Rules& rules, const std::string& text, std::size_t count,
                                   std::uint64_t seed);

}  // namespace toguz
