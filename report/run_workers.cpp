#include "report/run_workers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "store/report_json.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

constexpr MetricColumn kColumns[] = {
    {"alive", "/workers_alive"},
    {"games", "/games_per_minute"},
    {"simulations", "/simulations_per_second"},
    {"backlog", "/backlog_bytes", 1e-6},
    {"lag", "/lag_seconds"},
    {"oldest", "/oldest_seconds"},
};

// A host says its own name, and may say anything.
constexpr std::size_t kMostOfAName = 64;

std::vector<WorkerSeen> readWorkers(const std::filesystem::path& path) {
  std::vector<WorkerSeen> workers;
  try {
    const Json file = Json::parse(readFile(path));
    const Json& list = file.at("workers");
    if (!list.is_array()) throw Error("workers are no list");
    for (const Json& worker : list)
      workers.push_back({workerReportFrom(worker.dump()), worker.at("seconds_ago").get<double>()});
  } catch (const std::exception& error) {
    throw Error(path.filename().string() + ": no list of workers (" + firstWords(error.what()) +
                "); the learner writes it anew while workers play for the run");
  }
  // By place, so that a row stays where somebody is reading it.
  std::sort(workers.begin(), workers.end(), [](const WorkerSeen& a, const WorkerSeen& b) {
    return std::tie(a.report.host, a.report.id) < std::tie(b.report.host, b.report.id);
  });
  return workers;
}

Json rowOf(const WorkerSeen& worker) {
  const WorkerReport& r = worker.report;
  std::string host = r.host.substr(0, kMostOfAName);
  if (host.size() < r.host.size()) host += "...";
  return {{"host", std::move(host)},
          {"id", hex64(r.id)},
          {"threads", r.threads},
          {"games", r.games},
          {"games_per_minute", r.gamesPerMinute},
          {"simulations_per_second", r.simulationsPerSecond},
          {"generation", r.generation},
          {"spooled_games", r.spooledGames},
          {"seconds_ago", worker.secondsAgo}};
}

}  // namespace

Json workersReport(const RunPaths& run, const std::vector<Json>& lines, const RunClock& clock,
                   int points) {
  std::vector<const Json*> own;
  for (const Json& line : lines)
    if (line["kind"] == "workers") own.push_back(&line);
  const bool listed = std::filesystem::exists(run.workers());
  if (own.empty() && !listed) return nullptr;

  Json report;
  report["over"] = columnsOf(own, kColumns, clock, points);
  report["rejected"] = Json::array();
  if (!own.empty()) {
    const Json& last = *own.back();
    for (const char* key :
         {"workers_alive", "games_per_minute", "simulations_per_second", "backlog_batches", "tasks",
          "remote_games", "duplicates", "match_games"})
      report["last"][key] = last.contains(key) && last[key].is_number() ? last[key] : Json(nullptr);
    if (last.contains("rejected"))
      for (const auto& [reason, count] : last["rejected"].items())
        report["rejected"].push_back({reason, count});
  }
  report["list"] = Json::array();
  report["models"] = Json::array();
  if (!listed) return report;
  try {
    std::map<std::uint32_t, int, std::greater<>> models;
    for (const WorkerSeen& worker : readWorkers(run.workers())) {
      ++models[worker.report.generation];
      report["list"].push_back(rowOf(worker));
    }
    for (const auto& [generation, workers] : models)
      report["models"].push_back({generation, workers});
  } catch (const Error& error) {
    report["problem"] = error.what();
  }
  return report;
}

}  // namespace toguz
