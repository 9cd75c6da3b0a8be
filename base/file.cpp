#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace toguz {
namespace {

[[noreturn]] void fail(const char* action, const std::filesystem::path& path, int code) {
  throw Error(std::string("cannot ") + action + " " + path.string() + ": " +
              std::generic_category().message(code));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

// 0, or the errno of the call that failed.
int writeAndFlush(Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) return errno;
  return file.close() == 0 ? 0 : errno;
}

}  // namespace

void checkWritable(const std::string& option, const std::filesystem::path& path) {
  if (path.empty()) return;
  std::error_code ignored;
  const std::string what = option + " " + path.string() + ": ";
  if (std::filesystem::is_directory(path, ignored))
    throw UsageError(what + "is a folder; name a file");
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    return;  // a device
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (::access(folder.c_str(), W_OK) != 0)
    throw UsageError(what + "the folder does not exist or cannot be written to");
}

void writeFileAtomically(const std::filesystem::path& named, std::string_view bytes) {
  static std::atomic<unsigned> serial{0};
  // A link stays a link, and a device or a pipe (/dev/stdout) is written to, never replaced.
  std::error_code ignored;
  std::filesystem::path path = named;
  // One link after the other: what the last names need not exist yet.
  for (int links = 0; links < 40 && std::filesystem::is_symlink(path, ignored); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
  const auto kind = std::filesystem::status(named, ignored).type();
  if (kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo ||
      kind == std::filesystem::file_type::block || kind == std::filesystem::file_type::socket) {
    Descriptor device(::open(named.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) fail("write", named, errno);
    // Devices cannot be flushed.
    if (const int code = writeAndFlush(device, bytes); code != 0 && code != EINVAL && code != EROFS)
      fail("write", named, code);
    return;
  }
  std::filesystem::path temporary = path;
  temporary += '.';
  temporary += std::to_string(::getpid());
  temporary += '.';
  temporary += std::to_string(serial++);
  temporary += ".tmp";

  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("write", path, errno);
  int code = writeAndFlush(file, bytes);
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, code);
  }

  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot flush a folder and say EINVAL; the rename itself has been made.
  if (directory.get() >= 0 && ::fsync(directory.get()) != 0 && errno != EINVAL)
    fail("flush the folder of", path, errno);
}

std::string readFile(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail("read", path, errno);

  std::string bytes(info.st_size > 0 ? static_cast<std::size_t>(info.st_size) : 0, '\0');
  std::size_t size = 0;
  for (;;) {
    // One byte of room past the end tells the end of the file from a file that has grown.
    if (size == bytes.size()) bytes.resize(size + (size == 0 ? 4096 : size / 8 + 1));
    const ssize_t got = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

void checkDifferentFiles(const std::vector<std::pair<std::string, std::filesystem::path>>& files) {
  const auto same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    if (std::filesystem::equivalent(a, b, ignored)) {
      // What is no plain file, as a terminal, may be written to twice.
      return !std::filesystem::exists(a, ignored) || std::filesystem::is_regular_file(a, ignored);
    }
    const auto whole = [&](const std::filesystem::path& path) {
      auto found = std::filesystem::weakly_canonical(std::filesystem::absolute(path), ignored);
      return ignored ? path : found;
    };
    return whole(a) == whole(b) &&
           (!std::filesystem::exists(a, ignored) || std::filesystem::is_regular_file(a, ignored));
  };
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = i + 1; k < files.size(); ++k)
      if (!files[i].second.empty() && !files[k].second.empty() &&
          same(files[i].second, files[k].second))
        throw UsageError(files[i].first + " and " + files[k].first + " are the same file, " +
                         files[k].second.string() + ": give one of them another name");
}

}  // namespace toguz
