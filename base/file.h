// Whole files, read and written safely. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toguz {

// Replaces `path` by `bytes` so that, whenever the process or the machine stops, the path holds
// either the old content or the new in full: a temporary file ("NAME.PID.K.tmp") in the same folder
// is written, flushed to the disk and renamed, and the folder is flushed. Throws Error naming the
// file and the system's reason; the old file is then untouched and the temporary one removed. A
// symbolic link is followed; a device or a pipe is written to as it is.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// For what takes long before it writes: throws UsageError, naming the option, if `path` could not
// be written. Nothing is wrong with an empty path.
void checkWritable(const std::string& option, const std::filesystem::path& path);

// Files of one command, by the names of their options; empty paths are left out. Throws UsageError
// if two are the same file, or would be.
void checkDifferentFiles(const std::vector<std::pair<std::string, std::filesystem::path>>& files);

// The whole content. Throws Error naming the file and the system's reason.
std::string readFile(const std::filesystem::path& path);

}  // namespace toguz
