// `toguz play` itself: scripts through a pipe, and a terminal of its own.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "tests/run_program.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using test::Ran;

// Standard error is in `out` too.
Ran script(const std::string& lines, const std::string& arguments) {
  return test::runShell("printf '" + lines + "' | '" TOGUZ_BINARY "' play " + arguments + " 2>&1");
}

// No network comes with such rules, so that nothing hangs on files.
const std::string kPlain = "--variant standard,bar_last_pit=false --level 1 --seed 1 ";

TEST(TerminalProgram, AScriptIsEchoedWithPlainBoards) {
  const Ran run = script("7\\nfen\\n10\\n", kPlain + "--side both");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("Toguz Kumalak (standard,bar_last_pit=false). 'help' lists"));
  EXPECT_THAT(run.out, HasSubstr("by random playouts"));
  EXPECT_THAT(run.out, HasSubstr("\n> 7\nThe first player plays 76(10)"));
  EXPECT_THAT(run.out, HasSubstr("    (7)  "));
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
}

TEST(TerminalProgram, ItPlaysUntilTheEndOfTheInput) {
  const Ran run = script("7\\nhint\\nundo\\nresign", kPlain);
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("\nThe engine plays "));
  EXPECT_THAT(run.out, HasSubstr("\n> hint\nPlay "));
  EXPECT_THAT(run.out, HasSubstr("\n> resign\nYou resign"));
}

TEST(TerminalProgram, QuitLeavesTheRestUnread) {
  const Ran run = script("quit\\n7\\n", kPlain);
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, Not(HasSubstr("> 7")));
}

TEST(TerminalProgram, AGameWatchedToItsEnd) {
  const Ran run = script("", "--variant bestemshe,tuzdik=true --level 1 --side none");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("The game is over: "));
}

TEST(TerminalProgram, BadValuesAreOneLineAndStatusTwo) {
  for (const char* arguments :
       {"--level 0", "--level 11", "--level x", "--side third", "--speed 9", "--movetime 0",
        "--width 5", "--fen x", "--load /nonexistent.pgn", "--model /nonexistent.tzn",
        "--variant chess", "--fen x --load y", "--seed -1", "--no-such"}) {
    const Ran run = script("", arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_THAT(run.out, StartsWith("toguz: ")) << arguments;
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1) << run.out;
  }
}

TEST(TerminalProgram, HelpHasExamples) {
  const Ran run = script("", "--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("Examples:"));
  EXPECT_THAT(run.out, HasSubstr("undo [N|all]"));
}

// The program on a pseudo-terminal.
class Terminal {
 public:
  Terminal(std::vector<std::string> arguments, int columns, int rows) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    arguments.insert(arguments.begin(), {TOGUZ_BINARY, "play"});
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    child_ = forkpty(&fd_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("TERM", "xterm", 1);
      setenv("LC_ALL", "C.UTF-8", 1);
      unsetenv("NO_COLOR");
      execv(words[0], words.data());
      _exit(127);
    }
  }
  ~Terminal() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(fd_);
  }

  void type(const std::string& keys) {
    EXPECT_EQ(write(fd_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  // Reads on until the text has come, in what is new since the last call. A minute at most.
  bool sees(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      if (const std::size_t at = screen_.find(text, seen_); at != std::string::npos) {
        seen_ = at + text.size();
        return true;
      }
      pollfd input{fd_, POLLIN, 0};
      if (std::chrono::steady_clock::now() > end || poll(&input, 1, 60'000) <= 0) return false;
      char bytes[4096];
      const ssize_t got = read(fd_, bytes, sizeof bytes);
      if (got <= 0) return false;
      screen_.append(bytes, static_cast<std::size_t>(got));
    }
  }
  bool cooked() const {
    termios modes{};
    return tcgetattr(fd_, &modes) == 0 && (modes.c_lflag & ICANON) && (modes.c_lflag & ECHO);
  }
  int exitStatus() {
    sees("\x04no such text\x04");  // to its end
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
  }
  const std::string& screen() const { return screen_; }

 private:
  int fd_ = -1;
  pid_t child_ = -1;
  std::string screen_;
  std::size_t seen_ = 0;
};

std::vector<std::string> onTerminal(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--variant", "standard,bar_last_pit=false", "--level", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(TerminalProgram, BallsAreSownInPlaceAndControlCLeavesCleanly) {
  Terminal terminal(onTerminal({"--speed", "fast"}), 80, 24);
  ASSERT_TRUE(terminal.sees("your move> "));
  EXPECT_TRUE(terminal.cooked());
  terminal.type("7\n");
  ASSERT_TRUE(terminal.sees("\033[H")) << terminal.screen();
  ASSERT_TRUE(terminal.sees("in hand: 9"));
  ASSERT_TRUE(terminal.sees("in hand: 1\033"));
  ASSERT_TRUE(terminal.sees("The engine plays"));
  ASSERT_TRUE(terminal.sees("your move> "));
  EXPECT_TRUE(terminal.cooked());
  terminal.type("\x03");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

TEST(TerminalProgram, AKeyShowsTheRestOfAMoveAtOnce) {
  Terminal terminal(onTerminal({"--speed", "slow", "--side", "both"}), 120, 40);
  ASSERT_TRUE(terminal.sees("first player> "));
  terminal.type("7\n");
  ASSERT_TRUE(terminal.sees("in hand: 9"));
  terminal.type("x");
  ASSERT_TRUE(terminal.sees("second player> "));
  EXPECT_EQ(terminal.screen().find("in hand: 2\033"), std::string::npos);
  terminal.type("quit\n");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

TEST(TerminalProgram, AWatchedGameIsPausedByAKey) {
  Terminal terminal(onTerminal({"--speed", "slow", "--side", "none"}), 80, 24);
  ASSERT_TRUE(terminal.sees("in hand: 9"));
  terminal.type(" ");
  ASSERT_TRUE(terminal.sees("engine waits> "));
  EXPECT_TRUE(terminal.cooked());
  terminal.type("\x04");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

TEST(TerminalProgram, ControlCWhileItThinksLeaves) {
  Terminal terminal(onTerminal({"--speed", "off", "--movetime", "600000"}), 80, 24);
  ASSERT_TRUE(terminal.sees("your move> "));
  terminal.type("level 10\n");
  ASSERT_TRUE(terminal.sees("your move> "));
  terminal.type("7\n");
  ASSERT_TRUE(terminal.sees("thinking..."));
  EXPECT_FALSE(terminal.cooked());
  terminal.type("\x03");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

TEST(TerminalProgram, AKeyEndsItsThinking) {
  Terminal terminal(onTerminal({"--speed", "off", "--movetime", "600000"}), 80, 24);
  ASSERT_TRUE(terminal.sees("your move> "));
  terminal.type("hint\n");
  ASSERT_TRUE(terminal.sees("thinking..."));
  terminal.type(" ");
  ASSERT_TRUE(terminal.sees("Play "));
  terminal.type("q\n");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

TEST(TerminalProgram, ASmallTerminalScrolls) {
  Terminal terminal(onTerminal({"--speed", "slow"}), 40, 12);
  ASSERT_TRUE(terminal.sees("your move> "));
  terminal.type("7\n");
  ASSERT_TRUE(terminal.sees("your move> "));
  EXPECT_EQ(terminal.screen().find("in hand"), std::string::npos) << "no room for that";
  terminal.type("q\n");
  EXPECT_EQ(terminal.exitStatus(), 0);
}

}  // namespace
}  // namespace toguz
