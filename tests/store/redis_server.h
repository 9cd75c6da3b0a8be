// A real redis-server of a test's own, on a free loopback port, with its data in a folder that goes
// away with it. It cannot outlive the test program. One thread: the one that made it must live for
// as long as it does.
#pragma once

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "store/redis_connection.h"
#include "tests/training/records.h"

namespace toguz::testing {

class RedisServer {
 public:
  // Starts it and waits until it answers; throws, and so fails the test, if it does not. `options`
  // are its own ("--requirepass", "x") and come after the defaults: every write is on the disk
  // before it is answered.
  explicit RedisServer(std::vector<std::string> options = {}) : options_(std::move(options)) {
    std::filesystem::create_directories(data());
    for (int attempt = 0;; ++attempt) {
      port_ = freePort();
      try {
        start();
        return;
      } catch (const std::exception&) {
        // Another program may have taken the port meanwhile.
        kill();
        if (attempt == 3 || logText().find("in use") == std::string::npos) throw;
      }
    }
  }
  ~RedisServer() { kill(); }
  RedisServer(const RedisServer&) = delete;

  int port() const { return port_; }
  pid_t process() const { return process_; }
  RedisAddress address(const std::string& run = "run") const {
    RedisAddress address;
    address.host = "127.0.0.1";
    address.port = port_;
    address.run = run;
    return address;
  }
  std::string url(const std::string& run = "run") const { return address(run).text(); }

  // As a crash would; what was written is still on the disk.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  // On the same port, after `kill`.
  void start() {
    std::vector<std::string> words = {"redis-server",
                                      "--port",
                                      std::to_string(port_),
                                      "--bind",
                                      "127.0.0.1",
                                      "--dir",
                                      data().string(),
                                      "--logfile",
                                      log().string(),
                                      "--daemonize",
                                      "no",
                                      "--save",
                                      "",
                                      "--appendonly",
                                      "yes",
                                      "--appendfsync",
                                      "always"};
    words.insert(words.end(), options_.begin(), options_.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("cannot start a process");
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    waitUntilReady();
  }
  void wipe() {
    std::filesystem::remove_all(data());
    std::filesystem::create_directories(data());
  }
  void restartEmpty() {
    kill();
    wipe();
    start();
  }
  void hang() { ::kill(process_, SIGSTOP); }
  void goOn() { ::kill(process_, SIGCONT); }

  // A command past every store, over a connection of its own.
  RedisReply ask(const std::vector<std::string>& words, const std::string& password = "") const {
    RedisAddress address = this->address();
    address.password = password;
    return RedisConnection(address).command({words.begin(), words.end()});
  }

 private:
  std::filesystem::path data() const { return folder_ / "data"; }
  std::filesystem::path log() const { return folder_ / "log"; }
  std::string logText() const {
    return std::filesystem::exists(log()) ? readFile(log()) : std::string();
  }

  // Below the ports that the system gives to clients, so that it is still free after a kill.
  static int freePort() {
    std::random_device random;
    for (int attempt = 0; attempt < 200; ++attempt) {
      const int port = 10000 + static_cast<int>(random() % 20000);
      const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      sockaddr_in where{};
      where.sin_family = AF_INET;
      where.sin_port = htons(static_cast<std::uint16_t>(port));
      where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      const bool free = ::bind(descriptor, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0;
      ::close(descriptor);
      if (free) return port;
    }
    throw std::runtime_error("no free port for a redis-server");
  }

  void waitUntilReady() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        process_ = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
          throw std::runtime_error(
              "redis-server is not installed: this test needs it (scripts/test.sh installs it)");
        throw std::runtime_error("redis-server ended at once: " + logText());
      }
      try {
        ask({"PING"});
        return;
      } catch (const StoreDenied&) {
        return;  // it wants a password
      } catch (const StoreUnavailable& error) {
        if (std::chrono::steady_clock::now() > until)
          throw std::runtime_error(std::string("redis-server does not answer: ") + error.what());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  TemporaryFolder folder_;
  std::vector<std::string> options_;
  int port_ = 0;
  pid_t process_ = 0;
};

}  // namespace toguz::testing
