// What the games of a stretch of self-play were like. One thread at a time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "arena/calibration.h"
#include "selfplay/game_record.h"

namespace toguz {

class GameStatistics {
 public:
  void add(const GameRecord& game);
  // recent_games, mean_plies, draw_share, first_player_score, decided_share (moves searched in
  // positions that counted as decided), tuzdiks (a game, and the mean ply of making one),
  // both_tuzdiks (share of games), calibration of the search's values against the results.
  nlohmann::ordered_json json() const;

 private:
  std::uint64_t games_ = 0, plies_ = 0, draws_ = 0, firstWins_ = 0;
  std::uint64_t searched_ = 0, decided_ = 0;
  std::uint64_t tuzdiks_ = 0, tuzdikPlies_ = 0, bothTuzdiks_ = 0;
  Calibration calibration_;
};

}  // namespace toguz
