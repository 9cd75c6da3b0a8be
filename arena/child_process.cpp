#include "arena/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.h"

extern char** environ;

namespace toguz {
namespace {

using std::chrono::milliseconds;

int millisecondsLeft(ChildProcess::Deadline deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
}

// A write to a child that has gone must come back as an error, not end this program.
void ignoreBrokenPipes() {
  static std::once_flag once;
  std::call_once(once, [] { signal(SIGPIPE, SIG_IGN); });
}

struct Pipe {
  int ends[2] = {-1, -1};
  // Closed on exec, so that children started by other threads do not hold it open.
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe to a player: ") + std::strerror(errno));
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  int take(int end) { return std::exchange(ends[end], -1); }
};

pid_t spawn(const std::string& command, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  sigset_t defaults, none;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);  // its own group, killed as one
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string shell = "/bin/sh", option = "-c", text = command;
  char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, shell.c_str(), &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw Error("cannot start player '" + command + "': " + std::strerror(error));
  return pid;
}

}  // namespace

ChildProcess::ChildProcess(const std::string& command) {
  ignoreBrokenPipes();
  Pipe toChild, fromChild;
  pid_ = spawn(command, toChild.ends[0], fromChild.ends[1]);
  in_ = toChild.take(1);
  out_ = fromChild.take(0);
  fcntl(in_, F_SETFL, fcntl(in_, F_GETFL) | O_NONBLOCK);
  fcntl(out_, F_SETFL, fcntl(out_, F_GETFL) | O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  close(in_);
  close(out_);
  // The group outlives its leader where the shell has left programs behind.
  kill(-pid_, SIGKILL);
  if (!reaped_) {
    kill(pid_, SIGKILL);
    reap(true);
  }
}

ChildProcess::Write ChildProcess::writeLine(std::string_view line, Deadline deadline) {
  std::string text(line);
  text += '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(in_, text.data() + sent, text.size() - sent);
    if (n >= 0) {
      sent += static_cast<std::size_t>(n);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Write::Closed;
    const int left = millisecondsLeft(deadline);
    if (left == 0) return Write::TimedOut;
    pollfd waiting{in_, POLLOUT, 0};
    poll(&waiting, 1, left);
  }
  return Write::Done;
}

ChildProcess::Read ChildProcess::readLine(std::string& line, Deadline deadline) {
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      line.assign(buffer_, 0, end);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      buffer_.erase(0, end + 1);
      searched_ = 0;
      return Read::Line;
    }
    searched_ = buffer_.size();
    if (buffer_.size() > kMaxLine) return Read::TooLong;
    const int left = millisecondsLeft(deadline);
    if (left == 0) return Read::TimedOut;
    pollfd waiting{out_, POLLIN, 0};
    if (poll(&waiting, 1, left) <= 0) continue;
    char chunk[4096];
    const ssize_t n = read(out_, chunk, sizeof chunk);
    if (n > 0)
      buffer_.append(chunk, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      return Read::Closed;
  }
}

bool ChildProcess::reap(bool block) {
  while (!reaped_) {
    const pid_t ended = waitpid(pid_, &status_, block ? 0 : WNOHANG);
    if (ended == pid_ || (ended < 0 && errno != EINTR)) reaped_ = true;
    if (ended == 0) break;
  }
  return reaped_;
}

bool ChildProcess::waitForEnd(Deadline deadline) {
  while (!reap(false)) {
    if (millisecondsLeft(deadline) == 0) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

std::string ChildProcess::ending() {
  if (!waitForEnd(std::chrono::steady_clock::now() + milliseconds(200))) return "closed its output";
  if (WIFSIGNALED(status_)) return "was killed by signal " + std::to_string(WTERMSIG(status_));
  return "exited with status " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace toguz
