// What a search of one position found, as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "play/search_line.h"
#include "search/search.h"

namespace toguz {

struct Analysis {
  bool cancelled = false;      // before its limits; it holds what was found until then
  std::uint64_t nodes = 0;     // visits of the root; 0: never begun, or the game is over
  double timeMs = 0;           // since the search began
  std::optional<int> bestPit;  // 0-based; empty without nodes
  // Best first; one without moves, the outcome, if the game is over; empty if never begun.
  std::vector<SearchLine> lines;
  std::vector<RootMove> moves;  // legal moves in the order of pits
};

}  // namespace toguz
