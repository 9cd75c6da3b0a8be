// The files of a local store: what is missing is an answer, whatever else fails is StoreUnavailable
// naming the path and the system's reason. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toguz::local {

struct FileInfo {
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  double changed = 0;  // seconds since 1970
  bool operator==(const FileInfo&) const = default;
};

double now();  // seconds since 1970
std::optional<FileInfo> infoOf(const std::filesystem::path& path);
std::optional<std::string> read(const std::filesystem::path& path);
void write(const std::filesystem::path& path, std::string_view bytes);
// False if it was not there.
bool remove(const std::filesystem::path& path);
// False if `from` is not there (any more).
bool rename(const std::filesystem::path& from, const std::filesystem::path& to);
// Sets the time of the last change to now; false if it is not there.
bool touch(const std::filesystem::path& path);
// The names in a folder, sorted; of a folder that is not there, none.
std::vector<std::string> list(const std::filesystem::path& folder);
void makeFolder(const std::filesystem::path& folder);

}  // namespace toguz::local
