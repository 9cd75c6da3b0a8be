#include "play/protocol.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <ostream>
#include <random>

#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/state_json.h"
#include "play/protocol_options.h"
#include "play/words.h"

#ifndef TOGUZ_VERSION
#error "the build gives the version"
#endif

namespace toguz {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::chrono::milliseconds kGrace{500};
// Eleven days: far above any sense, far below where sums of doubles or ints go wrong.
constexpr std::int64_t kMaxMs = 1'000'000'000;
// The engine counts a tree's nodes; one takes about this much with its moves and the room that the
// arrays grow into.
constexpr std::size_t kBytesPerNode = 512;

const std::vector<std::string> kCommands{
    "uci",      "ugi", "isready", "setoption", "newgame", "ucinewgame", "uginewgame",
    "position", "go",  "stop",    "quit",      "d",       "ponderhit"};

[[noreturn]] void unknown(const char* kind, std::string_view word,
                          std::span<const std::string> candidates) {
  throw UsageError(std::string("unknown ") + kind + " " + inQuotes(word) + "; the nearest is '" +
                   nearest(word.substr(0, 64), candidates) + "'");
}

void wantNone(const Words& line) {
  if (line.size() > 1)
    throw UsageError(std::string(line[0]) + " takes nothing after it, but got " +
                     inQuotes(line[1]));
}

// The text from `word` (a view into `line`) to the end of the line, without blanks at either end.
std::string_view restFrom(std::string_view line, std::string_view word) {
  return trim(line.substr(static_cast<std::size_t>(word.data() - line.data())));
}

void playMoves(Game& game, std::span<const std::string_view> moves) {
  for (const std::string_view move : moves) {
    try {
      game.play(parseMove(game, move, {.barePit = true}));
    } catch (const UsageError& error) {
      throw UsageError("ply " + std::to_string(game.ply() + 1) + ": " + error.what());
    }
  }
}

EngineOptions engineOptions() {
  EngineOptions options;
  const auto standard = [](ProtocolOption::Id id) { return protocolOption(id).standard; };
  options.defaultNodes = standard(ProtocolOption::Id::Nodes);
  options.moveOverheadMs = static_cast<double>(standard(ProtocolOption::Id::MoveOverhead));
  options.maxTreeNodes =
      (static_cast<std::size_t>(standard(ProtocolOption::Id::Hash)) << 20) / kBytesPerNode;
  return options;
}

}  // namespace

Protocol::Protocol(ProtocolSetup setup, Sink sink)
    : setup_(std::move(setup)),
      sink_(std::move(sink)),
      game_(setup_.rules),
      modelPath_(setup_.network ? setup_.modelPath : ""),
      engine_(setup_.rules, engineOptions()) {
  engine_.setNetwork(setup_.network);
  reseed();
}

Protocol::~Protocol() {
  stop_.request();
  joinSearch();
}

bool Protocol::handle(std::string_view line) {
  try {
    if (line.size() > kMaxLine)
      throw UsageError("a line of more than " + std::to_string(kMaxLine) + " bytes");
    return dispatch(line);
  } catch (const std::exception& error) {
    sendError(error.what());
  }
  return true;
}

bool Protocol::dispatch(std::string_view line) {
  const Words parts = words(line);
  if (parts.empty()) return true;
  const std::string_view command = parts[0];
  if (command == "position") {
    position(line);
  } else if (command == "setoption") {
    setOption(line);
  } else if (command == "go") {
    go(parts);
  } else if (command == "newgame" || command == "ucinewgame" || command == "uginewgame") {
    newGame(parts);
  } else if (std::find(kCommands.begin(), kCommands.end(), command) == kCommands.end()) {
    unknown("command", command, kCommands);
  } else {
    wantNone(parts);
    if (command == "uci") greet("uciok");
    if (command == "ugi") greet("ugiok");
    if (command == "isready") send("readyok");
    if (command == "d") send(stateJson(game_, startFullmove_));
    if (command == "stop") {
      pondered_.reset();
      stop_.request();
    }
    if (command == "ponderhit") ponderHit();
    if (command == "quit") {
      finishSearch();
      return false;
    }
  }
  return true;
}

