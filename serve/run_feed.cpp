#include "serve/run_feed.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/error.h"
#include "report/run_report.h"
#include "report/run_summary.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kRest = 19;  // times as long as a look takes

struct FileState {
  std::int64_t changed = 0;  // ms since 1970; 0 if there is no file
  std::int64_t size = 0;
};

FileState stateOf(const fs::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_mtim.tv_sec * std::int64_t{1000} + info.st_mtim.tv_nsec / 1'000'000,
          info.st_size};
}

std::string stampOf(const RunPaths& run) {
  std::string stamp;
  for (const fs::path& path :
       {run.config(), run.metrics(), run.rating(), run.games(), run.workers()}) {
    const FileState state = stateOf(path);
    stamp += std::to_string(state.changed) + " " + std::to_string(state.size) + " ";
  }
  return stamp;
}

// When the run last said something.
Json updatedOf(const RunPaths& run) {
  const std::int64_t time = std::max(stateOf(run.metrics()).changed, stateOf(run.config()).changed);
  return time ? Json(time) : Json(nullptr);
}

std::string dump(Json data) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  data["now"] = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json listOf(const std::vector<NamedRun>& runs) {
  std::vector<Json> rows;
  std::int64_t updated = 0;
  for (const NamedRun& run : runs) {
    Json row = {{"name", run.name}};
    row.update(runSummary(RunPaths(run.path)));
    row["updated"] = updatedOf(RunPaths(run.path));
    if (row["updated"].is_number()) updated = std::max(updated, row["updated"].get<std::int64_t>());
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["updated"].is_number() && (!b["updated"].is_number() || b["updated"] < a["updated"]);
  });
  return {{"runs", rows}, {"updated", updated ? Json(updated) : Json(nullptr)}};
}

}  // namespace

RunFeed::RunFeed(HttpServer& server, const RunFolders& folders, std::chrono::milliseconds interval)
    : server_(server), folders_(folders), interval_(interval), thread_([this] { watch(); }) {}

RunFeed::~RunFeed() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void RunFeed::want(const std::string& topic) {
  {
    const std::lock_guard lock(mutex_);
    wanted_.insert(topic);
  }
  changed_.notify_one();
}

void RunFeed::watch() {
  std::set<std::string> topics;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, interval_, [&] { return stopping_ || !wanted_.empty(); });
      if (stopping_) return;
      topics = std::move(wanted_);
      wanted_.clear();
    }
    topics.merge(server_.listened());
    for (const std::string& topic : topics) look(topic, watched_[topic]);
  }
}

void RunFeed::look(const std::string& topic, Watched& watched) {
  const auto start = Clock::now();
  if (start < watched.next) return;
  try {
    lookAt(topic, watched);
    watched.failing = false;
    watched.problem.clear();
  } catch (const std::exception& error) {
    // Once may be a file that was replaced at that moment.
    if (watched.failing && watched.problem != error.what()) {
      watched.problem = error.what();
      publish(topic, "problem", dump({{"problem", watched.problem}}));
    }
    watched.failing = true;
    watched.stamp.clear();
  }
  const auto end = Clock::now();
  watched.next = end + std::max<Clock::duration>(interval_ / 2, kRest * (end - start));
}

void RunFeed::lookAt(const std::string& topic, Watched& watched) {
  std::string stamp;
  const std::vector<NamedRun> runs = folders_.list();
  if (topic == kList) {
    for (const NamedRun& run : runs) stamp += run.name + " " + stampOf(RunPaths(run.path));
    if (stamp == watched.stamp && !stamp.empty()) return;
    publish(topic, "runs", dump(listOf(runs)));
  } else {
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const NamedRun& r) { return topicOf(r.name) == topic; });
    if (run == runs.end()) throw Error("the run's folder is gone, or its config.toml");
    const RunPaths paths(run->path);
    stamp = stampOf(paths);
    if (stamp == watched.stamp) return;
    Json report = runReport(paths);
    report["updated"] = updatedOf(paths);
    publish(topic, "report", dump(std::move(report)));
  }
  watched.stamp = std::move(stamp);
}

void RunFeed::publish(const std::string& topic, const char* name, const std::string& data) {
  server_.publish(topic, std::string("event: ") + name + "\ndata: " + data + "\n\n");
}

}  // namespace toguz
