// What a run tells people and programs, from any of its threads: lines for people (standard error
// and log.txt) and metrics (metrics.jsonl and, for TensorBoard, an event file a sitting). Lines
// wait until the main thread shows them, so that they never tear the progress line.
#pragma once

#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/progress.h"
#include "training/config.h"
#include "training/event_file.h"
#include "training/metrics.h"

namespace toguz {

class Reporter {
 public:
  Reporter(const std::filesystem::path& log, LogLevel level, const std::filesystem::path& metrics,
           const std::filesystem::path& events, std::uint64_t resumeStep);
  ~Reporter();

  // Any thread.
  void say(const std::string& line) { add(spdlog::level::info, line); }
  void warn(const std::string& line) { add(spdlog::level::warn, line); }
  // One line of metrics at the run's present step, with the elapsed time put in.
  void metric(nlohmann::ordered_json fields);

  // The run's place, for `metric`. Any thread.
  void setStep(std::uint64_t step) { step_.store(step, std::memory_order_relaxed); }

  // Main thread: shows the lines that wait, then the progress line.
  void flush();
  void progress(double elapsedSeconds, double share, const Progress::Fields& fields);
  void endProgress();

 private:
  void add(spdlog::level::level_enum level, const std::string& line);

  std::shared_ptr<spdlog::logger> log_;
  MetricsLog metrics_;
  EventFile events_;
  Progress progress_;
  std::atomic<std::uint64_t> step_;
  std::mutex metricMutex_, lineMutex_;
  std::vector<std::pair<spdlog::level::level_enum, std::string>> lines_;
};

}  // namespace toguz
