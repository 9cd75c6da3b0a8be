// Programs that misbehave in every way lose the game they misbehave in, quickly, and no other.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "arena/match.h"
#include "arena/player_factories.h"

namespace toguz {
namespace {

using SteadyClock = std::chrono::steady_clock;

// A shell script that greets properly and answers `go` with `onGo`.
class Script {
 public:
  explicit Script(const std::string& onGo, const std::string& greeting = "echo uciok") {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("toguz_exec_" + std::to_string(getpid()) + "_" + std::to_string(number++) + ".sh");
    std::ofstream(path_) << "while read -r word rest; do\n"
                            "  case $word in\n"
                            "  uci) "
                         << greeting
                         << ";;\n"
                            "  isready) echo readyok;;\n"
                            "  position) moves=$rest;;\n"
                            "  go) "
                         << onGo
                         << ";;\n"
                            "  quit) exit 0;;\n"
                            "  esac\n"
                            "done\n";
  }
  ~Script() { std::filesystem::remove(path_); }
  std::string command() const { return "exec sh " + path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr ExecSettings kQuick{.movetimeMs = 50, .startMs = 3000, .graceMs = 150};

// From the start position each side makes one move, then the game is drawn by the cap. Pit 9 is
// legal for either: no first move reaches the opponent's pit 9.
MatchOptions twoPlies(int games, int concurrency = 1) {
  MatchOptions o;
  o.games = games;
  o.concurrency = concurrency;
  o.plyCap = 2;
  o.openings = randomOpenings(Rules(), 0, 1, 1);
  return o;
}

void expectFault(const Script& script, const std::string& part, ExecSettings settings = kQuick) {
  const auto bad = makeExecFactory(script.command(), settings);
  const auto start = SteadyClock::now();
  const MatchResult r = playMatch(*bad, *makeRandomFactory(), twoPlies(2));
  EXPECT_EQ(r.tally, (Tally{0, 0, 2})) << part;
  EXPECT_EQ(r.a.faults, 2) << part;
  EXPECT_EQ(r.b.faults, 0);
  EXPECT_NE(r.a.firstFault.find(part), std::string::npos) << r.a.firstFault;
  EXPECT_EQ(r.a.firstFault.find('\n'), std::string::npos);
  EXPECT_LT(SteadyClock::now() - start, std::chrono::seconds(4)) << part;
}

TEST(ExecPlayerTest, AGoodProgramPlays) {
  const Script good("echo info nodes 12 score winrate 75 margin 3.5 pv 9; echo bestmove 9");
  const auto factory = makeExecFactory(good.command(), kQuick);
  auto o = twoPlies(4, 2);
  o.keepOpinions = true;
  const MatchResult r = playMatch(*factory, *makeRandomFactory(), o);
  EXPECT_EQ(r.tally, (Tally{0, 4, 0})) << r.a.firstFault;
  for (const MatchGame& game : r.games) {
    const std::size_t own = game.aFirst ? 0 : 1;
    EXPECT_EQ(game.moves[own], 8);
    EXPECT_EQ(game.opinions[own].nodes, 12u);
    EXPECT_FLOAT_EQ(game.opinions[own].winLoss.value(), 0.5f);
    EXPECT_FLOAT_EQ(game.opinions[own].margin.value(), 3.5f);
  }
}

TEST(ExecPlayerTest, EveryKindOfFaultIsNamed) {
  expectFault(Script("exit 3"), "exited with status 3");
  expectFault(Script("kill -9 $$"), "killed by signal 9");
  expectFault(Script("sleep 60"), "no 'bestmove' within");
  expectFault(Script("true"), "no 'bestmove' within");
  expectFault(Script("echo nonsense; echo more"), "no 'bestmove' within");
  expectFault(Script("echo bestmove 0"), "answered");
  expectFault(Script("echo bestmove xyz"), "answered");
  expectFault(Script("echo bestmove"), "answered");
  expectFault(Script("echo bestmove none"), "answered");
  expectFault(Script("echo bestmove 77"), "answered");  // the second digit is false
  expectFault(Script("echo error I cannot"), "I cannot");
  expectFault(Script("exec 1>&-; sleep 60"), "closed its output");
  expectFault(Script("yes | tr -d '\\n'"), "without end", {.startMs = 3000, .graceMs = 3000});
  expectFault(Script("yes"), "no 'bestmove' within");
}

TEST(ExecPlayerTest, FaultsBeforeTheGame) {
  const ExecSettings hasty{.movetimeMs = 50, .startMs = 200, .graceMs = 150};
  expectFault(Script("true", "true"), "no 'uciok' within", hasty);
  expectFault(Script("true", "exit 1"), "exited with status 1", hasty);
  const auto missing = makeExecFactory("/no/such/program 2>/dev/null", kQuick);
  const MatchResult r = playMatch(*missing, *makeRandomFactory(), twoPlies(2));
  EXPECT_EQ(r.a.faults, 2);
  EXPECT_NE(r.a.firstFault.find("exited with status 127"), std::string::npos) << r.a.firstFault;
}

// Each second game goes wrong, in a new process each time: the others are played to their end.
TEST(ExecPlayerTest, OnlyTheGameOfTheFaultIsLost) {
  const Script flaky("case $moves in *moves*) echo bestmove 9;; *) exit 1;; esac");
  const auto factory = makeExecFactory(flaky.command(), kQuick);
  for (const int concurrency : {1, 4}) {
    const MatchResult r = playMatch(*factory, *makeRandomFactory(), twoPlies(8, concurrency));
    EXPECT_EQ(r.gamesPlayed(), 8);
    EXPECT_EQ(r.tally, (Tally{0, 4, 4}));  // moving first it dies, moving second it plays
    EXPECT_EQ(r.a.faults, 4);
  }
}

// A program that in one game of five crashes, hangs, writes garbage or plays what it may not.
TEST(ExecPlayerTest, FullAThousandGamesAgainstAFlakyProgram) {
  const std::string count =
      (std::filesystem::temp_directory_path() / ("toguz_flaky_" + std::to_string(getpid())))
          .string();
  std::ofstream(count) << "0\n";
  // The count lies in a file, since each fault ends the process.
  const Script flaky("n=$(($(cat " + count + ") + 1)); echo $n >" + count +
                     "; case $((n % 20)) in 0) exit 7;; 5) sleep 60;; 10) echo garbage;; "
                     "15) echo bestmove 77;; *) echo bestmove 9;; esac");
  // Time enough that no good answer of the 950 is late on a machine that is held up.
  const auto factory =
      makeExecFactory(flaky.command(), {.movetimeMs = 50, .startMs = 20'000, .graceMs = 1000});
  const MatchResult r = playMatch(*factory, *makeRandomFactory(), twoPlies(1000));
  std::filesystem::remove(count);
  EXPECT_EQ(r.gamesPlayed(), 1000);
  EXPECT_EQ(r.tally, (Tally{0, 800, 200}));
  EXPECT_EQ(r.a.faults, 200) << r.a.firstFault;
  EXPECT_EQ(r.b.faults, 0);
}

// It must not be waited for: neither while it does not read nor after the match.
TEST(ExecPlayerTest, AProgramThatNeverReadsDoesNotHangUs) {
  const auto deaf = makeExecFactory("echo uciok; echo readyok; sleep 60", kQuick);
  auto o = twoPlies(2);
  // A long game, so that more than a pipe holds may be sent.
  const auto start = SteadyClock::now();
  const MatchResult r = playMatch(*deaf, *makeRandomFactory(), o);
  EXPECT_EQ(r.a.faults, 2);
  EXPECT_LT(SteadyClock::now() - start, std::chrono::seconds(3));
}

TEST(ExecPlayerTest, NothingIsLeftRunning) {
  const auto file =
      std::filesystem::temp_directory_path() / ("toguz_exec_pid_" + std::to_string(getpid()));
  // A child of the shell, which must go with it.
  const auto stubborn = makeExecFactory(
      "trap '' TERM HUP; sleep 300 & echo $! > " + file.string() + "; echo uciok; wait",
      {.movetimeMs = 50, .startMs = 200, .graceMs = 100});
  playMatch(*stubborn, *makeRandomFactory(), twoPlies(1));
  pid_t pid = 0;
  std::ifstream(file) >> pid;
  std::filesystem::remove(file);
  ASSERT_GT(pid, 0);
  // Killed at once; who adopted it may take a moment to bury it.
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    gone = kill(pid, 0) != 0 && errno == ESRCH;
    if (!gone) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string id, name, state;
      stat >> id >> name >> state;
      gone = state == "Z";
    }
    if (!gone) usleep(10000);
  }
  EXPECT_TRUE(gone);
}

TEST(ExecPlayerTest, TheClockIsSentAndJudged) {
  const Script slow(
      "case $rest in 'wtime 100 btime 100 winc 7 binc 7') sleep 0.3; echo bestmove 9;; "
      "*) echo error unexpected $rest;; esac");
  const auto factory = makeExecFactory(slow.command(), {.graceMs = 2000});
  auto o = twoPlies(1);
  o.clock = TimeControl{100, 7};
  const MatchResult r = playMatch(*factory, *makeRandomFactory(), o);
  EXPECT_EQ(r.a.timeLosses, 1) << r.a.firstFault;
  EXPECT_EQ(r.a.faults, 0);
}

// The real protocol, to the end of real games, in every variant and from a position.
TEST(ExecPlayerTest, TheEnginePlaysWholeGames) {
  ExecSettings settings;
  settings.movetimeMs = 1;
  for (const std::string& name : Rules::names()) {
    MatchOptions o;
    o.rules = Rules::named(name);
    o.games = 2;
    o.openings = randomOpenings(o.rules, 10, 1, 1);
    if (name == "standard") {
      const Game game = o.openings[0].game(o.rules);
      o.openings[0] = {game.position(), {}};
    }
    const auto engine = makeExecFactory(TOGUZ_TEST_ENGINE, settings);
    const MatchResult r = playMatch(*engine, *makeRandomFactory(), o);
    EXPECT_EQ(r.a.faults, 0) << name << ": " << r.a.firstFault;
    EXPECT_EQ(r.gamesPlayed(), 2);
    EXPECT_GT(r.a.nodes, 0u);
  }
}

}  // namespace
}  // namespace toguz
