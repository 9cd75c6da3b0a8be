#include "core/position.h"

#include <algorithm>
#include <numeric>

namespace toguz {

Position Position::start(const RuleSet& rules) {
  Position position;
  std::fill_n(position.board.begin(), 2 * rules.pits, rules.balls);
  return position;
}

int Position::tuzdikNumber(const RuleSet& rules, Side owner) const {
  const std::uint8_t square = tuzdik[static_cast<unsigned>(index(owner))];
  return square == kNoSquare ? 0 : square % rules.pits + 1;
}

int Position::ballsOnBoard() const {
  return std::accumulate(board.begin(), board.end(), 0);
}

std::uint64_t Position::hash() const {
  // Each word is multiplied and folded in turn (the finaliser is splitmix64's).
  std::uint64_t h = 0x2545f4914f6cdd1dULL;
  for (const std::uint64_t word : words()) {
    h = (h ^ word) * 0x9fb21c651e98df25ULL;
    h ^= h >> 32;
  }
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  return h ^ (h >> 31);
}

Position Position::swapped(const RuleSet& rules) const {
  const int n = rules.pits;
  Position other;
  for (int i = 0; i < 2 * n; ++i)
    other.board[static_cast<unsigned>((i + n) % (2 * n))] = board[static_cast<unsigned>(i)];
  other.kazan = {kazan[1], kazan[0]};
  const auto turn = [n](std::uint8_t square) {
    return square == kNoSquare ? square : static_cast<std::uint8_t>((square + n) % (2 * n));
  };
  other.tuzdik = {turn(tuzdik[1]), turn(tuzdik[0])};
  other.side = opponent(side);
  return other;
}

const char* Position::fault(const RuleSet& rules) const {
  const unsigned n = rules.pits;
  for (unsigned i = 2 * n; i < kSquares; ++i)
    if (board[i] != 0) return "balls outside the board";
  if (ballsOnBoard() + kazan[0] + kazan[1] != rules.total())
    return "the balls on the board and in the kazans do not add up to the variant's number";
  for (unsigned owner = 0; owner < 2; ++owner) {
    const unsigned square = tuzdik[owner];
    if (square == kNoSquare) continue;
    if (!rules.tuzdik) return "a tuzdik in a variant that has none";
    if (square >= 2 * n || (square >= n) == (owner == 1)) return "a tuzdik on its owner's own side";
    if (board[square] != 0) return "balls in a tuzdik";
    if (rules.barLastPit && square % n == n - 1) return "a tuzdik in the last pit";
  }
  if (tuzdik[0] != kNoSquare && tuzdik[1] != kNoSquare && tuzdik[0] % n == tuzdik[1] % n)
    return "two tuzdiks in pits of the same number";
  return nullptr;
}

}  // namespace toguz
