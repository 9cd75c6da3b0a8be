// A review in the forms in which people and programs read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "analysis/review.h"

namespace toguz {

// The record with what the review says of each move as its comment, before the comment that it had:
// "?? 34.1% -6.2, best 83X 71.0% +9.5: 83X 24 57". Win rate and margin are the mover's after the
// move. The game's comment gets the accuracies.
GameText annotated(const GameText& record, const GameReview& review);

// One object a game; docs/protocols.md describes it.
nlohmann::ordered_json reviewJson(const GameText& record, const GameReview& review);
nlohmann::ordered_json openingsJson(const Rules& rules, std::span<const OpeningLine> lines);

// "1-0, 80 plies; accuracy 91.2 and 84.0; ?! 2 and 4, ? 1 and 2, ?? 0 and 1; turning points: 34.
// 76"
std::string reviewLine(const GameText& record, const GameReview& review);

// What the page of report/page/review.js draws of a game.
nlohmann::ordered_json reviewPageGame(const GameText& record, const GameReview& review,
                                      const std::string& title);

// A figure as it stands in JSON: to a tenth.
double tenth(double value);

// Moves with numbers, as "1. 76 99 2. 52".
std::string movesText(const Rules& rules, const Position& from, std::span<const std::uint8_t> pits,
                      bool numbers = false);

}  // namespace toguz
