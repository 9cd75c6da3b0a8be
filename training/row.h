// One training example, 64 bytes: a position from the mover's view and its targets.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "selfplay/game_record.h"

namespace toguz {

struct TrainingRow {
  static constexpr std::uint8_t kNoReply = 0xff;

  Position position;                             // normalised: the mover is the first player
  std::array<std::uint16_t, kMaxPits> policy{};  // shares * 65535, by pit
  std::int16_t shortValue = 0;    // exponentially weighted mean of later root values * 32767
  std::int16_t rootValue = 0;     // the search's own value * 32767
  std::int16_t margin = 0;        // final balls ahead
  std::int8_t result = 0;         // +1, 0, -1
  std::uint8_t reply = kNoReply;  // pit of the opponent's next move
  std::uint16_t ply = 0;
  std::uint8_t weight = 255;  // * 1/255
  std::uint8_t holdOut = 0;   // 1: never trained on, only measured (chosen by game id)
};
static_assert(sizeof(TrainingRow) == 64);

// A record whose moves break the rules, or lead to another end than it says.
class UnsoundGame : public Error {
 public:
  using Error::Error;
};

// The rows of a game: one for each full search. `shortHorizon` is the mean look-ahead, in plies, of
// the short-term value. Throws UnsoundGame.
std::vector<TrainingRow> makeRows(const GameRecord& game, double shortHorizon = 8.0,
                                  double holdOutShare = 0.02);

}  // namespace toguz
