// The games of a file looked through by the engine, one after the other: what `toguz analyze` does.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/analysts.h"
#include "analysis/review.h"

namespace toguz {

// A game that agrees with the rules and that there is an engine for.
struct FileGame {
  std::size_t place = 0;  // 1-based, in the file
  const GameText* record = nullptr;
  ReplayedGame replay;
};

// "game 12", with the record's own name "game 12 (s0012)".
std::string gameName(const GameText& record, std::size_t place);

// Where a game is from, by the record's own tags "Source" and "Id": "kz2018 s0002", "game 12".
std::string gameSource(const GameText& record, std::size_t place);

// In the records' order, which must outlive them; `skipped` is told of each record left out, in one
// line. `variant` is of records that name none.
std::vector<FileGame> playableGames(std::span<const GameText> records, const std::string& variant,
                                    Analysts& analysts,
                                    const std::function<void(const std::string&)>& skipped);

struct ReviewedGame {
  std::size_t place = 0;
  const GameText* record = nullptr;
  GameReview review;
};

// In the games' order; `nodes` a position. Shows on standard error how far it is.
std::vector<ReviewedGame> reviewGames(std::span<const FileGame> games, Analysts& analysts,
                                      int nodes);

struct Openings {
  Rules rules;
  std::vector<OpeningLine> lines;
};
// A set for each variant, by name; `plies` and `least` as openingLines.
std::vector<Openings> openingsOf(std::span<const ReviewedGame> games, int plies, int least);

}  // namespace toguz