void Protocol::greet(const char* last) {
  send("id name Toguz Zero " TOGUZ_VERSION);
  send("id author the Toguz Zero project");
  for (const ProtocolOption& option : protocolOptions())
    send(cleanLine(optionLine(option, setup_.rules.name(), setup_.modelPath), 4096));
  send(last);
}

void Protocol::newGame(const Words& arguments) {
  wantNone(arguments);
  finishSearch();
  game_ = Game(game_.rules(), plyCap_);
  startFullmove_ = 1;
  engine_.clear();
  reseed();
}

// A level's choices differ from game to game, also between two runs of the program; full strength
// repeats.
void Protocol::reseed() {
  EngineOptions options = engine_.options();
  options.seed = EngineOptions().seed;
  if (seed_ > 0)
    options.seed = static_cast<std::uint64_t>(seed_);
  else if (options.level < kLevels)
    options.seed = std::random_device{}();
  engine_.setOptions(options);
}

void Protocol::position(std::string_view line) {
  const Words parts = words(line);
  const auto moves = std::find(parts.begin() + 1, parts.end(), "moves");
  const auto base = static_cast<std::size_t>(moves - parts.begin());  // words before `moves`
  Game next(game_.rules(), plyCap_);
  int fullmove = 1;
  if (parts.size() == 1)
    throw UsageError("position: want startpos, fen FEN or moves M ... after it");
  if (base == 1) {
    if (moves + 1 == parts.end()) throw UsageError("position moves: want at least one move");
    next = game_;
    fullmove = startFullmove_;
  } else if (parts[1] == "startpos") {
    if (base > 2)
      throw UsageError("position startpos: want 'moves', but got " + inQuotes(parts[2]));
  } else if (parts[1] == "fen") {
    std::string fen;
    for (std::size_t i = 2; i < base; ++i) (fen += parts[i]) += ' ';
    const PositionText read = parsePosition(game_.rules(), fen);
    next = Game(game_.rules(), read.position, plyCap_);
    fullmove = read.fullmove;
  } else {
    unknown("position", parts[1], std::vector<std::string>{"startpos", "fen", "moves"});
  }
  if (moves != parts.end())
    playMoves(next, std::span(parts).subspan(static_cast<std::size_t>(moves - parts.begin()) + 1));
  finishSearch();
  game_ = std::move(next);
  startFullmove_ = fullmove;
}

void Protocol::setOption(std::string_view line) {
  const Words parts = words(line);
  if (parts.size() < 3 || parts[1] != "name")
    throw UsageError("setoption: want 'setoption name X value Y'");
  const auto value = std::find(parts.begin() + 2, parts.end(), "value");
  const std::string_view::size_type nameStart =
      static_cast<std::size_t>(parts[2].data() - line.data());
  if (value == parts.begin() + 2) throw UsageError("setoption: no name before 'value'");
  const std::string_view last = *(value - 1);
  const ProtocolOption& option = protocolOption(line.substr(
      nameStart, static_cast<std::size_t>(last.data() + last.size() - line.data()) - nameStart));
  if (value == parts.end()) throw UsageError(std::string("setoption: no value for ") + option.name);
  const std::string_view text =
      value + 1 == parts.end() ? std::string_view() : restFrom(line, *(value + 1));

  EngineOptions options = engine_.options();  // the search never changes them
  switch (option.id) {
    case ProtocolOption::Id::Variant:
      return setRules(Rules::named(text));
    case ProtocolOption::Id::Model:
      return setModel(std::string(text));
    case ProtocolOption::Id::Precision:
      return setPrecision(text);
    case ProtocolOption::Id::PlyCap:
      plyCap_ = static_cast<int>(spinValue(option, text));
      return;
    case ProtocolOption::Id::Threads:
      options.threads = static_cast<int>(spinValue(option, text));
      break;
    case ProtocolOption::Id::Nodes:
      options.defaultNodes = spinValue(option, text);
      break;
    case ProtocolOption::Id::Hash:
      options.maxTreeNodes =
          (static_cast<std::size_t>(spinValue(option, text)) << 20) / kBytesPerNode;
      break;
    case ProtocolOption::Id::MoveOverhead:
      options.moveOverheadMs = static_cast<double>(spinValue(option, text));
      break;
    case ProtocolOption::Id::Level:
      options.level = static_cast<int>(spinValue(option, text));
      finishSearch();
      engine_.setOptions(options);
      return reseed();
    case ProtocolOption::Id::MultiPV:
      options.lines = static_cast<int>(spinValue(option, text));
      break;
    case ProtocolOption::Id::Ponder: {
      const bool on = checkValue(option, text);
      finishSearch();  // which reads it
      ponder_ = on;
      return;
    }
    case ProtocolOption::Id::Seed: {
      const std::int64_t seed = spinValue(option, text);
      finishSearch();
      seed_ = seed;
      return reseed();
    }
  }
  finishSearch();
  engine_.setOptions(options);
}

