// News of training runs for who is looking: a thread that watches their files and publishes what
// changed. It reads only, only what somebody listens to, and spends a twentieth of a core at most,
// as the run that is looked at may need this machine.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "serve/http_server.h"
#include "serve/run_folders.h"

namespace toguz {

class RunFeed {
 public:
  // Topics: the list of runs, and each run. They are the addresses of the streams.
  static constexpr const char* kList = "/runs/events";
  static std::string topicOf(const std::string& name) { return "/run/" + name + "/events"; }

  // Both must outlive it. `interval`: between two looks at files.
  RunFeed(HttpServer& server, const RunFolders& folders, std::chrono::milliseconds interval);
  ~RunFeed();

  // Somebody is about to listen to it. Any thread.
  void want(const std::string& topic);

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    std::string stamp;         // of the files that the last event tells of
    std::string problem;       // what the last event said could not be read
    bool failing = false;      // the last look did
    Clock::time_point next{};  // not before
  };

  void watch();
  void look(const std::string& topic, Watched& watched);
  void lookAt(const std::string& topic, Watched& watched);
  void publish(const std::string& topic, const char* name, const std::string& data);

  HttpServer& server_;
  const RunFolders& folders_;
  const std::chrono::milliseconds interval_;
  std::map<std::string, Watched> watched_;  // the thread's

  std::mutex mutex_;  // for what follows
  std::condition_variable changed_;
  std::set<std::string> wanted_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace toguz
