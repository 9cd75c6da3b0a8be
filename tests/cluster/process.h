// The program as a process of its own, which a test may kill.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"

namespace toguz::testing {

// What it prints, on both streams, is added to a file. It cannot outlive the thread that made it.
class ToguzProcess {
 public:
  ToguzProcess(std::filesystem::path output, std::vector<std::string> arguments)
      : output_(std::move(output)), words_(std::move(arguments)) {
    words_.insert(words_.begin(), TOGUZ_PROGRAM);
    start();
  }
  ~ToguzProcess() { kill(); }
  ToguzProcess(const ToguzProcess&) = delete;

  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  void terminate() {
    if (process_ > 0) ::kill(process_, SIGTERM);
  }
  // Whether it still runs; otherwise `wait` tells how it ended.
  bool running() {
    if (process_ <= 0) return false;
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) != process_) return true;
    process_ = 0;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return false;
  }
  // Its exit status, 128 and the signal's number if one ended it; nothing if it goes on.
  std::optional<int> wait(std::chrono::milliseconds limit) {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (running()) {
      if (std::chrono::steady_clock::now() > until) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return status_;
  }
  std::string output() const {
    return std::filesystem::exists(output_) ? readFile(output_) : std::string();
  }

 private:
  void start() {
    std::vector<char*> arguments;
    for (std::string& word : words_) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("cannot start a process");
    if (process_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    const int file = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }

  std::filesystem::path output_;
  std::vector<std::string> words_;
  pid_t process_ = 0;
  std::optional<int> status_;
};

}  // namespace toguz::testing
