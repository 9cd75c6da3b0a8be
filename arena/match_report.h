// A match's result for people and for programs: the same figures as text and as JSON, and the games
// as records.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/match.h"
#include "core/record.h"

namespace toguz {

// Shares of distinct games below which a match deserves a warning, and below which it says so
// little that it has failed (from so many games on: a pair may well be the same game twice).
inline constexpr double kDistinctShareWanted = 0.98;
inline constexpr double kDistinctShareLeast = 0.9;
inline constexpr int kDistinctShareGames = 20;

// A table of a few lines, ending with a newline.
std::string matchText(const MatchResult& result);

// games, wins, draws, losses, pairs (five counts), score, elo, elo_error, los, distinct_games, with
// an SPRT llr and verdict; first_player, mean_plies, interrupted, overhead, and of players a and b
// name, faults, time_losses, first_fault, moves, nodes, seconds, nodes_per_second.
nlohmann::json matchJson(const MatchResult& result);

// The counted games, in order, with the players' names as tags and a comment a move of what the
// mover thought (where opinions were kept); with `times` also how long.
std::vector<GameText> matchRecords(const MatchResult& result, const MatchOptions& options,
                                   bool times);

}  // namespace toguz
