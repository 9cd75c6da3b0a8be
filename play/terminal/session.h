// A person's sitting at the board, without a terminal: command lines go in, events come out.
//
//   Session session(options);
//   show(session.begin());
//   for (;;) {
//     while (session.task() != Session::Task::None) {
//       StopSignal stop;
//       session.search(stop);       // on any thread
//       show(session.finishSearch());
//     }
//     show(session.handle(readLine()));
//   }
//
// Belongs to one thread at a time; while `search` runs on another nothing else may be called. It
// reads and writes no files but those that `save` and `load` name. A line that is wrong in any way
// is answered with one Refuse event and changes nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "play/engine.h"
#include "play/terminal/board_drawing.h"
#include "play/terminal/game_words.h"

namespace toguz {

// Which sides a person plays; the engine plays the others.
enum class Seats : std::uint8_t { First, Second, Both, None };
const char* text(Seats seats);            // "first"
Seats seatsNamed(std::string_view name);  // throws UsageError
// How fast a move is shown ball by ball.
enum class Speed : std::uint8_t { Off, Slow, Normal, Fast };
const char* text(Speed speed);
Speed speedNamed(std::string_view name);  // throws UsageError

struct SessionOptions {
  Rules rules;
  // The network for these rules, null if there is none; asked at the start and when the rules
  // change. Without a function there is none. What it throws becomes the refusal of the command.
  std::function<Engine::Network(const Rules&)> networkFor;
  Seats seats = Seats::First;
  int level = 5;  // 1..kLevels
  // Of a hint, and of a move at the last level.
  EngineLimits fullStrength{.moveTimeMs = 1000};
  std::uint64_t seed = 1;  // of the choices of lower levels
  Speed speed = Speed::Normal;
  bool flip = false;
};

struct SessionEvent {
  enum class Kind : std::uint8_t {
    Say,     // a sentence, or a line of a list
    Exact,   // a line to be copied: not to be broken
    Refuse,  // why the line was not followed
    Move,    // `pit` was played in `before`; text says so
    Board,   // there is another position, or the board is wanted; text may be empty
    Quit
  };
  Kind kind = Kind::Say;
  std::string text = {};
  Position before = {};
  int pit = 0;
};

class Session {
 public:
  using Events = std::vector<SessionEvent>;
  enum class Task : std::uint8_t { None, Move, Hint, Evaluation };

  // Throws UsageError or Error for options that are wrong.
  explicit Session(SessionOptions options);

  // The first words to the person.
  Events begin();
  // As the commands `position` and `load` do, but what is wrong is thrown (Error).
  Events setPosition(std::string_view text);
  Events load(const std::filesystem::path& path);

  // One line of any bytes.
  Events handle(std::string_view line);

  // What has to be searched before the next line is taken; a line that comes first calls it off.
  Task task() const;
  // Searches for it; `stop` ends it early, with what is known by then. The task must not be None.
  void search(StopSignal& stop);
  // What came of the search.
  Events finishSearch();

  const Game& game() const { return game_; }
  Seats seats() const { return seats_; }
  int level() const { return level_; }
  Speed speed() const { return speed_; }
  bool flip() const { return flip_; }
  bool paused() const { return paused_; }
  // The board as it is now, and while a move is shown.
  BoardScene scene() const;
  BoardScene sceneOf(const Position& position) const;
  // The lines under the board: the last move, whose turn it is.
  std::vector<std::string> captions() const;
  std::string prompt() const;
  static std::vector<std::string> help();

 private:
  static constexpr std::size_t kMaxLine = 4096;

  struct Command;
  struct Ply {
    std::uint8_t pit;
    std::string mover;  // as a saved game names him
  };
  static const std::vector<Command>& commands();

  void hint(std::string_view argument);
  void evaluate(std::string_view argument);
  void undo(std::string_view argument);
  void redo(std::string_view argument);
  void side(std::string_view argument);
  void swap(std::string_view argument);
  void go(std::string_view argument);
  void stopPlay(std::string_view argument);
  void setLevel(std::string_view argument);
  void setMoveTime(std::string_view argument);
  void position(std::string_view argument);
  void printFen(std::string_view argument);
  void printMoves(std::string_view argument);
  void showBoard(std::string_view argument);
  void save(std::string_view argument);
  void overwrite(std::string_view argument);
  void loadFile(std::string_view argument);
  void newGame(std::string_view argument);
  void resign(std::string_view argument);
  void setSpeed(std::string_view argument);
  void flipBoard(std::string_view argument);
  void printHelp(std::string_view argument);
  void quit(std::string_view argument);

  void say(std::string text);
  void show(std::string text = {});
  Events taken();
  void setRules(const Rules& rules);
  void seatEngine();
  void beginGame(Game game, int startFullmove);
  void play(int pit);
  void announceEnd();
  void announceSeats();
  void takeBack();
  void loadGame(const std::filesystem::path& path, std::size_t number);
  void writeGame(const std::filesystem::path& path);

  bool over() const { return game_.over() || resigned_; }
  bool personPlays(Side side) const;
  bool engineToMove() const { return !over() && !personPlays(game_.position().side); }
  std::optional<Side> reader() const;  // the one side that the person plays
  Address address() const { return Address(reader()); }
  std::string engineName() const;
  std::string moverName(Side side) const;
  std::string playerNames(Side side) const;

  SessionOptions options_;
  Events events_;  // answers to the line under way

  Game game_;
  int startFullmove_ = 1;
  std::vector<std::string> movers_;  // of each ply
  std::vector<Ply> undone_;          // the last is the next to redo
  std::optional<Side> resigned_;

  Seats seats_;
  int level_;
  Speed speed_;
  bool flip_;
  bool evaluations_ = false;  // after each of the engine's moves
  bool paused_ = false;       // the engine waits for `go`

  Engine::Network network_;
  Engine engine_;
  Engine adviser_;  // of full strength
  std::uint64_t games_ = 0;
  Task asked_ = Task::None;  // a hint or an evaluation
  Task searched_ = Task::None;
  SearchReport report_;
  std::set<std::filesystem::path> saved_;  // files that are this session's own
};

}  // namespace toguz
