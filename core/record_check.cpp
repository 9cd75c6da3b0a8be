#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/record.h"

namespace toguz {
namespace {

// Thrown inside this file only; replayGame puts the ply in front.
[[noreturn]] void fail(std::size_t ply, const std::string& reason) {
  throw Error("ply " + std::to_string(ply) + ": " + reason);
}

// Files name the game itself in many spellings; all of them mean the standard variant.
Rules rulesNamed(const std::string& name) {
  std::string letters;
  for (const char c : name)
    if (std::isalpha(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* common : {"togyzkumalak", "togyzqumalaq", "toguzkumalak", "toguzkorgool",
                             "togizkumalak", "togizqumalaq", "standard"})
    if (letters == common) return Rules();
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return Rules::named(lower);
}

int occurrences(const std::vector<Position>& positions) {
  return static_cast<int>(std::count(positions.begin(), positions.end(), positions.back()));
}

std::string kazansText(const Outcome& outcome) {
  return std::to_string(outcome.kazan[0]) + "-" + std::to_string(outcome.kazan[1]);
}

void checkEnding(const GameText& game, const ReplayedGame& replayed) {
  const EndReason reason = replayed.outcome.reason;
  const std::string reached = reason == EndReason::None ? "open" : text(reason);
  const std::size_t plies = replayed.pits.size();
  if (game.ending.empty() || game.ending == reached) return;
  if (game.ending != "repetition" && game.ending != "ply_cap")
    fail(plies, "ending " + inQuotes(game.ending) + ", but the moves give " + reached);
  // Both are draws by agreement of place, and only where the board's own rules ended nothing.
  if (reason != EndReason::None)
    fail(plies, "ending " + game.ending + ", but the moves give " + reached);
  if (game.ending == "repetition" && occurrences(replayed.positions) < 3)
    fail(plies, "ending repetition, but the last position occurs " +
                    std::to_string(occurrences(replayed.positions)) + " times, not 3");
  if (!game.result.empty() && game.result != "*" && game.result != "1/2-1/2")
    fail(plies, "ending " + game.ending + " is a draw, but the result is " + game.result);
}

void checkSummary(const GameText& game, const ReplayedGame& replayed) {
  const Outcome& outcome = replayed.outcome;
  const std::size_t plies = replayed.pits.size();
  if (!game.result.empty()) {
    const std::string& result = game.result;
    if (result != "1-0" && result != "0-1" && result != "1/2-1/2" && result != "*")
      fail(plies, "result " + inQuotes(result) + " is none of 1-0, 0-1, 1/2-1/2, *");
    if (outcome.over() && result != "*" && result != text(outcome.result))
      fail(plies, "result " + result + ", but the moves give " + text(outcome.result) + " (" +
                      kazansText(outcome) + ", " + text(outcome.reason) + ")");
  }
  checkEnding(game, replayed);
  if (!game.kazans.empty() && game.kazans != kazansText(outcome))
    fail(plies, "kazans " + inQuotes(game.kazans) + ", but the moves give " + kazansText(outcome));
  std::int64_t given = 0;
  if (!game.plies.empty() &&
      (!parseInt(game.plies, given) || given != static_cast<std::int64_t>(plies)))
    fail(plies, "plies " + inQuotes(game.plies) + ", but there are " + std::to_string(plies));
}

}  // namespace

ReplayedGame replayGame(const GameText& game, const std::string& variant) {
  ReplayedGame replayed;
  Position position;
  try {
    replayed.rules = rulesNamed(game.variant.empty() ? variant : game.variant);
    position = Position::start(replayed.rules.set());
    if (!game.fen.empty()) {
      const PositionText start = parsePosition(replayed.rules, game.fen);
      position = start.position;
      replayed.startFullmove = start.fullmove;
    }
  } catch (const UsageError& error) {
    fail(0, error.what());
  }
  const auto end = [&] {
    return withRules(replayed.rules, [&](const auto& r) { return endOfPosition(r, position); });
  };
  replayed.positions.push_back(position);
  for (const RecordedMove& move : game.moves) {
    const std::size_t ply = replayed.pits.size() + 1;
    if (!game.fault.empty() && static_cast<std::size_t>(game.faultPly) == ply) break;
    try {
      const int pit = parseMove(replayed.rules, position, move.text, {.needMark = true});
      position = play(replayed.rules, position, pit);
      replayed.pits.push_back(static_cast<std::uint8_t>(pit));
    } catch (const UsageError& error) {
      fail(ply, error.what());
    }
    replayed.positions.push_back(position);
  }
  if (!game.fault.empty()) fail(static_cast<std::size_t>(game.faultPly), game.fault);
  replayed.outcome = outcomeOf(replayed.rules.set(), position, end());
  checkSummary(game, replayed);
  return replayed;
}

std::string RecordFault::text() const {
  return "game " + std::to_string(game) + (id.empty() ? "" : " (" + id + ")") + ", line " +
         std::to_string(line) + ", " + reason;
}

RecordReport checkGames(std::span<const GameText> games, const std::string& variant) {
  RecordReport report;
  for (std::size_t i = 0; i < games.size(); ++i) {
    try {
      replayGame(games[i], variant);
      ++report.ok;
    } catch (const Error& error) {
      report.faults.push_back({i + 1, games[i].tag("Id"), games[i].line, error.what()});
    }
  }
  return report;
}

}  // namespace toguz
