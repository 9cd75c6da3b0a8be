// The values of the page's requests and answers (web/src/engine/api.ts) from and to JSON.
// Throws UsageError with one line for a request that does not hold what it should.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "analysis/review.h"
#include "core/game.h"
#include "play/hint.h"

namespace toguz::page {

using Json = nlohmann::json;

// One of the four games that the page plays.
Rules variantOf(const Json& request);
// The start position of {variant, fen} and its move number.
Game startOf(const Json& spec, int* fullmove = nullptr);
// {variant, fen, moves}: UsageError naming the ply of a move that cannot be played.
Game gameOf(const Json& spec, int* fullmove = nullptr);
// A legal pit, 0-based.
int pitOf(const Json& request, const Game& game);

Json rulesJson(const Rules& rules);
Json state(const Game& game, int fullmove);
// The move `pit` (0-based) in that position.
Json landing(const Rules& rules, const Position& before, int pit);
Json landings(const Game& game);
Json sowing(const Game& game, int pit);
Json factsJson(const MoveFacts& facts);
// What a person put together; UsageError says why the rules do not allow it.
std::string fenOf(const Json& edited);
Json editedPosition(const Json& request);
Json readRecords(const std::string& text, const Rules& rules);
std::string writeRecord(const Json& request);
// Moves with numbers: "1. 76 99 2. 52".
std::string numberedMoves(const Game& game, int fullmove);
// The moves of a line in notation.
std::vector<std::string> notation(const Rules& rules, Position from,
                                  std::span<const std::uint8_t> pits);
Json searchInfo(const Game& game, const SearchInfo& info);
Json reviewJson(const GameReview& review);

}  // namespace toguz::page
