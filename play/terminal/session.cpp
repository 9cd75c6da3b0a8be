#include "play/terminal/session.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/state_json.h"
#include "play/hint.h"
#include "play/words.h"

namespace toguz {
namespace {

constexpr std::int64_t kMaxMoveTimeMs = 3'600'000;

const std::vector<std::string> kSeatNames{"first", "second", "both", "none"};
const std::vector<std::string> kSpeedNames{"off", "slow", "normal", "fast"};

std::size_t oneOf(std::string_view name, const std::vector<std::string>& names, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
  throw UsageError(std::string("want a ") + what + ", one of " + all +
                   (name.empty() ? "" : ", not " + inQuotes(cleanLine(name))));
}

void wantNothing(std::string_view argument, const char* command) {
  if (!argument.empty()) throw UsageError(std::string("'") + command + "' takes nothing after it");
}

std::int64_t wantNumber(std::string_view argument, std::int64_t least, std::int64_t most,
                        const std::string& what) {
  std::int64_t value = 0;
  if (!parseInt(argument, value) || value < least || value > most)
    throw UsageError("want " + what + ", a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most) +
                     (argument.empty() ? "" : ", not " + inQuotes(cleanLine(argument))));
  return value;
}

// How many half-moves `undo` and `redo` mean: empty for "my turn again".
std::optional<std::int64_t> wantCount(std::string_view argument) {
  if (argument.empty()) return std::nullopt;
  if (argument == "all") return 1'000'000;
  return wantNumber(argument, 1, 1'000'000, "'all' or a number of moves");
}

Engine::Network networkFor(const SessionOptions& options, const Rules& rules) {
  return options.networkFor ? options.networkFor(rules) : nullptr;
}

Engine engineFor(const Rules& rules, const Engine::Network& network) {
  Engine engine(rules);
  engine.setNetwork(network);
  return engine;
}

}  // namespace

const char* text(Seats seats) {
  return kSeatNames[static_cast<std::size_t>(seats)].c_str();
}
Seats seatsNamed(std::string_view name) {
  return static_cast<Seats>(oneOf(name, kSeatNames, "side"));
}
const char* text(Speed speed) {
  return kSpeedNames[static_cast<std::size_t>(speed)].c_str();
}
Speed speedNamed(std::string_view name) {
  return static_cast<Speed>(oneOf(name, kSpeedNames, "speed"));
}

struct Session::Command {
  const char* name;
  const char* other;  // a short name, or null
  void (Session::*run)(std::string_view);
  const char* usage;
  const char* help;
};

const std::vector<Session::Command>& Session::commands() {
  static const std::vector<Command> kCommands{
      {"hint", "h", &Session::hint, "hint", "the best move, and why"},
      {"eval", nullptr, &Session::evaluate, "eval [on|off]",
       "who is ahead, now or after each engine move"},
      {"undo", "u", &Session::undo, "undo [N|all]",
       "back to your last turn, or N single moves back"},
      {"redo", "r", &Session::redo, "redo [N|all]", "play again what was taken back"},
      {"side", nullptr, &Session::side, "side S", "you play first, second, both or none"},
      {"swap", nullptr, &Session::swap, "swap", "change places with the engine"},
      {"go", "g", &Session::go, "go", "the engine makes its move, or plays on"},
      {"stop", nullptr, &Session::stopPlay, "stop", "the engine waits for 'go'"},
      {"level", nullptr, &Session::setLevel, "level N", "engine's strength, 1 (beginner) to 10"},
      {"movetime", nullptr, &Session::setMoveTime, "movetime MS",
       "thinking time at level 10 and for hints"},
      {"new", nullptr, &Session::newGame, "new [VARIANT]", "another game"},
      {"resign", nullptr, &Session::resign, "resign", "give the game up"},
      {"save", nullptr, &Session::save, "save FILE",
       "write the game; 'save! FILE' replaces a file"},
      {"save!", nullptr, &Session::overwrite, nullptr, nullptr},
      {"load", nullptr, &Session::loadFile, "load FILE [K]", "read a game, the Kth of the file"},
      {"position", nullptr, &Session::position, "position TEXT",
       "set up a position; 'startpos' for the start"},
      {"fen", nullptr, &Session::printFen, "fen", "the position as such a text"},
      {"moves", nullptr, &Session::printMoves, "moves", "the moves so far, with scores"},
      {"board", "b", &Session::showBoard, "board", "show the board again"},
      {"flip", nullptr, &Session::flipBoard, "flip", "turn the board round"},
      {"speed", nullptr, &Session::setSpeed, "speed S", "of the balls: off, slow, normal or fast"},
      {"help", "?", &Session::printHelp, "help", "this list"},
      {"quit", "q", &Session::quit, "quit", "leave"},
      {"exit", nullptr, &Session::quit, nullptr, nullptr},
  };
  return kCommands;
}

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      game_(options_.rules),
      seats_(options_.seats),
      level_(options_.level),
      speed_(options_.speed),
      flip_(options_.flip),
      network_(networkFor(options_, options_.rules)),
      engine_(engineFor(options_.rules, network_)),
      adviser_(engineFor(options_.rules, network_)) {
  if (level_ < 1 || level_ > kLevels)
    throw UsageError("a level is 1 to " + std::to_string(kLevels));
  seatEngine();
}

Session::Events Session::begin() {
  events_.clear();
  say(gameName(game_.rules()) + ". 'help' lists the commands; a move is the number of a pit.");
  if (!network_)
    say("There is no network for these rules: the engine plays by random playouts, weaker.");
  announceSeats();
  return taken();
}

Session::Events Session::taken() {
  return std::exchange(events_, {});
}

void Session::say(std::string text) {
  events_.push_back({.kind = SessionEvent::Kind::Say, .text = std::move(text)});
}

void Session::show(std::string text) {
  events_.push_back({.kind = SessionEvent::Kind::Board, .text = std::move(text)});
}

Session::Events Session::handle(std::string_view bytes) {
  events_.clear();
  asked_ = Task::None;
  try {
    if (bytes.size() > kMaxLine) throw UsageError("that line is too long");
    const std::string_view line = trim(bytes);
    if (line.empty()) return taken();
    if (line[0] >= '0' && line[0] <= '9') {
      if (over())
        throw UsageError("the game is over: 'new' starts another, 'undo' takes the last move back");
      const int pit = readMove(game_, line, address());
      const Side side = game_.position().side;
      if (!personPlays(side))
        throw UsageError("it is the engine's turn: 'go' lets it play, 'side " +
                         std::string(side == Side::First ? "first" : "second") +
                         "' gives you its place");
      undone_.clear();
      play(pit);
      return taken();
    }
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    std::string name(line.substr(0, std::min<std::size_t>(end, 64)));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<std::string> known;
    for (const Command& command : commands()) {
      known.emplace_back(command.name);
      if (name != command.name && (!command.other || name != command.other)) continue;
      (this->*command.run)(trim(line.substr(end)));
      return taken();
    }
    throw UsageError("there is no command " + inQuotes(cleanLine(name)) + "; the nearest is '" +
                     nearest(name, known) + "', and 'help' lists them all");
  } catch (const Error& error) {
    // What a command said before it failed does not hold.
    events_.clear();
    return {{.kind = SessionEvent::Kind::Refuse, .text = cleanLine(error.what())}};
  }
}

// ---- playing

bool Session::personPlays(Side side) const {
  return seats_ == Seats::Both || seats_ == (side == Side::First ? Seats::First : Seats::Second);
}

std::optional<Side> Session::reader() const {
  if (seats_ == Seats::First) return Side::First;
  if (seats_ == Seats::Second) return Side::Second;
  return std::nullopt;
}

void Session::play(int pit) {
  const Position before = game_.position();
  movers_.push_back(moverName(before.side));
  game_.play(pit);
  paused_ = false;
  events_.push_back({.kind = SessionEvent::Kind::Move,
                     .text = describeMove(game_.rules(), before, pit, address()),
                     .before = before,
                     .pit = pit});
  if (over()) announceEnd();
}

void Session::announceEnd() {
  if (resigned_) {
    const Side winner = opponent(*resigned_);
    const auto& kazan = game_.position().kazan;
    say(capitalised(address().who(*resigned_)) + " " + address().verb(*resigned_, "resign") + ": " +
        address().who(winner) + " " + address().verb(winner, "win") + ". " +
        capitalised(kazansText(kazan[0], kazan[1], address())) + ".");
  } else {
    say(describeEnd(game_, address()));
  }
  say("'new' starts another game, 'undo' goes back, 'save FILE' keeps this one.");
}

void Session::announceSeats() {
  const std::string strength = " at level " + std::to_string(level_);
  switch (seats_) {
    case Seats::First:
    case Seats::Second:
      say(std::string("You play ") + text(seats_) + " against the engine" + strength + ".");
      break;
    case Seats::Both:
      say("Two people play; 'hint' still asks the engine.");
      break;
    case Seats::None:
      say("The engine plays both sides" + strength + ".");
      break;
  }
}

Session::Task Session::task() const {
  if (asked_ != Task::None) return asked_;
  return engineToMove() && !paused_ ? Task::Move : Task::None;
}

void Session::search(StopSignal& stop) {
  searched_ = task();
  TOGUZ_CHECK(searched_ != Task::None, "a search without a task");
  EngineLimits limits = options_.fullStrength;
  if (searched_ == Task::Move && level_ < kLevels)
    limits = {.nodes = levelOf(game_.rules(), level_).nodes};
  Engine& engine = searched_ == Task::Move ? engine_ : adviser_;
  engine.setPosition(game_);
  report_ = engine.search(limits, {}, &stop);
}

Session::Events Session::finishSearch() {
  events_.clear();
  const Side side = game_.position().side;
  const SearchLine& best = report_.info.best();
  const auto evaluation = [&] {
    const int total = game_.rules().set().total();
    const int own = std::clamp(
        static_cast<int>(std::lround((static_cast<double>(total) + best.margin) / 2)), 0, total);
    say("Expected: " + address().who(side) + " " + address().verb(side, "win") + " with " +
        std::to_string(std::lround(best.winRate())) + "%; final " +
        kazansText(side == Side::First ? own : total - own, side == Side::First ? total - own : own,
                   address()) +
        ".");
  };
  switch (std::exchange(searched_, Task::None)) {
    case Task::Move:
      undone_.clear();
      play(*report_.bestPit);
      if (evaluations_ && !over()) evaluation();
      break;
    case Task::Hint:
      say(explain(game_.rules().set(), factsOf(game_, *report_.bestPit, &report_)));
      break;
    case Task::Evaluation:
      evaluation();
      break;
    case Task::None:
      break;
  }
  asked_ = Task::None;
  return taken();
}

void Session::hint(std::string_view argument) {
  wantNothing(argument, "hint");
  if (over()) throw UsageError("the game is over: there is no move to hint at");
  asked_ = Task::Hint;
}

void Session::evaluate(std::string_view argument) {
  bool on = false;
  if (!argument.empty()) {
    if (!parseBool(argument, on)) throw UsageError("want 'eval', 'eval on' or 'eval off'");
    evaluations_ = on;
    return say(on ? "The engine says what it expects after each of its moves."
                  : "The engine keeps what it expects to itself.");
  }
  if (over()) throw UsageError("the game is over: nothing is left to expect");
  asked_ = Task::Evaluation;
}

void Session::takeBack() {
  undone_.push_back({game_.moves().back(), std::move(movers_.back())});
  movers_.pop_back();
  game_.undo();
}

void Session::undo(std::string_view argument) {
  const auto count = wantCount(argument);
  if (resigned_) {
    resigned_.reset();
    return show("The resignation is taken back.");
  }
  if (game_.ply() == 0) throw UsageError("there is no move to take back");
  const bool facing = reader().has_value();
  int back = 0;
  if (count || !facing) {
    for (; back < count.value_or(1) && game_.ply() > 0; ++back) takeBack();
  } else {
    // The engine's answer goes back together with the move that it answered.
    const Side side = *reader();
    int wanted = 1;
    while (wanted <= game_.ply() &&
           game_.positions()[static_cast<std::size_t>(game_.ply() - wanted)].side != side)
      ++wanted;
    if (wanted > game_.ply()) throw UsageError("there is no move of yours to take back");
    for (; back < wanted; ++back) takeBack();
  }
  // Else the engine would play on at once.
  paused_ = engineToMove();
  show(back == 1 ? "One move is taken back." : std::to_string(back) + " moves are taken back.");
}

void Session::redo(std::string_view argument) {
  const auto count = wantCount(argument);
  if (undone_.empty()) throw UsageError("there is no move to play again");
  const bool facing = reader().has_value();
  const auto again = [&] {
    const Ply ply = std::move(undone_.back());
    undone_.pop_back();
    game_.play(ply.pit);
    movers_.push_back(ply.mover);
  };
  int forward = 0;
  do {
    again();
    ++forward;
  } while (!undone_.empty() &&
           (count ? forward < *count : facing && game_.position().side != *reader()));
  paused_ = engineToMove();
  show(forward == 1 ? "One move is played again."
                    : std::to_string(forward) + " moves are played again.");
  if (over()) announceEnd();
}

void Session::side(std::string_view argument) {
  seats_ = seatsNamed(argument);
  paused_ = false;
  show();
  announceSeats();
}

void Session::swap(std::string_view argument) {
  wantNothing(argument, "swap");
  if (!reader())
    throw UsageError("there are no places to change: choose with 'side first' or 'side second'");
  seats_ = seats_ == Seats::First ? Seats::Second : Seats::First;
  paused_ = false;
  show();
  announceSeats();
}

void Session::go(std::string_view argument) {
  wantNothing(argument, "go");
  if (over()) throw UsageError("the game is over: 'new' starts another");
  if (!engineToMove())
    throw UsageError("it is your turn; 'swap' or 'side' let the engine play for you");
  paused_ = false;
}

void Session::stopPlay(std::string_view argument) {
  wantNothing(argument, "stop");
  if (!engineToMove()) throw UsageError("the engine is not at play");
  paused_ = true;
  say("The engine waits; 'go' lets it play on.");
}

void Session::resign(std::string_view argument) {
  wantNothing(argument, "resign");
  if (over()) throw UsageError("the game is over already");
  if (seats_ == Seats::None) throw UsageError("you play no side that could resign");
  resigned_ = reader().value_or(game_.position().side);
  show();
  announceEnd();
}

// ---- settings

void Session::seatEngine() {
  EngineOptions options = engine_.options();
  options.level = level_;
  // Another game, other choices.
  options.seed = options_.seed + games_;
  engine_.setOptions(options);
}

void Session::setLevel(std::string_view argument) {
  level_ = static_cast<int>(wantNumber(argument, 1, kLevels, "a level"));
  seatEngine();
  say("The engine plays at level " + std::to_string(level_) + " of " + std::to_string(kLevels) +
      ".");
}

void Session::setMoveTime(std::string_view argument) {
  options_.fullStrength = {
      .moveTimeMs = static_cast<double>(wantNumber(argument, 1, kMaxMoveTimeMs, "milliseconds"))};
  say("At level " + std::to_string(kLevels) + " and for hints the engine thinks " +
      std::string(argument) + " ms.");
}

void Session::setSpeed(std::string_view argument) {
  speed_ = speedNamed(argument);
  say(speed_ == Speed::Off
          ? std::string("Moves are shown at once.")
          : std::string("Moves are shown ball by ball, ") +
                (speed_ == Speed::Normal ? "at normal speed" : text(speed_)) + ".");
}

void Session::flipBoard(std::string_view argument) {
  wantNothing(argument, "flip");
  flip_ = !flip_;
  show();
}

// ---- games and positions

void Session::setRules(const Rules& rules) {
  if (rules == game_.rules()) return;
  Engine::Network network = networkFor(options_, rules);
  engine_ = engineFor(rules, network);
  adviser_ = engineFor(rules, network);
  network_ = std::move(network);
  say(gameName(rules) + ".");
  if (!network_) say("There is no network for these rules: the engine plays by random playouts.");
}

void Session::beginGame(Game game, int startFullmove) {
  game_ = std::move(game);
  startFullmove_ = startFullmove;
  movers_.clear();
  undone_.clear();
  resigned_.reset();
  paused_ = false;
  ++games_;
  seatEngine();
}

void Session::newGame(std::string_view argument) {
  const Rules rules = argument.empty() ? game_.rules() : Rules::named(argument);
  setRules(rules);
  beginGame(Game(rules), 1);
  show("A new game.");
}

void Session::position(std::string_view argument) {
  if (argument.empty()) throw UsageError("want 'startpos' or a position as 'fen' prints it");
  const PositionText read = argument == "startpos"
                                ? PositionText{Position::start(game_.rules().set()), 1}
                                : parsePosition(game_.rules(), argument);
  beginGame(Game(game_.rules(), read.position), read.fullmove);
  show();
  if (over()) announceEnd();
}

Session::Events Session::setPosition(std::string_view text) {
  events_.clear();
  position(text);
  return taken();
}

void Session::printFen(std::string_view argument) {
  wantNothing(argument, "fen");
  events_.push_back(
      {.kind = SessionEvent::Kind::Exact,
       .text = formatPosition(game_.rules(), game_.position(), fullmoveOf(game_, startFullmove_))});
}

void Session::printMoves(std::string_view argument) {
  wantNothing(argument, "moves");
  if (game_.ply() == 0) return say("No move has been made.");
  std::string line;
  int number = startFullmove_;
  for (std::size_t i = 0; i < game_.moves().size(); ++i) {
    const Position& before = game_.positions()[i];
    if (before.side == Side::First || i == 0)
      line += (line.empty() ? "" : " ") + std::to_string(number) +
              (before.side == Side::First ? "." : "...");
    line += " " + formatMove(game_.rules(), before, game_.moves()[i], true);
    if (before.side == Side::Second) ++number;
  }
  say(line);
}

void Session::showBoard(std::string_view argument) {
  wantNothing(argument, "board");
  show();
}

void Session::printHelp(std::string_view argument) {
  wantNothing(argument, "help");
  for (std::string& line : help()) say(std::move(line));
}

void Session::quit(std::string_view argument) {
  wantNothing(argument, "quit");
  events_.push_back({.kind = SessionEvent::Kind::Quit});
}

std::vector<std::string> Session::help() {
  std::vector<std::string> lines;
  const auto add = [&](std::string usage, const std::string& what) {
    usage.resize(std::max<std::size_t>(usage.size(), 16), ' ');
    lines.push_back("  " + usage + what);
  };
  add("7", "play pit 7; or 76, with the pit where the last ball falls");
  for (const Command& command : commands())
    if (command.usage)
      add(command.usage,
          command.help + (command.other ? std::string(" (") + command.other + ")" : ""));
  return lines;
}

}  // namespace toguz
