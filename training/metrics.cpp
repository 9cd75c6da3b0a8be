#include "training/metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

struct Kept {
  std::string text;  // whole lines
  std::uint64_t lastStep = 0;
};

Kept keepWholeLines(const std::filesystem::path& path, std::optional<std::uint64_t> resumeStep) {
  Kept kept;
  const std::string text = readFile(path);
  std::size_t line = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    ++line;
    const auto json =
        nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                              text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    const bool good =
        json.is_object() && json.contains("step") && json["step"].is_number_unsigned();
    if (!good)
      throw Error(path.string() + ":" + std::to_string(line) +
                  ": no JSON object with a step; take the line out or move the file away");
    const auto step = json["step"].get<std::uint64_t>();
    if (resumeStep && step > *resumeStep) break;
    kept.text.append(text, begin, end + 1 - begin);
    kept.lastStep = std::max(kept.lastStep, step);
  }
  if (kept.text.size() != text.size()) writeFileAtomically(path, kept.text);
  return kept;
}

}  // namespace

MetricsLog::MetricsLog(const std::filesystem::path& path, std::optional<std::uint64_t> resumeStep)
    : path_(path) {
  if (std::filesystem::exists(path)) lastStep_ = keepWholeLines(path, resumeStep).lastStep;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw Error("cannot write " + path.string() + ": " + std::generic_category().message(errno));
}

MetricsLog::~MetricsLog() {
  if (file_ >= 0) ::close(file_);
}

void MetricsLog::write(std::uint64_t step, const nlohmann::ordered_json& fields) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  object["step"] = step;
  object.update(fields);
  object["step"] = step;
  // A text that is no UTF-8 (a path, say) must not end the run.
  const std::string line =
      object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';

  const std::lock_guard lock(mutex_);
  TOGUZ_CHECK(step >= lastStep_, "metrics of a step before the last one");
  ssize_t written;
  do written = ::write(file_, line.data(), line.size());
  while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(line.size()))
    throw Error("cannot write " + path_.string() + ": " +
                (written < 0 ? std::generic_category().message(errno) : "the disk is full"));
  lastStep_ = step;
}

std::uint64_t MetricsLog::lastStep() const {
  const std::lock_guard lock(mutex_);
  return lastStep_;
}

}  // namespace toguz
