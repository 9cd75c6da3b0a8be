#include "training/game_statistics.h"

#include "core/game.h"

namespace toguz {

void GameStatistics::add(const GameRecord& game) {
  ++games_;
  plies_ += game.moves.size();
  draws_ += game.outcome.result == Result::Draw;
  firstWins_ += game.outcome.result == Result::FirstWins;
  withRules(game.rules, [&](const auto& rules) {
    Position position = game.start;
    int ply = 0;
    for (const MoveRecord& move : game.moves) {
      const Side mover = position.side;
      if (move.nodes > 1) {
        ++searched_;
        decided_ += move.weight < 1;
        calibration_.add(ply, move.rootWinLoss, game.outcome.score(mover));
      }
      const bool before = position.hasTuzdik(mover);
      position = play(rules, position, move.pit);
      if (!before && position.hasTuzdik(mover)) {
        ++tuzdiks_;
        tuzdikPlies_ += static_cast<std::uint64_t>(ply);
      }
      ++ply;
    }
    bothTuzdiks_ += position.hasTuzdik(Side::First) && position.hasTuzdik(Side::Second);
  });
}

nlohmann::ordered_json GameStatistics::json() const {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  return {
      {"recent_games", games_},
      {"mean_plies", share(plies_, games_)},
      {"draw_share", share(draws_, games_)},
      {"first_player_score", share(2 * firstWins_ + draws_, 2 * games_)},
      {"decided_share", share(decided_, searched_)},
      {"tuzdiks", {{"a_game", share(tuzdiks_, games_)}, {"ply", share(tuzdikPlies_, tuzdiks_)}}},
      {"both_tuzdiks", share(bothTuzdiks_, games_)},
      {"calibration", calibration_.json()}};
}

}  // namespace toguz
