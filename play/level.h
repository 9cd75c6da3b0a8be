// The strength of the engine for people: levels 1 (a beginner's) to 10 (full strength).
//
// A level is a fixed number of visits and a way to choose among the moves that look natural, so
// that it is as strong on any machine. Below full strength the engine overlooks tactics as people
// do: it plays moves that its network finds plausible without having looked deep enough to see what
// is wrong with them; a move that it finds absurd is never played. Ratings: docs/results.md, a
// table in the README; `scripts/rate_levels.sh` measures them.
#pragma once

#include <cstdint>
#include <span>

#include "base/rng.h"
#include "search/search.h"

namespace toguz {

inline constexpr int kLevels = 10;
// Root visits of full strength where strength is compared and no limit is given.
inline constexpr std::int64_t kFullStrengthNodes = 51'200;

struct Level {
  std::int64_t nodes = 0;  // root visits; 0: whatever limits are given
  // Moves are drawn by weight^(1/temperature), the weight being the network's prior where `nodes`
  // is 1 and visits elsewhere; 0: the best move.
  double temperature = 0;
  double leastShare = 0;  // moves of less than this share of the greatest weight are not drawn
};

// The level of that number in a game of these rules; rules with switches take those of the game
// that they are nearest to. TOGUZ_CHECK: number is 1..kLevels.
const Level& levelOf(const Rules& rules, int number);

// The move that a player of this level makes after a search within its nodes. `moves` are the legal
// ones with at least one visit between them, `best` the search's choice among them.
int chooseByLevel(const Level& level, std::span<const RootMove> moves, int best, Rng& rng);

}  // namespace toguz
