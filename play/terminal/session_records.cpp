// What a session saves and loads.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>

#include "base/error.h"
#include "base/text.h"
#include "play/terminal/session.h"
#include "play/words.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

fs::path pathOf(std::string_view argument) {
  std::string text(argument);
  const char* home = std::getenv("HOME");
  if (home && text.starts_with("~/")) text = home + text.substr(1);
  return text;
}

// Such a name would fail in ways that differ from system to system.
void checkFileName(std::string_view argument, const char* command, std::size_t most) {
  if (argument.empty()) throw UsageError(std::string("name a file, as: ") + command + " game.pgn");
  if (cleanLine(argument, most) != argument)
    throw UsageError("a file's name has no control characters");
}

RecordFormat formatOf(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".tsv" || extension == ".tkg" ? RecordFormat::Tkg : RecordFormat::Pgn;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%Y.%m.%d", &local);
  return text;
}

// Finished games say so themselves; this is for a record's word on one that is not.
bool isResult(const std::string& result) {
  return result == "1-0" || result == "0-1" || result == "1/2-1/2";
}

}  // namespace

std::string Session::engineName() const {
  return "Toguz Zero level " + std::to_string(level_);
}

std::string Session::moverName(Side side) const {
  return personPlays(side) ? "Player" : engineName();
}

// Everyone who has moved for a side.
std::string Session::playerNames(Side side) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < movers_.size(); ++i)
    if (game_.positions()[i].side == side &&
        std::find(names.begin(), names.end(), movers_[i]) == names.end())
      names.push_back(movers_[i]);
  if (names.empty()) return moverName(side);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

void Session::writeGame(const fs::path& path) {
  std::vector<std::pair<std::string, std::string>> tags{{"Event", gameName(game_.rules())},
                                                        {"Date", today()},
                                                        {"White", playerNames(Side::First)},
                                                        {"Black", playerNames(Side::Second)}};
  if (seats_ != Seats::Both) tags.emplace_back("Level", std::to_string(level_));
  GameText game = describeGame(game_, std::move(tags), {}, startFullmove_);
  if (resigned_) game.result = toguz::text(winFor(opponent(*resigned_)));
  writeGames(path, {&game, 1}, formatOf(path));
  saved_.insert(fs::absolute(path).lexically_normal());
  say("The game is in " + cleanLine(path.string()) + ".");
}

void Session::save(std::string_view argument) {
  checkFileName(argument, "save", kMaxLine);
  const fs::path path = pathOf(argument);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw UsageError(path.string() + " is a folder");
  if (fs::is_regular_file(path, ignored) && !saved_.contains(fs::absolute(path).lexically_normal()))
    throw UsageError(path.string() + " exists; 'save! " + std::string(argument) + "' replaces it");
  writeGame(path);
}

void Session::overwrite(std::string_view argument) {
  checkFileName(argument, "save!", kMaxLine);
  const fs::path path = pathOf(argument);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw UsageError(path.string() + " is a folder");
  writeGame(path);
}

void Session::loadFile(std::string_view argument) {
  checkFileName(argument, "load", kMaxLine);
  fs::path path = pathOf(argument);
  std::int64_t number = 1;
  std::error_code ignored;
  const std::size_t blank = argument.find_last_of(" \t");
  // A name may end in a number of its own.
  if (!fs::exists(path, ignored) && blank != std::string_view::npos &&
      parseInt(argument.substr(blank + 1), number)) {
    path = pathOf(trim(argument.substr(0, blank)));
    if (number < 1) throw UsageError("games of a file are numbered from 1");
  }
  loadGame(path, static_cast<std::size_t>(number));
}

Session::Events Session::load(const fs::path& path) {
  events_.clear();
  loadGame(path, 1);
  return taken();
}

void Session::loadGame(const fs::path& path, std::size_t number) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw UsageError(path.string() + " is no file");
  const std::vector<GameText> games = readGames(path);
  if (number < 1 || number > games.size())
    throw UsageError(path.string() + " holds " +
                     (games.size() == 1 ? "one game" : std::to_string(games.size()) + " games"));
  const GameText& record = games[number - 1];
  const ReplayedGame replayed = replayGame(record, game_.rules().name());

  setRules(replayed.rules);
  beginGame(Game(replayed.rules, replayed.positions.front()), replayed.startFullmove);
  const std::array names{record.tag("White"), record.tag("Black")};
  for (const std::uint8_t pit : replayed.pits) {
    // Recorded games may go on after a third repetition.
    if (game_.over()) break;
    const auto side = static_cast<unsigned>(index(game_.position().side));
    movers_.push_back(names[side].empty() ? "Unknown" : names[side]);
    game_.play(pit);
  }
  paused_ = engineToMove();

  std::string what = "Game " + std::to_string(number) + " of " + std::to_string(games.size()) +
                     ", " + std::to_string(game_.ply()) + " moves";
  if (!names[0].empty() || !names[1].empty())
    what += ": " + (names[0].empty() ? "unknown" : names[0]) + " against " +
            (names[1].empty() ? "unknown" : names[1]);
  show();
  say(cleanLine(what, kMaxLine) + ".");
  if (game_.ply() < static_cast<int>(replayed.pits.size()))
    say("The record goes on after this end; those moves are left out.");
  if (over())
    announceEnd();
  else if (isResult(record.result))
    say("The record ends here with " + record.result +
        ", by resignation or agreement; it can be played on.");
  if (paused_) say("It is the engine's turn: 'go' lets it play, 'undo 1' walks back.");
}

}  // namespace toguz
