// What a training run did, gathered for a page: toguz report.
//
// Reads the run's folder and changes nothing in it, so a run may be looked at while it goes on.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/game_record.h"
#include "training/run_directory.h"

namespace toguz {

struct RunReportOptions {
  int games = 6;          // annotated games of self-play, at most
  int points = 400;       // a line of a chart is thinned to so many points
  std::string agreement;  // file of `toguz measure --json`; "" for none
};

// Throws UsageError if there is no run in the folder, Error naming the file and the line of what
// cannot be read. What a run does not have yet (ratings, gates, games) is left out.
nlohmann::ordered_json runReport(const RunPaths& run, const RunReportOptions& options = {});

// A game move by move: the position before each, the move in notation, the first player's win rate
// in percent, and a mark where the mover's own win rate fell ("?!" from 10, "?" from 20, "??" from
// 35 points), by the value of the next search; a game played with exploration has many.
nlohmann::ordered_json annotatedGame(const GameRecord& record, const std::string& title);

// Which of the games a reader would like to see, with why: the last one, the longest, the one whose
// winner was closest to losing, a draw. Each game once.
std::vector<std::pair<const GameRecord*, std::string>> gamesWorthSeeing(
    const std::vector<GameRecord>& games, int count);

}  // namespace toguz
