// How and with what result a game ends. The test is made after each move, for the side to move.
#pragma once

#include <array>
#include <cstdint>

#include "core/sow.h"

namespace toguz {

enum class EndReason : std::uint8_t { None, NoMoves, Majority, Repetition, PlyCap };
const char* text(EndReason reason);  // "no_moves", "majority", "repetition", "ply_cap", ""

enum class Result : std::uint8_t { FirstWins, SecondWins, Draw };
const char* text(Result result);  // "1-0", "0-1", "1/2-1/2"
constexpr Result winFor(Side side) {
  return side == Side::First ? Result::FirstWins : Result::SecondWins;
}

// A finished game. `kazan` includes the leftovers when it ended by NoMoves.
struct Outcome {
  EndReason reason = EndReason::None;
  Result result = Result::Draw;
  std::array<std::int16_t, 2> kazan{};

  bool over() const { return reason != EndReason::None; }
  // +1 a win, 0 a draw, -1 a loss, for `side`.
  int score(Side side) const {
    if (result == Result::Draw) return 0;
    return result == winFor(side) ? 1 : -1;
  }
  // Balls of `side` less the other's (in giveaway too: more balls, bigger margin).
  int margin(Side side) const {
    const int first = kazan[0] - kazan[1];
    return side == Side::First ? first : -first;
  }
};

// NoMoves, Majority or None; repetition and the ply cap need the game's history (game.h).
template <class R>
inline EndReason endOfPosition(const R& rules, const Position& position) {
  if (filledPits(rules, position) == 0) return EndReason::NoMoves;
  if (rules.set().stopAtMajority) {
    const int need = rules.set().majority();
    if (position.kazan[0] >= need || position.kazan[1] >= need) return EndReason::Majority;
  }
  return EndReason::None;
}

// The outcome of a game that ended for `reason` in `position`.
Outcome outcomeOf(const RuleSet& rules, const Position& position, EndReason reason);

}  // namespace toguz
