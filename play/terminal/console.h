// The terminal, or the files that stand in for one: size, lines, key presses, signals.
//
// Standard input and output are one per process, and so is a Console. While it lives SIGINT,
// SIGTERM and SIGHUP do not end the process: a wait ends with Leave instead, at any later time too.
// The terminal's modes are put back by RawKeys and by the destructor. One thread, but for `wake`.
#pragma once

#include <signal.h>
#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace toguz {

class Console {
 public:
  struct Size {
    int columns = 80, rows = 24;
  };
  enum class Wake { Timeout, Key, Woken, Leave };

  explicit Console(bool plain);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  // A person at a terminal that can move its cursor; else lines are read as from a script.
  bool live() const { return live_; }
  // Lines are typed and so seen already; also on a terminal that is not live.
  bool typed() const { return typed_; }
  bool colour() const { return colour_; }
  bool unicode() const { return unicode_; }
  Size size() const;  // as it is now; 80 by 24 where there is no terminal

  // Throws Error if standard output cannot be written to.
  void write(std::string_view text);

  // A line without its end; empty at the end of the input or when a signal asks to leave. Longer
  // ones are cut to kMaxLine bytes.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 16;
  std::optional<std::string> readLine();

  // Waits for a key press, which is eaten (only while keys are raw), for `wake`, or for a signal.
  Wake wait(std::chrono::milliseconds limit);
  void wake();  // any thread

  // Key presses come one by one and unseen while this lives. No effect where there is no terminal.
  class RawKeys {
   public:
    explicit RawKeys(Console& console);
    ~RawKeys();
    RawKeys(const RawKeys&) = delete;
    RawKeys& operator=(const RawKeys&) = delete;

   private:
    Console& console_;
  };

 private:
  enum class Ready { Nothing, Input, Woken, Leave };
  Ready pollFor(bool input, bool wakes, std::optional<std::chrono::milliseconds> limit);
  void restore();

  bool live_ = false, typed_ = false, colour_ = false, unicode_ = false;
  bool raw_ = false;
  termios modes_{};  // as they were found
  int wakeEnds_[2] = {-1, -1};
  sigset_t waitMask_{}, oldMask_{};
  struct sigaction oldActions_[3]{};
  std::string pending_;  // read, but not yet a line
  bool ended_ = false;
};

}  // namespace toguz
