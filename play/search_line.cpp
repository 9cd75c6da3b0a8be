#include "play/search_line.h"

#include <algorithm>

namespace toguz {

std::vector<SearchLine> linesOf(Search& search, int most) {
  const int best = search.bestMove();
  const auto current = search.rootMoves();
  std::vector<RootMove> moves(current.begin(), current.end());
  std::stable_sort(moves.begin(), moves.end(), [best](const RootMove& a, const RootMove& b) {
    if ((a.pit == best) != (b.pit == best)) return a.pit == best;
    return a.visits > b.visits || (a.visits == b.visits && a.winLoss > b.winLoss);
  });
  std::vector<SearchLine> lines;
  for (const RootMove& move : moves) {
    if (lines.size() == static_cast<std::size_t>(most)) break;
    if (move.visits == 0 && move.pit != best) break;
    lines.push_back({move.visits, std::clamp(move.winLoss, -1.0f, 1.0f), move.margin,
                     search.principalVariation(20, move.pit)});
  }
  return lines;
}

}  // namespace toguz
