// What a search has to say about its best moves.
#pragma once

#include <cstdint>
#include <vector>

#include "search/search.h"

namespace toguz {

// A move that the search looked at and what it expects after it.
struct SearchLine {
  std::uint32_t visits = 0;
  float winLoss = 0;             // P(win) - P(loss) for the side to move, in [-1, 1]
  float margin = 0;              // expected final balls ahead, for the side to move
  std::vector<std::uint8_t> pv;  // 0-based pits, the move first; empty only if the game is over

  // Per cent, a draw counting half.
  double winRate() const { return 50.0 * (1.0 + winLoss); }
};

// The best move first, then the others that were looked at by visits: `most` at the most, one at
// least. After a search or during a shared one, by one of its threads.
std::vector<SearchLine> linesOf(Search& search, int most);

}  // namespace toguz
