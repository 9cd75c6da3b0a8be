// A child process, its standard input and output at the other end of two pipes. Nothing here waits
// past its deadline, whatever the child does; the child and all of its process group are killed and
// reaped when the object goes. One thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

namespace toguz {

class ChildProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  enum class Read { Line, TimedOut, Closed, TooLong };
  enum class Write { Done, TimedOut, Closed };
  static constexpr std::size_t kMaxLine = 1 << 16;  // bytes

  // Runs `/bin/sh -c command`; its standard error stays ours. Throws Error if it cannot be started.
  explicit ChildProcess(const std::string& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Adds the newline.
  Write writeLine(std::string_view line, Deadline deadline);
  // The next line without its end (LF or CR LF).
  Read readLine(std::string& line, Deadline deadline);
  // How it ended, in words, once its output is closed: "exited with status 3", "was killed by
  // signal 11"; "closed its output" if it still runs a moment later.
  std::string ending();
  // Waits until it has ended, at most to the deadline.
  bool waitForEnd(Deadline deadline);

 private:
  bool reap(bool block);

  pid_t pid_ = -1;
  int in_ = -1;   // we write
  int out_ = -1;  // we read
  bool reaped_ = false;
  int status_ = 0;
  std::string buffer_;
  std::size_t searched_ = 0;  // of the buffer, known to hold no line end
};

}  // namespace toguz
