#include "training/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace toguz {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Counters, step, rows, games, nextGameId, generation,
                                   elapsedSeconds, gateSeconds, ratingSeconds, tokens, tokenRows,
                                   random, extra)

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "MANIFEST";
constexpr const char* kCounters = "counters.json";
constexpr const char* kSaving = ".saving-";
constexpr const char* kRemoving = ".removing-";
constexpr std::string_view kTitle = "toguz checkpoint 1";

void flush(const fs::path& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  int code = file < 0 ? errno : 0;
  if (file >= 0 && ::fsync(file) != 0) code = errno;
  if (file >= 0) ::close(file);
  if (code != 0)
    throw Error("cannot flush " + path.string() + ": " + std::generic_category().message(code));
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    TOGUZ_CHECK(entry.is_regular_file(), "a checkpoint holds files only");
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// One line a file, "SIZE HASH NAME", between the title and a line "end HASH" over what is before.
std::string manifestOf(const fs::path& folder) {
  std::string text(kTitle);
  text += '\n';
  for (const fs::path& file : filesIn(folder)) {
    const std::string bytes = readFile(file);
    text += std::to_string(bytes.size()) + ' ' + hash128Hex(bytes) + ' ' +
            file.filename().string() + '\n';
  }
  return text + "end " + hash128Hex(text) + '\n';
}

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw Error(file.string() + " " + what);
}

std::string readPart(const fs::path& file) {
  if (!fs::exists(file)) fail(file, "is missing");
  return readFile(file);
}

void verify(const fs::path& folder) {
  const fs::path manifest = folder / kManifest;
  const std::string text = readPart(manifest);
  const std::size_t end = text.rfind("end ");
  if (end == std::string::npos ||
      text.substr(end) != "end " + hash128Hex(text.substr(0, end)) + '\n')
    fail(manifest, "is cut short or was altered");
  const std::vector<std::string> lines = split(std::string_view(text).substr(0, end), '\n');
  if (lines.front() != kTitle) fail(manifest, "is of a version that this program does not read");
  bool counters = false;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const std::size_t first = lines[i].find(' '), second = lines[i].find(' ', first + 1);
    std::int64_t size = 0;
    if (second == std::string::npos || !parseInt(lines[i].substr(0, first), size))
      fail(manifest, "has a line that is no entry");
    const fs::path file = folder / lines[i].substr(second + 1);
    const std::string bytes = readPart(file);
    if (bytes.size() != static_cast<std::size_t>(size))
      fail(file,
           "has " + std::to_string(bytes.size()) + " bytes instead of " + std::to_string(size));
    if (hash128Hex(bytes) != lines[i].substr(first + 1, second - first - 1))
      fail(file, "does not match its checksum (it was altered)");
    counters = counters || file.filename() == kCounters;
  }
  if (!counters) fail(manifest, "does not list the counters");
}

// Out of sight by one rename before the files go, so that a kill never leaves half of a checkpoint.
void removeCheckpoint(const fs::path& path) {
  const fs::path hidden = path.parent_path() / (kRemoving + path.filename().string());
  std::error_code code;
  fs::remove_all(hidden, code);
  fs::rename(path, hidden, code);
  if (!code) fs::remove_all(hidden, code);
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder, int keep, int keepEach)
    : folder_(std::move(folder)), keep_(keep), keepEach_(keepEach) {
  TOGUZ_CHECK(keep >= 1 && keepEach >= 0, "a folder that keeps no checkpoint");
  try {
    fs::create_directories(folder_);
    std::vector<fs::path> stale;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(kSaving) || name.starts_with(kRemoving)) stale.push_back(entry.path());
    }
    for (const fs::path& path : stale) fs::remove_all(path);
  } catch (const fs::filesystem_error& error) {
    throw Error("cannot open the checkpoints in " + folder_.string() + ": " +
                error.code().message());
  }
}

Checkpoint CheckpointFolder::save(const Counters& counters,
                                  const std::function<void(const fs::path&)>& writeState) {
  const std::vector<std::uint64_t> known = numbers();
  const std::uint64_t number = known.empty() ? 1 : known.back() + 1;
  const fs::path target = path(number);
  const fs::path saving = folder_ / (kSaving + target.filename().string());
  try {
    fs::remove_all(saving);
    fs::create_directory(saving);
    writeState(saving);
    writeFileAtomically(saving / kCounters, nlohmann::json(counters).dump(1) + '\n');
    for (const fs::path& file : filesIn(saving)) flush(file, O_RDONLY);
    writeFileAtomically(saving / kManifest, manifestOf(saving));
    flush(saving, O_RDONLY | O_DIRECTORY);
    fs::rename(saving, target);
    flush(folder_, O_RDONLY | O_DIRECTORY);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(saving, ignored);
    throw Error("cannot save the checkpoint " + target.string() + ": " + error.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(saving, ignored);
    throw;
  }
  prune();
  return {target, counters};
}

Checkpoint CheckpointFolder::load(const fs::path& folder) {
  verify(folder);
  Checkpoint checkpoint{folder, {}};
  const fs::path file = folder / kCounters;
  try {
    nlohmann::json::parse(readFile(file)).get_to(checkpoint.counters);
  } catch (const nlohmann::json::exception& error) {
    fail(file, std::string("cannot be read: ") + error.what());
  }
  return checkpoint;
}

std::optional<Checkpoint> CheckpointFolder::newest(std::vector<std::string>* skipped) const {
  std::vector<std::uint64_t> known = numbers();
  for (; !known.empty(); known.pop_back()) {
    try {
      return load(path(known.back()));
    } catch (const Error& error) {
      if (skipped) skipped->push_back(error.what());
    }
  }
  return std::nullopt;
}

std::vector<std::uint64_t> CheckpointFolder::numbers() const {
  std::vector<std::uint64_t> out;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    std::int64_t number = 0;
    if (entry.is_directory() && parseInt(name, number) && number >= 0 &&
        path(static_cast<std::uint64_t>(number)).filename() == name)
      out.push_back(static_cast<std::uint64_t>(number));
  }
  std::sort(out.begin(), out.end());
  return out;
}

fs::path CheckpointFolder::path(std::uint64_t number) const {
  char name[32];
  std::snprintf(name, sizeof name, "%08llu", static_cast<unsigned long long>(number));
  return folder_ / name;
}

// A damaged checkpoint must not push out a sound one: only sound ones count towards those kept. The
// newest was just written and counts unread.
void CheckpointFolder::prune() const {
  std::vector<std::uint64_t> known = numbers();
  known.pop_back();
  for (int sound = 1; !known.empty(); known.pop_back()) {
    const fs::path candidate = path(known.back());
    if (sound >= keep_) {
      const bool kept = keepEach_ > 0 && known.back() % static_cast<std::uint64_t>(keepEach_) == 0;
      if (!kept) removeCheckpoint(candidate);
      continue;
    }
    try {
      verify(candidate);
      ++sound;
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace toguz
