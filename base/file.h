// Whole files, read and written safely. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace toguz {

// Replaces `path` by `bytes` so that, whenever the process or the machine stops, the path holds
// either the old content or the new in full: a temporary file ("NAME.PID.K.tmp") in the same folder
// is written, flushed to the disk and renamed, and the folder is flushed. Throws Error naming the
// file and the system's reason; the old file is then untouched and the temporary one removed.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// The whole content. Throws Error naming the file and the system's reason.
std::string readFile(const std::filesystem::path& path);

}  // namespace toguz
