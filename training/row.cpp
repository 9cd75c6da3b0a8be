#include "training/row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"

namespace toguz {
namespace {

std::int16_t scaled(double value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * 32767.0));
}

// Replays the record under its rules and holds the recorded outcome against the one that follows.
Game replay(const GameRecord& record) {
  const auto fail = [&](const std::string& what) {
    throw UnsoundGame("game " + hex64(record.id) + ": " + what);
  };
  if (const char* fault = record.start.fault(record.rules.set()))
    fail(std::string("its start position has ") + fault);
  // The cap that the game was played under is not recorded; a capped game ended right at it.
  const int plies = static_cast<int>(record.moves.size());
  const int cap =
      record.outcome.reason == EndReason::PlyCap ? plies : std::numeric_limits<int>::max();
  Game game(record.rules, record.start, cap);
  for (const MoveRecord& move : record.moves) {
    try {
      game.play(move.pit);
    } catch (const Error& error) {
      fail("ply " + std::to_string(game.ply() + 1) + ": " + error.what());
    }
  }
  const Outcome& outcome = game.outcome();
  if (!outcome.over()) fail("it breaks off at ply " + std::to_string(plies) + " before its end");
  if (outcome.reason != record.outcome.reason || outcome.result != record.outcome.result ||
      outcome.kazan != record.outcome.kazan)
    fail(std::string("its recorded outcome (") + text(record.outcome.result) + ", " +
         text(record.outcome.reason) + ") does not follow from its moves (" + text(outcome.result) +
         ", " + text(outcome.reason) + ")");
  return game;
}

bool heldOut(std::uint64_t id, double share) {
  std::uint64_t state = id;
  return static_cast<double>(splitmix64(state) >> 11) * 0x1.0p-53 < share;
}

// For each ply, the exponentially weighted mean of the root values after it, from the first
// player's view: S(t) = (1 - d) v(t+1) + d S(t+1), with d = 1 - 1/horizon so that the mean
// look-ahead is `horizon` plies. Moves that were not searched (no nodes) have no value and are
// passed over; what is beyond the end is the final result.
std::vector<double> shortValues(const GameRecord& record, const Game& game, double horizon) {
  const std::size_t plies = record.moves.size();
  const double decay = 1.0 - 1.0 / horizon;
  std::vector<double> values(plies);
  double later = game.outcome().score(Side::First);
  for (std::size_t ply = plies; ply-- > 0;) {
    values[ply] = later;
    const MoveRecord& move = record.moves[ply];
    if (move.nodes == 0) continue;
    const double sign = game.positions()[ply].side == Side::First ? 1.0 : -1.0;
    later = (1.0 - decay) * sign * static_cast<double>(move.rootWinLoss) + decay * later;
  }
  return values;
}

}  // namespace

std::vector<TrainingRow> makeRows(const GameRecord& record, double shortHorizon,
                                  double holdOutShare) {
  TOGUZ_CHECK(shortHorizon >= 1.0, "a look-ahead of less than a ply");
  const Game game = replay(record);
  const RuleSet& rules = record.rules.set();
  const std::vector<double> later = shortValues(record, game, shortHorizon);
  const bool holdOut = heldOut(record.id, holdOutShare);
  const Outcome& outcome = game.outcome();

  std::vector<TrainingRow> rows;
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    const MoveRecord& move = record.moves[ply];
    if (!move.fullSearch) continue;
    const Position& position = game.positions()[ply];
    const Side side = position.side;
    TrainingRow row;
    row.position = side == Side::First ? position : position.swapped(rules);
    row.policy = move.policy;
    row.shortValue = scaled(side == Side::First ? later[ply] : -later[ply]);
    row.rootValue = scaled(static_cast<double>(move.rootWinLoss));
    row.margin = static_cast<std::int16_t>(outcome.margin(side));
    row.result = static_cast<std::int8_t>(outcome.score(side));
    if (ply + 1 < record.moves.size()) row.reply = record.moves[ply + 1].pit;
    row.ply = static_cast<std::uint16_t>(ply);
    row.weight =
        static_cast<std::uint8_t>(std::lround(std::clamp(move.weight, 0.0f, 1.0f) * 255.0f));
    row.holdOut = holdOut ? 1 : 0;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace toguz
