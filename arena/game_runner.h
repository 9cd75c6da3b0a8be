// Plays one game of a match on the calling thread.
#pragma once

#include <functional>
#include <optional>

#include "arena/match.h"

namespace toguz {

// The game at `index`; nothing if `abandon` (asked before each move) says so.
std::optional<MatchGame> playGame(const MatchOptions& options, int index, Player& a, Player& b,
                                  const std::function<bool()>& abandon);

}  // namespace toguz