void Protocol::setRules(const Rules& rules) {
  const Engine::Network& network = engine_.network();
  if (network && !(network->rules() == rules))
    throw UsageError("the model plays '" + network->rules().name() + "', not '" + rules.name() +
                     "': first 'setoption name Model value <empty>'");
  Game next(rules, plyCap_);
  finishSearch();
  game_ = std::move(next);
  startFullmove_ = 1;
  engine_.setPosition(game_);
}

void Protocol::setModel(const std::string& path) {
  Engine::Network network;
  if (!path.empty() && path != "<empty>") {
    network = Engine::loadNetwork(path, precision_);
    if (!(network->rules() == game_.rules()))
      throw UsageError("the model " + inQuotes(path) + " plays '" + network->rules().name() +
                       "', not '" + game_.rules().name() + "': first 'setoption name Variant'");
  }
  finishSearch();
  modelPath_ = network ? path : "";
  engine_.setNetwork(std::move(network));
}

void Protocol::setPrecision(std::string_view text) {
  const Precision precision = parsePrecision(text, "option Precision");
  const Precision before = std::exchange(precision_, precision);
  if (!engine_.network() || precision == before || precision == engine_.network()->precision())
    return;
  try {
    if (modelPath_.empty())
      throw UsageError("the model was not read from a file: set Model after Precision");
    setModel(modelPath_);
  } catch (...) {
    precision_ = before;
    throw;
  }
}

EngineLimits Protocol::readLimits(const Words& arguments, bool& ponder) const {
  static const std::vector<std::string> kLimits{"nodes", "movetime", "wtime",    "btime",
                                                "winc",  "binc",     "infinite", "ponder"};
  EngineLimits limits;
  std::vector<std::string_view> seen;
  bool clock = false;
  const bool first = game_.position().side == Side::First;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (std::find(kLimits.begin(), kLimits.end(), name) == kLimits.end())
      unknown("limit of go", name, kLimits);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw UsageError("go: " + std::string(name) + " is given twice");
    seen.push_back(name);
    if (name == "infinite") {
      limits.infinite = true;
      continue;
    }
    if (name == "ponder") {
      ponder = true;
      continue;
    }
    const bool isClock = name == "wtime" || name == "btime";
    const std::int64_t least = name == "nodes" || name == "movetime" ? 1 : isClock ? -kMaxMs : 0;
    std::int64_t value = 0;
    if (i + 1 == arguments.size()) throw UsageError("go: no value after " + std::string(name));
    if (!parseInt(arguments[++i], value) || value < least || value > kMaxMs)
      throw UsageError("go: " + std::string(name) + " " + inQuotes(arguments[i]) +
                       " is not a whole number from " + std::to_string(least) + " to " +
                       std::to_string(kMaxMs));
    if (name == "nodes") limits.nodes = value;
    if (name == "movetime") limits.moveTimeMs = static_cast<double>(value);
    if (name == (first ? "wtime" : "btime")) limits.remainingMs = static_cast<double>(value);
    if (name == (first ? "winc" : "binc")) limits.incrementMs = static_cast<double>(value);
    clock |= name.ends_with("time") && name != "movetime";
    clock |= name.ends_with("inc");
  }
  if (clock && !limits.remainingMs)
    throw UsageError(std::string("go: no ") + (first ? "wtime" : "btime") +
                     ", the clock of the side to move");
  return limits;
}

