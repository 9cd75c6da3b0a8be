#include "core/outcome.h"

#include "base/error.h"

namespace toguz {

const char* text(EndReason reason) {
  switch (reason) {
    case EndReason::None:
      return "";
    case EndReason::NoMoves:
      return "no_moves";
    case EndReason::Majority:
      return "majority";
    case EndReason::Repetition:
      return "repetition";
    case EndReason::PlyCap:
      return "ply_cap";
  }
  return "";
}

const char* text(Result result) {
  switch (result) {
    case Result::FirstWins:
      return "1-0";
    case Result::SecondWins:
      return "0-1";
    case Result::Draw:
      return "1/2-1/2";
  }
  return "";
}

Outcome outcomeOf(const RuleSet& rules, const Position& position, EndReason reason) {
  Outcome outcome;
  outcome.reason = reason;
  outcome.kazan = {position.kazan[0], position.kazan[1]};
  if (reason == EndReason::NoMoves) {
    const Side taker = rules.leftoversToStuck ? position.side : opponent(position.side);
    outcome.kazan[static_cast<unsigned>(index(taker))] +=
        static_cast<std::int16_t>(position.ballsOnBoard());
  }
  if (reason == EndReason::NoMoves || reason == EndReason::Majority) {
    const int first = outcome.kazan[0], second = outcome.kazan[1];
    if (first != second)
      outcome.result = (first > second) != rules.giveaway ? Result::FirstWins : Result::SecondWins;
  }
  return outcome;
}

}  // namespace toguz
