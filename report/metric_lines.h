// The lines of a run's metrics.jsonl as charts want them: checked, in columns over time, thinned.
// Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

// The library's messages quote what they stumbled on, which may be a whole file.
std::string firstWords(std::string_view text);

// Throws Error unless it is a number, or null where that is allowed (unknown or infinite).
void needNumber(const nlohmann::ordered_json& object, const char* key, bool orNull);
// {"opening": {"error": e, "bins": [[count, predicted, actual], ...]}, ...}; throws if it is not.
void checkCalibration(const nlohmann::ordered_json& calibration);

// All whole lines; none if there is no file. Throws Error naming the file and the line that cannot
// be read or lacks what pages calculate with.
std::vector<nlohmann::ordered_json> readMetricLines(const std::filesystem::path& path);

// When a step was reached, in minutes, from the lines of training around it.
class RunClock {
 public:
  explicit RunClock(const std::vector<const nlohmann::ordered_json*>& lines);
  // Null if nobody can tell.
  nlohmann::ordered_json minutes(std::uint64_t step) const;

 private:
  std::map<std::uint64_t, double> times_;
};

struct MetricColumn {
  const char* name;
  const char* pointer;  // JSON pointer within a line of metrics
  double scale = 1;
};

// {"minutes": [...], name: [...], ...}: means of neighbouring lines, about `points` of them; null
// where no line has the figure.
nlohmann::ordered_json columnsOf(const std::vector<const nlohmann::ordered_json*>& lines,
                                 std::span<const MetricColumn> columns, const RunClock& clock,
                                 int points);

}  // namespace toguz
