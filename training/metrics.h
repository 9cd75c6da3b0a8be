// metrics.jsonl: what a run measured, one JSON object a line, for plots and later reading.
//
// Each line has "step", which never falls. A line reaches the operating system in one write, so a
// kill leaves at most a half-written last line, which is cut off when the file is next opened. Any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

namespace toguz {

class MetricsLog {
 public:
  // Appends to `path`. When a run goes on from a checkpoint, `resumeStep` is its step: lines past
  // it, which will be written again, are dropped. Throws Error naming the file and the line if a
  // whole line of it is no JSON object with a step, or if it cannot be written.
  explicit MetricsLog(const std::filesystem::path& path,
                      std::optional<std::uint64_t> resumeStep = std::nullopt);
  ~MetricsLog();
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;

  // `fields` is an object; "step" is put first. A step below the last one is a TOGUZ_CHECK.
  // Throws Error if the disk does not take the line.
  void write(std::uint64_t step, const nlohmann::ordered_json& fields);
  // Of the last line; 0 in an empty file.
  std::uint64_t lastStep() const;

 private:
  const std::filesystem::path path_;
  mutable std::mutex mutex_;
  int file_ = -1;
  std::uint64_t lastStep_ = 0;
};

}  // namespace toguz
