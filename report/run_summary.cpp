#include "report/run_summary.h"

#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "training/config.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

// The end of a file, from the beginning of a line; "" if it cannot be read.
std::string lastLines(const std::filesystem::path& path) {
  constexpr std::streamoff kEnough = 1 << 16;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  const std::streamoff from = std::max<std::streamoff>(0, size - kEnough);
  std::string text(static_cast<std::size_t>(size - from), '\0');
  in.seekg(from);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (from > 0) text.erase(0, std::min(text.size(), text.find('\n') + 1));
  return text;
}

// The last whole line of training; null if there is none.
Json lastFigures(const std::filesystem::path& metrics) {
  std::string text = lastLines(metrics);
  for (;;) {
    const std::size_t end = text.rfind('\n');
    if (end == std::string::npos) return nullptr;
    text.resize(end);
    const std::size_t begin = text.rfind('\n') + 1;  // 0 if there is none
    Json line =
        Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), nullptr, false);
    if (line.is_object() && line.value("kind", Json()) == "train") return line;
  }
}

Json numberOf(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_number() ? object[key]
                                                                               : Json(nullptr);
}

// Of the last fit of all, as the page of the run has it; null if there is none.
Json newestRating(const std::filesystem::path& path) {
  try {
    const Json rating = Json::parse(readFile(path));
    const Json& curve = rating.at("curve");
    if (curve.empty()) return nullptr;
    const auto generation = curve.back().at("generation").get<std::uint32_t>();
    for (const Json& player : rating.at("players"))
      if (player.at("name") == "generation " + std::to_string(generation)) return player;
  } catch (const std::exception&) {
  }
  return nullptr;
}

}  // namespace

Json runSummary(const RunPaths& run) {
  Json summary = {{"variant", nullptr}, {"minutes", nullptr}};
  try {
    summary["variant"] = loadConfig(run.config()).game.variant;
  } catch (const Error&) {
  }
  const Json figures = lastFigures(run.metrics());
  const Json seconds = numberOf(figures, "elapsed");
  if (!seconds.is_null()) summary["minutes"] = seconds.get<double>() / 60;
  for (const char* key : {"games", "generation"}) summary[key] = numberOf(figures, key);
  const Json newest = newestRating(run.rating());
  summary["elo"] = numberOf(newest, "elo");
  summary["elo_error"] = numberOf(newest, "error");
  return summary;
}

}  // namespace toguz
