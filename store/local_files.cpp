#include "store/local_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "base/file.h"
#include "store/run_store.h"

namespace toguz::local {
namespace {

[[noreturn]] void fail(const char* action, const std::filesystem::path& path, int code) {
  throw StoreUnavailable(std::string("cannot ") + action + " " + path.string() + ": " +
                         std::generic_category().message(code));
}

// ENOTDIR: a part of the path is a file.
bool missing(int code) {
  return code == ENOENT || code == ENOTDIR;
}

}  // namespace

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<FileInfo> infoOf(const std::filesystem::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    if (missing(errno)) return std::nullopt;
    fail("look at", path, errno);
  }
  // A pipe or a device would be read for ever.
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return std::nullopt;
  return FileInfo{
      found.st_ino, static_cast<std::uint64_t>(found.st_size),
      static_cast<double>(found.st_mtim.tv_sec) + static_cast<double>(found.st_mtim.tv_nsec) / 1e9};
}

std::optional<std::string> read(const std::filesystem::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return std::nullopt;
  try {
    return readFile(path);
  } catch (const Error& error) {
    if (!infoOf(path)) return std::nullopt;
    throw StoreUnavailable(error.what());
  }
}

void write(const std::filesystem::path& path, std::string_view bytes) {
  try {
    writeFileAtomically(path, bytes);
  } catch (const Error& error) {
    throw StoreUnavailable(error.what());
  }
}

bool remove(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) == 0) return true;
  if (missing(errno)) return false;
  fail("remove", path, errno);
}

bool rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  if (missing(errno)) return false;
  fail("rename", from, errno);
}

bool touch(const std::filesystem::path& path) {
  if (::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0) return true;
  if (missing(errno)) return false;
  fail("set the time of", path, errno);
}

std::vector<std::string> list(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code))
    names.push_back(at->path().filename().string());
  if (code && !missing(code.value())) fail("list", folder, code.value());
  std::sort(names.begin(), names.end());
  return names;
}

void makeFolder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) fail("make the folder", folder, code.value());
}

}  // namespace toguz::local
