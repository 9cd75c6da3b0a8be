#include "training/reporter.h"

#include <spdlog/sinks/basic_file_sink.h>

#include <algorithm>
#include <cstdio>

namespace toguz {
namespace {

spdlog::level::level_enum levelOf(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return spdlog::level::debug;
    case LogLevel::Info:
      return spdlog::level::info;
    case LogLevel::Warn:
      return spdlog::level::warn;
    case LogLevel::Error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

Reporter::Reporter(const std::filesystem::path& log, LogLevel level,
                   const std::filesystem::path& metrics, const std::filesystem::path& events,
                   std::uint64_t resumeStep)
    : metrics_(metrics, resumeStep),
      events_(events),
      progress_(Progress::onStandardError()),
      step_(std::max(resumeStep, metrics_.lastStep())) {
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(log.string());
  log_ = std::make_shared<spdlog::logger>("run", sink);
  log_->set_level(levelOf(level));
  log_->flush_on(spdlog::level::info);
}

Reporter::~Reporter() {
  flush();
}

void Reporter::add(spdlog::level::level_enum level, const std::string& line) {
  log_->log(level, line);
  if (!log_->should_log(level)) return;
  const std::lock_guard lock(lineMutex_);
  lines_.emplace_back(level, line);
}

void Reporter::metric(nlohmann::ordered_json fields) {
  const std::lock_guard lock(metricMutex_);
  const std::uint64_t step = std::max(step_.load(std::memory_order_relaxed), metrics_.lastStep());
  metrics_.write(step, fields);
  // Tags begin with what kind of line it is.
  const std::string kind = fields.value("kind", "run");
  events_.write(step, {{kind, std::move(fields)}});
}

void Reporter::flush() {
  std::vector<std::pair<spdlog::level::level_enum, std::string>> lines;
  {
    const std::lock_guard lock(lineMutex_);
    lines.swap(lines_);
  }
  if (lines.empty()) return;
  progress_.finish();
  for (const auto& [level, line] : lines)
    std::fprintf(stderr, "%s%s\n", level >= spdlog::level::warn ? "warning: " : "", line.c_str());
}

void Reporter::progress(double elapsedSeconds, double share, const Progress::Fields& fields) {
  progress_.update(elapsedSeconds, share, fields);
}

void Reporter::endProgress() {
  progress_.finish();
}

}  // namespace toguz
