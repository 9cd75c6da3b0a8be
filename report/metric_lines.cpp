#include "report/metric_lines.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

// A value that may be missing (an older run) or null (JSON has no infinity).
Json valueAt(const Json& line, const char* pointer) {
  const Json::json_pointer at(pointer);
  return line.contains(at) && line.at(at).is_number() ? line.at(at) : Json(nullptr);
}

// Throws if a line is not what the rest relies on.
void checkLine(const Json& line) {
  const std::string kind = line.at("kind").get<std::string>();
  if (!line.at("step").is_number_unsigned()) throw Error("step is no whole number");
  if (kind == "train") {
    needNumber(line, "elapsed", false);
    if (line.contains("calibration")) checkCalibration(line["calibration"]);
  }
  if (kind == "gate") {
    for (const char* key : {"games", "wins", "draws", "losses", "score"})
      needNumber(line, key, false);
    for (const char* key : {"candidate", "best", "elo", "elo_error"})
      if (line.contains(key)) needNumber(line, key, true);
    if (line.contains("verdict") && !line["verdict"].is_string()) throw Error("verdict is no text");
  }
  if (kind == "workers" && line.contains("rejected")) {
    if (!line["rejected"].is_object()) throw Error("rejected is no list of reasons");
    for (const auto& [reason, count] : line["rejected"].items())
      if (!count.is_number()) throw Error("rejected is not numbers");
  }
}

}  // namespace

std::string firstWords(std::string_view text) {
  constexpr std::size_t kMost = 100;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

void needNumber(const Json& object, const char* key, bool orNull) {
  const Json& value = object.at(key);
  if (!value.is_number() && !(orNull && value.is_null()))
    throw Error(std::string(key) + " is no number");
}

void checkCalibration(const Json& calibration) {
  for (const auto& [phase, of] : calibration.items()) {
    needNumber(of, "error", false);
    if (!of.at("bins").is_array()) throw Error("bins are no list");
    for (const Json& bin : of.at("bins")) {
      if (!bin.is_array() || bin.size() != 3) throw Error("a bin is not three numbers");
      for (const Json& value : bin)
        if (!value.is_number()) throw Error("a bin is not three numbers");
    }
  }
}

std::vector<Json> readMetricLines(const std::filesystem::path& path) {
  std::vector<Json> lines;
  if (!std::filesystem::exists(path)) return lines;
  const std::string text = readFile(path);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // still being written
    ++number;
    try {
      lines.push_back(Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                  text.begin() + static_cast<std::ptrdiff_t>(end)));
      checkLine(lines.back());
    } catch (const std::exception& error) {
      throw Error(path.string() + ":" + std::to_string(number) + ": not a line of metrics (" +
                  firstWords(error.what()) + "); take that line out to read the rest");
    }
    at = end + 1;
  }
  return lines;
}

RunClock::RunClock(const std::vector<const Json*>& lines) {
  for (const Json* line : lines)
    if (line->contains("step") && line->contains("elapsed"))
      times_[(*line)["step"].get<std::uint64_t>()] = (*line)["elapsed"].get<double>() / 60;
}

Json RunClock::minutes(std::uint64_t step) const {
  const auto after = times_.lower_bound(step);
  if (times_.empty()) return nullptr;
  if (after == times_.end()) return std::prev(after)->second;
  if (after == times_.begin() || after->first == step) return after->second;
  const auto before = std::prev(after);
  const double share =
      static_cast<double>(step - before->first) / static_cast<double>(after->first - before->first);
  return before->second + share * (after->second - before->second);
}

Json columnsOf(const std::vector<const Json*>& lines, std::span<const MetricColumn> columns,
               const RunClock& clock, int points) {
  Json out;
  out["minutes"] = Json::array();
  const auto most = static_cast<std::size_t>(std::max(1, points));
  const std::size_t group = std::max<std::size_t>(1, (lines.size() + most - 1) / most);
  for (std::size_t at = 0; at < lines.size(); at += group) {
    const std::size_t end = std::min(lines.size(), at + group);
    const Json elapsed = valueAt(*lines[end - 1], "/elapsed");
    out["minutes"].push_back(elapsed.is_null()
                                 ? clock.minutes((*lines[end - 1])["step"].get<std::uint64_t>())
                                 : Json(elapsed.get<double>() / 60));
    for (const MetricColumn& column : columns) {
      double sum = 0;
      int count = 0;
      for (std::size_t i = at; i < end; ++i) {
        const Json value = valueAt(*lines[i], column.pointer);
        if (value.is_null()) continue;
        sum += value.get<double>();
        ++count;
      }
      out[column.name].push_back(count ? Json(column.scale * sum / count) : Json(nullptr));
    }
  }
  return out;
}

}  // namespace toguz
