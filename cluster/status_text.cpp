#include "cluster/status_text.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/progress.h"

namespace toguz {
namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string megabytes(std::uint64_t bytes) {
  return format("%.1f MB", static_cast<double>(bytes) / 1e6);
}

std::string learnerText(const StoreStatus& status) {
  if (!status.learner) return "learner    none has reported\n";
  const LearnerReport& learner = *status.learner;
  const bool alive = status.learnerSecondsAgo <= kAliveSeconds;
  std::string text = format("learner    %s, process %lld, step %s, ", learner.host.c_str(),
                            static_cast<long long>(learner.process),
                            countText(static_cast<double>(learner.step)).c_str());
  text += alive ? format("heard of %.0f s ago\n", status.learnerSecondsAgo)
                : "NOT HEARD OF for " + durationText(status.learnerSecondsAgo) +
                      ": workers play on until their spools or the store are full\n";
  text +=
      format("archived   %s games, %s from workers in this sitting, %s a minute; %s came twice\n",
             countText(static_cast<double>(learner.games)).c_str(),
             countText(static_cast<double>(learner.remoteGames)).c_str(),
             countText(learner.gamesPerMinute).c_str(),
             countText(static_cast<double>(learner.duplicates)).c_str());
  text += format("lag        %.1f s from a worker to the archive\n", learner.lagSeconds);
  std::string rejected;
  for (const auto& [reason, count] : learner.rejected)
    rejected +=
        (rejected.empty() ? "" : ", ") + countText(static_cast<double>(count)) + " " + reason;
  text += "refused    " + (rejected.empty() ? "no records" : rejected) + "\n";
  return text;
}

std::string workersText(const StoreStatus& status) {
  double games = 0, simulations = 0;
  std::map<std::uint32_t, int> generations;
  int threads = 0;
  for (const WorkerSeen& worker : status.workers) {
    games += worker.report.gamesPerMinute;
    simulations += worker.report.simulationsPerSecond;
    threads += worker.report.threads;
    ++generations[worker.report.generation];
  }
  std::string text = format(
      "workers    %zu alive, %d threads, %s games a minute, %s simulations a second\n",
      status.workers.size(), threads, countText(games).c_str(), countText(simulations).c_str());
  if (status.workers.empty()) return text;
  text += "models     ";
  bool first = true;
  for (auto g = generations.rbegin(); g != generations.rend(); ++g, first = false)
    text += format("%sgeneration %u: %d", first ? "" : ", ", g->first, g->second);
  text +=
      "\n\n  worker            host                 threads    games  games/min    sims/s  "
      "generation  waiting  seen\n";
  std::vector<WorkerSeen> workers = status.workers;
  std::sort(workers.begin(), workers.end(), [](const WorkerSeen& a, const WorkerSeen& b) {
    return a.report.gamesPerMinute > b.report.gamesPerMinute;
  });
  for (const WorkerSeen& worker : workers) {
    const WorkerReport& r = worker.report;
    text += format("  %-16s  %-20.20s %7d %8s %10s %9s %11u %8s  %.0f s\n", hex64(r.id).c_str(),
                   r.host.c_str(), r.threads, countText(static_cast<double>(r.games)).c_str(),
                   countText(r.gamesPerMinute).c_str(), countText(r.simulationsPerSecond).c_str(),
                   r.generation, countText(static_cast<double>(r.spooledGames)).c_str(),
                   worker.secondsAgo);
  }
  return text;
}

}  // namespace

std::string statusText(const StoreStatus& status, const std::string& name) {
  if (!status.run) return name + ": no run here yet\n";
  std::string text = "run        " + name + ", " + status.run->variant;
  if (status.head) {
    text += format(", generation %u, %.0f%% of its budget", status.head->generation,
                   100 * status.head->progress);
    if (status.head->ended) text += ", ended";
  }
  text += "\n" + learnerText(status);
  text += format("backlog    %llu batches, %s of %s, the oldest %.0f s old\n",
                 static_cast<unsigned long long>(status.backlogBatches),
                 megabytes(status.backlogBytes).c_str(),
                 megabytes(status.run->backlogBytes).c_str(), status.oldestSeconds);
  if (status.tasks > 0)
    text +=
        format("matches    %llu games to play\n", static_cast<unsigned long long>(status.tasks));
  if (status.memoryBytes > 0) text += "memory     " + megabytes(status.memoryBytes) + " in Redis\n";
  return text + workersText(status);
}

}  // namespace toguz
