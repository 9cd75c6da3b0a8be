#include "store/run_store.h"

#include <filesystem>
#include <random>

#include "store/local_store.h"
#include "store/redis_store.h"

namespace toguz {

WorkerId randomWorkerId() {
  std::random_device device;  // not seeded: two machines must never draw the same sequence
  for (;;) {
    const std::uint64_t bits = std::uint64_t{device()} << 32 | device();
    if (const WorkerId id = bits >> 25) return id;
  }
}

namespace {

constexpr const char* kForms =
    " (redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN, rediss://..., or a run folder)";

// "HOST:PORT/RUN" or "redis:...": an address in which the scheme was forgotten or misspelt.
bool looksLikeServer(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.find('/') < colon || std::filesystem::exists(text))
    return false;
  const std::size_t digits = text.find_first_not_of("0123456789", colon + 1);
  const bool port = digits != colon + 1 && (digits == std::string::npos || text[digits] == '/');
  return port || text.starts_with("redis");
}

std::unique_ptr<RunStore> openFolder(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::exists(path, code) && !std::filesystem::is_directory(path, code))
    throw UsageError("the store " + path.string() + " is a file, not a run folder" + kForms);
  return std::make_unique<LocalStore>(path);
}

}  // namespace

std::unique_ptr<RunStore> openStore(const std::string& address) {
  if (address.empty()) throw UsageError(std::string("an empty store address") + kForms);
  const std::size_t scheme = address.find("://");
  constexpr std::string_view kFile = "file:";
  if (scheme == std::string::npos) {
    if (address.starts_with(kFile)) return openFolder(address.substr(kFile.size()));
    if (looksLikeServer(address))
      throw UsageError("the store '" + address.substr(0, address.find(':')) +
                       ":...' is no folder; a Redis server is written redis://HOST:PORT/RUN");
    return openFolder(address);
  }
  const std::string name = address.substr(0, scheme);
  if (name == "redis" || name == "rediss")
    return std::make_unique<RedisStore>(parseRedisAddress(address));
  if (name == "file") return openFolder(address.substr(scheme + 3));
  throw UsageError("a store at '" + name + "://' is not known" +
                   (name.starts_with("re") ? "; did you mean 'redis://'?" : "") + kForms);
}

}  // namespace toguz
