#include <algorithm>
#include <sstream>

#include "arena/child_process.h"
#include "arena/player_factories.h"
#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"

namespace toguz {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::string milliseconds(double ms) {
  return std::to_string(std::max<std::int64_t>(1, static_cast<std::int64_t>(ms)));
}

// What `info` lines say of the search; the last word on each matter counts.
void readInfo(const std::string& line, Choice& choice) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  while (words >> word) {
    std::string value;
    if (word == "pv" || word == "string") return;
    if (word == "score") continue;
    if (!(words >> value)) return;
    double number = 0;
    std::int64_t whole = 0;
    if (word == "nodes" && parseInt(value, whole) && whole >= 0)
      choice.nodes = static_cast<std::uint64_t>(whole);
    else if (word == "winrate" && parseDouble(value, number) && number >= 0 && number <= 100)
      choice.winLoss = static_cast<float>(number / 50.0 - 1.0);
    else if (word == "margin" && parseDouble(value, number))
      choice.margin = static_cast<float>(number);
  }
}

class ExecPlayer final : public Player {
 public:
  ExecPlayer(std::string command, const ExecSettings& settings)
      : command_(std::move(command)), settings_(settings) {}

  ~ExecPlayer() override {
    if (!child_) return;
    const auto deadline = SteadyClock::now() + std::chrono::milliseconds(200);
    if (child_->writeLine("quit", deadline) == ChildProcess::Write::Done)
      child_->waitForEnd(deadline);
  }

  std::string name() const override { return "exec:" + command_; }

  void newGame(const Rules& rules, std::uint64_t) override {
    rules_ = rules;
    guarded([&] { greet(); });
  }

  Choice choose(const Game& game, const std::optional<Clock>& clock) override {
    Choice choice;
    guarded([&] {
      if (!child_) fail("is not running");
      choice = ask(game, clock);
    });
    return choice;
  }

 private:
  // Ends the program after a fault: whatever it still says belongs to a game that is lost.
  template <class F>
  void guarded(F&& talk) {
    try {
      talk();
    } catch (const PlayerFault&) {
      child_.reset();
      throw;
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw PlayerFault("player '" + command_ + "' " + what);
  }

  static ChildProcess::Deadline in(double ms) {
    return SteadyClock::now() + std::chrono::microseconds(static_cast<std::int64_t>(ms * 1000));
  }

  void send(const std::string& line, ChildProcess::Deadline deadline) {
    switch (child_->writeLine(line, deadline)) {
      case ChildProcess::Write::Done:
        return;
      case ChildProcess::Write::TimedOut:
        fail("does not read its input");
      case ChildProcess::Write::Closed:
        fail(child_->ending());
    }
  }

  // Reads to the line whose first word is `wanted`, handing the lines before it to `other`.
  template <class F>
  std::string await(const std::string& wanted, ChildProcess::Deadline deadline, double waitedMs,
                    F&& other) {
    std::string line;
    for (;;) {
      switch (child_->readLine(line, deadline)) {
        case ChildProcess::Read::Line:
          break;
        case ChildProcess::Read::TimedOut:
          fail("gave no '" + wanted + "' within " + milliseconds(waitedMs) + " ms");
        case ChildProcess::Read::Closed:
          fail(child_->ending());
        case ChildProcess::Read::TooLong:
          fail("wrote a line without end");
      }
      if (line == wanted || line.starts_with(wanted + " ")) return line;
      if (SteadyClock::now() >= deadline)
        fail("gave no '" + wanted + "' within " + milliseconds(waitedMs) + " ms");
      other(line);
    }
  }

  void greet() {
    const auto deadline = in(settings_.startMs);
    if (!child_) {
      try {
        child_ = std::make_unique<ChildProcess>(command_);
      } catch (const Error& error) {
        throw PlayerFault(error.what());
      }
      knowsVariants_ = false;
      send("uci", deadline);
      await("uciok", deadline, settings_.startMs, [&](const std::string& line) {
        if (line.starts_with("option name Variant")) knowsVariants_ = true;
      });
    }
    if (knowsVariants_ || !(rules_ == Rules()))
      send("setoption name Variant value " + rules_.name(), deadline);
    send("newgame", deadline);
    send("isready", deadline);
    await("readyok", deadline, settings_.startMs, [&](const std::string& line) {
      if (line.starts_with("error ")) fail("refused the game: " + inQuotes(line.substr(6)));
    });
  }

  Choice ask(const Game& game, const std::optional<Clock>& clock) {
    std::string position = "position ";
    if (game.start() == Position::start(game.rules().set()))
      position += "startpos";
    else
      position += "fen " + formatPosition(game.rules(), game.start());
    if (game.ply() > 0) position += " moves";
    for (std::size_t i = 0; i < game.moves().size(); ++i)
      position += " " + formatMove(game.rules(), game.positions()[i], game.moves()[i]);

    double limit = settings_.movetimeMs;
    std::string go = "go movetime " + milliseconds(limit);
    if (clock) {
      // The opponent's clock is not known here; the same is given for both.
      limit = clock->remainingMs;
      const std::string left = milliseconds(limit), more = milliseconds(clock->incrementMs);
      go = "go wtime " + left + " btime " + left + " winc " + more + " binc " + more;
    }
    const double patience = limit + settings_.graceMs;
    const auto deadline = in(patience);
    send(position, deadline);
    send(go, deadline);
    Choice choice;
    const std::string answer = await("bestmove", deadline, patience, [&](const std::string& line) {
      if (line.starts_with("info ")) readInfo(line, choice);
      if (line.starts_with("error ")) fail("answered " + inQuotes(line));
    });
    std::istringstream words(answer);
    std::string move;
    words >> move >> move;
    try {
      choice.pit = parseMove(game, move, {.barePit = true});
    } catch (const Error& error) {
      fail("answered " + inQuotes(answer) + ": " + error.what());
    }
    return choice;
  }

  std::string command_;
  ExecSettings settings_;
  Rules rules_;
  std::unique_ptr<ChildProcess> child_;
  bool knowsVariants_ = false;
};

class ExecFactory final : public PlayerFactory {
 public:
  ExecFactory(std::string command, const ExecSettings& settings)
      : command_(std::move(command)), settings_(settings) {}
  std::string name() const override { return "exec:" + command_; }
  std::unique_ptr<Player> make() const override {
    return std::make_unique<ExecPlayer>(command_, settings_);
  }

 private:
  std::string command_;
  ExecSettings settings_;
};

}  // namespace

std::unique_ptr<PlayerFactory> makeExecFactory(const std::string& command,
                                               const ExecSettings& settings) {
  return std::make_unique<ExecFactory>(command, settings);
}

}  // namespace toguz
