#include "training/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace toguz {
namespace {

constexpr const char* kLockName = "lock";

// The descriptor that holds the lock. The kernel lets go of it when the process ends, however it
// ends, so a lock file left behind by a kill bars nobody.
int takeLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kLockName;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    throw Error("cannot write to the run folder " + folder.string() + ": " +
                std::generic_category().message(errno));
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    char holder[32] = {};
    const ssize_t size = ::read(file, holder, sizeof holder - 1);
    ::close(file);
    std::string who(holder, size > 0 ? static_cast<std::size_t>(size) : 0);
    while (!who.empty() && who.back() == '\n') who.pop_back();
    throw Error("the run folder " + folder.string() + " is in use by process " +
                (who.empty() ? "?" : who) + "; end that process first, or choose another folder");
  }
  const std::string self = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file, 0) != 0 ||
      ::pwrite(file, self.data(), self.size(), 0) != static_cast<ssize_t>(self.size())) {
    const int code = errno;
    ::close(file);
    throw Error("cannot write to the run folder " + folder.string() + ": " +
                std::generic_category().message(code));
  }
  return file;
}

void makeFolders(const std::filesystem::path& path) {
  std::error_code code;
  for (const char* name : {"", "games", "checkpoints", "models"}) {
    std::filesystem::create_directories(path / name, code);
    if (code)
      throw Error("cannot make the folder " + (path / name).string() + ": " + code.message());
  }
}

// A run whose process was killed before it had begun: without a configuration, without a game.
// Whoever starts it again, a person or a supervisor, need not know.
void removeUnborn(const std::filesystem::path& path) {
  static const std::set<std::string> made = {
      "games",   "checkpoints",   "models",      "store",       "identity.json", "published.jsonl",
      "log.txt", "metrics.jsonl", "tensorboard", "config.toml", kLockName};
  if (std::filesystem::exists(path / "config.toml") ||
      !std::filesystem::exists(path / "identity.json"))
    return;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (!made.contains(entry.path().filename().string())) return;
  if (!std::filesystem::is_empty(path / "games", code) && !code) return;
  for (const std::string& name : made)
    if (name != kLockName) std::filesystem::remove_all(path / name, code);
}

bool holdsAnything(const std::filesystem::path& path) {
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (entry.path().filename() != kLockName) return true;
  return false;
}

}  // namespace

RunDirectory RunDirectory::create(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::exists(path, code) && !std::filesystem::is_directory(path, code))
    throw UsageError(path.string() + " is a file; choose another run folder");
  std::filesystem::create_directories(path, code);
  if (code) throw Error("cannot make the run folder " + path.string() + ": " + code.message());
  RunDirectory run(path, takeLock(path));
  removeUnborn(path);
  if (holdsAnything(path)) {
    if (std::filesystem::exists(run.config()))
      throw UsageError("there is a run in " + path.string() +
                       " already; go on with it by --resume, or choose another --run folder");
    throw UsageError(path.string() + " is not empty and holds no run; choose another --run folder");
  }
  makeFolders(path);
  return run;
}

RunDirectory RunDirectory::resume(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "config.toml"))
    throw UsageError("there is no run in " + path.string() +
                     " to resume (no config.toml); leave --resume out to start one");
  RunDirectory run(path, takeLock(path));
  makeFolders(path);
  return run;
}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

RunDirectory::RunDirectory(RunDirectory&& other) noexcept
    : RunPaths(std::move(other)), lock_(std::exchange(other.lock_, -1)) {}

std::filesystem::path RunPaths::model(std::uint32_t generation) const {
  char name[32];
  std::snprintf(name, sizeof name, "g%06u.tzn", generation);
  return models() / name;
}

}  // namespace toguz