void Protocol::go(const Words& arguments) {
  bool ponder = false;
  const EngineLimits limits = readLimits(arguments, ponder);
  finishSearch();
  if (game_.over()) return send("bestmove none");
  engine_.setPosition(game_);
  if (!ponder) return startSearch(limits);
  EngineLimits endless;
  endless.infinite = true;
  startSearch(endless);
  pondered_ = limits;
}

void Protocol::ponderHit() {
  if (!pondered_) throw UsageError("ponderhit without a `go ponder` under way");
  const EngineLimits limits = *pondered_;
  silent_ = true;
  finishSearch();
  startSearch(limits);  // the tree stays, as the position does
}

void Protocol::startSearch(const EngineLimits& limits) {
  silent_ = false;
  stop_.reset();
  infinite_ = limits.infinite;
  finished_ = false;  // no other thread yet
  try {
    search_ = std::thread([this, limits] { runSearch(limits); });
  } catch (...) {
    finished_ = true;
    throw;
  }
}

void Protocol::runSearch(const EngineLimits& limits) {
  try {
    const SearchReport report = engine_.search(
        limits, [this](const SearchInfo& info) { sendInfo(info); }, &stop_);
    if (!silent_) send(bestMoveLine(report));
  } catch (const std::exception& error) {
    sendError(std::string("the search failed: ") + error.what());
  }
  {
    std::lock_guard lock(finishedMutex_);
    finished_ = true;
  }
  finishedChanged_.notify_all();
}

std::string Protocol::bestMoveLine(const SearchReport& report) const {
  Game game = engine_.game();
  const int pit = *report.bestPit;
  std::string line = "bestmove " + formatMove(game.rules(), game.position(), pit);
  if (!ponder_) return line;
  game.play(pit);
  for (const SearchLine& known : report.info.lines)
    if (known.pv.size() > 1 && known.pv[0] == pit && !game.over())
      return line + " ponder " + formatMove(game.rules(), game.position(), known.pv[1]);
  return line;
}

void Protocol::sendInfo(const SearchInfo& info) {
  if (silent_) return;
  for (std::size_t i = 0; i < info.lines.size(); ++i) {
    const std::string rank =
        engine_.options().lines > 1 ? "multipv " + std::to_string(i + 1) + " " : "";
    send("info " + rank + infoLine(info, info.lines[i]));
  }
}

std::string Protocol::infoLine(const SearchInfo& info, const SearchLine& best) const {
  std::string line = "nodes " + std::to_string(info.nodes) + " nps " +
                     std::to_string(std::llround(info.nps)) + " time " +
                     std::to_string(std::llround(info.timeMs)) + " score winrate " +
                     fixedNumber(best.winRate()) + " margin " + fixedNumber(best.margin) + " pv";
  const Rules& rules = engine_.rules();
  Position position = engine_.game().position();
  for (const int pit : best.pv) {
    line += ' ';
    line += formatMove(rules, position, pit);
    position = play(rules, position, pit);
  }
  return line;
}

void Protocol::finishSearch() {
  pondered_.reset();
  if (!search_.joinable()) return;
  if (!infinite_) {
    std::unique_lock lock(finishedMutex_);
    finishedChanged_.wait_for(lock, kGrace, [this] { return finished_ || stop_.requested(); });
  }
  stop_.request();
  joinSearch();
}

void Protocol::waitForSearch() {
  joinSearch();
}

void Protocol::joinSearch() {
  if (search_.joinable()) search_.join();
}

void Protocol::send(std::string_view line) {
  std::lock_guard lock(sinkMutex_);
  sink_(line);
}

void Protocol::sendError(std::string_view what) {
  send("error " + cleanLine(what));
}

void serveProtocol(std::istream& in, std::ostream& out, ProtocolSetup setup) {
  Protocol protocol(std::move(setup), [&out](std::string_view line) {
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
    out.put('\n');
    out.flush();
  });
  bool open = true;
  eachLine(in, Protocol::kMaxLine,
           [&](std::string_view line) { return open = protocol.handle(line); });
  if (open) protocol.finishSearch();
}

}  // namespace toguz
