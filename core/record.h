// Game records: reading, checking and writing them.
//
// Formats
//   pgn   bracketed tags, move text that wraps anywhere, numbers `1.`, comments {...} and ;...,
//         scores in parentheses, result. Tags [Variant "..."] and [FEN "..."] give rules and start.
//   text  one game a line, or numbered pairs a line (`1. 76 99`); a blank line, a new `1.`, a
//   result
//         or (without numbers) a new line starts another game; lines that begin with # are skipped.
//   tkg   one game a line, columns parted by tabs and named in the first line,
//         "# tkg1: id, variant, ..., moves (tab separated)".
//
// Reading keeps what is written; only checking holds it against the rules. Recorded games are held
// to the rules of the board alone: threefold repetition and a ply cap are agreements of the place
// where a game was played, so moves after them are no fault. Every tuzdik must carry its mark
// (notation.h). Move numbers are not checked.
//
// Free functions and plain data: no shared state, any thread may call them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.h"

namespace toguz {

struct RecordedMove {
  std::string text;     // as written: `76`, `83X`, `76(10)`
  std::string comment;  // what follows the move in braces
};

// One game as text. Optional parts are empty where the record does not have them.
struct GameText {
  // In file order, but for those that have a field of their own below.
  std::vector<std::pair<std::string, std::string>> tags;
  std::string variant;  // Rules::name form, or a common name of the game
  std::string fen;      // start position
  std::string comment;  // of the whole game
  std::vector<RecordedMove> moves;
  std::string result;  // "1-0", "0-1", "1/2-1/2", "*"
  std::string ending;  // majority, no_moves, repetition, ply_cap, open
  std::string kazans;  // "85-21": after the last move, leftovers included
  std::string plies;
  std::string fault;  // why the text could not be read to its end; faultPly says where
  int faultPly = 0;
  int line = 1;  // of the file, where the game starts

  // The value of a tag, "" if there is none.
  const std::string& tag(std::string_view name) const;
};

enum class RecordFormat { Auto, Tkg, Pgn, Text };
// Throws UsageError naming the nearest format.
RecordFormat recordFormat(std::string_view name);

// Never throws for what a game holds (see GameText::fault); throws UsageError for a tkg header of
// another version or without moves.
std::vector<GameText> parseGames(std::string_view text, RecordFormat format = RecordFormat::Auto);
// Throws UsageError if the file cannot be read or holds no game.
std::vector<GameText> readGames(const std::filesystem::path& path,
                                RecordFormat format = RecordFormat::Auto);

// A game that agrees with the rules.
struct ReplayedGame {
  Rules rules;
  int startFullmove = 1;
  std::vector<Position> positions;  // before each move, then the last
  std::vector<std::uint8_t> pits;   // 0-based
  Outcome outcome;                  // reason None where the moves do not reach the end
};

// Replays and checks a game: moves, marks, scores, and result, ending, kazans and plies where
// given. `variant` is used where the record names none. Throws Error "ply N: REASON".
ReplayedGame replayGame(const GameText& game, const std::string& variant = "standard");

struct RecordFault {
  std::size_t game = 0;  // 1-based place in the file
  std::string id;        // the record's own name, may be empty
  int line = 0;
  std::string reason;        // begins "ply N: "
  std::string text() const;  // "game 12 (s0012), ply 5: ..."
};
struct RecordReport {
  std::size_t ok = 0;
  std::vector<RecordFault> faults;
};
RecordReport checkGames(std::span<const GameText> games, const std::string& variant = "standard");

// The text of a game, for saving: moves with scores; start, result, ending, kazans and plies from
// the game; `comments[i]` belongs to ply i (may be shorter than the moves). A game that is not over
// gets result "*" and ending "open": set `result` afterwards for one that was resigned or
// adjudicated.
GameText describeGame(const Game& game, std::vector<std::pair<std::string, std::string>> tags = {},
                      const std::vector<std::string>& comments = {}, int startFullmove = 1);

// Text that parseGames reads back. A closing brace in a comment is written as a parenthesis and
// blank space is run together; tag names get _ for what is no letter or digit. tkg keeps no
// comments and only the tags Id, Source, Date, Round, WhiteElo and BlackElo; it gets a column `fen`
// if some game has a start of its own.
std::string pgnText(const GameText& game);
std::string tkgText(std::span<const GameText> games);
// Through a temporary file. Throws Error naming the file.
void writeGames(const std::filesystem::path& path, std::span<const GameText> games,
                RecordFormat format = RecordFormat::Pgn);

}  // namespace toguz
