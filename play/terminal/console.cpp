#include "play/terminal/console.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace toguz {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t gLeave = 0;

void onSignal(int) {
  gLeave = 1;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool speaksUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

Console::Console(bool plain) {
  const bool dumb = environment("TERM").empty() || environment("TERM") == "dumb";
  const bool output = ::isatty(STDOUT_FILENO) == 1 && !plain && !dumb;
  typed_ = ::isatty(STDIN_FILENO) == 1;
  live_ = output && typed_ && ::tcgetattr(STDIN_FILENO, &modes_) == 0;
  colour_ = output && environment("NO_COLOR").empty();
  unicode_ = output && speaksUtf8();
  if (::pipe2(wakeEnds_, O_CLOEXEC | O_NONBLOCK) != 0)
    throw Error("cannot make a pipe: " + std::generic_category().message(errno));

  // Blocked but for the time of a wait, so that no signal falls between a look and the wait.
  // Threads that start from here on inherit that and leave the signals to this one.
  sigset_t ours;
  sigemptyset(&ours);
  for (const int number : kSignals) sigaddset(&ours, number);
  pthread_sigmask(SIG_BLOCK, &ours, &oldMask_);
  waitMask_ = oldMask_;
  struct sigaction action {};
  action.sa_handler = onSignal;
  gLeave = 0;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigdelset(&waitMask_, kSignals[i]);
    sigaction(kSignals[i], &action, &oldActions_[i]);
  }
}

Console::~Console() {
  restore();
  // A second Control-C that came meanwhile is taken here, by the same handler, and not after.
  pthread_sigmask(SIG_SETMASK, &oldMask_, nullptr);
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &oldActions_[i], nullptr);
  for (const int end : wakeEnds_) ::close(end);
}

void Console::restore() {
  if (!raw_) return;
  raw_ = false;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_);
}

Console::Size Console::size() const {
  winsize window{};
  Size size;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0)
    size = {window.ws_col, window.ws_row};
  return size;
}

void Console::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error("cannot write to standard output");
}

Console::Ready Console::pollFor(bool input, bool wakes,
                                std::optional<std::chrono::milliseconds> limit) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + limit.value_or(std::chrono::milliseconds(0));
  for (;;) {
    if (gLeave) return Ready::Leave;
    std::array<pollfd, 2> ends{pollfd{input ? STDIN_FILENO : -1, POLLIN, 0},
                               pollfd{wakes ? wakeEnds_[0] : -1, POLLIN, 0}};
    timespec left{};
    if (limit) {
      const auto rest = std::max(end - Clock::now(), Clock::duration::zero());
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(rest);
      left.tv_sec = seconds.count();
      left.tv_nsec = static_cast<long>(std::chrono::nanoseconds(rest - seconds).count());
    }
    const int count = ::ppoll(ends.data(), ends.size(), limit ? &left : nullptr, &waitMask_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("cannot wait for input: " + std::generic_category().message(errno));
    if (gLeave) return Ready::Leave;
    if (ends[1].revents != 0) return Ready::Woken;
    if (ends[0].revents != 0) return Ready::Input;
    if (limit && Clock::now() >= end) return Ready::Nothing;
  }
}

std::optional<std::string> Console::readLine() {
  std::size_t seen = 0;
  bool cut = false;
  for (;;) {
    if (gLeave) return std::nullopt;
    const std::size_t end = pending_.find('\n', seen);
    if (end != std::string::npos || (ended_ && !pending_.empty())) {
      std::string line = pending_.substr(0, std::min(end, kMaxLine));
      pending_.erase(0, end == std::string::npos ? end : end + 1);
      return line;
    }
    if (ended_) return std::nullopt;
    // No line needs more room than the longest; its tail is dropped.
    if (pending_.size() > kMaxLine) pending_.resize(kMaxLine), cut = true;
    seen = pending_.size();
    if (pollFor(true, false, std::nullopt) == Ready::Leave) return std::nullopt;
    char bytes[4096];
    const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    // A terminal that has gone is the end of the input too.
    if (got <= 0) {
      ended_ = true;
    } else {
      std::string_view more(bytes, static_cast<std::size_t>(got));
      if (cut && more.find('\n') == std::string_view::npos) continue;
      if (cut) more.remove_prefix(more.find('\n'));
      pending_ += more;
    }
  }
}

Console::Wake Console::wait(std::chrono::milliseconds limit) {
  switch (pollFor(raw_ && !ended_, true, limit)) {
    case Ready::Leave:
      return Wake::Leave;
    case Ready::Nothing:
      return Wake::Timeout;
    case Ready::Woken: {
      char bytes[64];
      while (::read(wakeEnds_[0], bytes, sizeof bytes) > 0) {
      }
      return Wake::Woken;
    }
    case Ready::Input:
      break;
  }
  char bytes[256];
  if (::read(STDIN_FILENO, bytes, sizeof bytes) == 0) ended_ = true;
  return Wake::Key;
}

void Console::wake() {
  const char byte = 0;
  [[maybe_unused]] const ssize_t ignored = ::write(wakeEnds_[1], &byte, 1);
}

Console::RawKeys::RawKeys(Console& console) : console_(console) {
  if (!console.live_ || console.raw_) return;
  termios raw = console.modes_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  // A program that is stopped would leave the terminal so.
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  if (::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0) console.raw_ = true;
}

Console::RawKeys::~RawKeys() {
  console_.restore();
}

}  // namespace toguz
