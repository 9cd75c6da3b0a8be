#include "store/run_store.h"

#include <random>

#include "base/text.h"
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

std::unique_ptr<RunStore> openStore(const std::string& address) {
  if (address.empty())
    throw UsageError("an empty store address; name a run folder or a redis:// address");
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) {
    constexpr std::string_view kFile = "file:";
    return std::make_unique<LocalStore>(address.starts_with(kFile) ? address.substr(kFile.size())
                                                                   : address);
  }
  const std::string name = address.substr(0, scheme);
  if (name == "redis" || name == "rediss")
    return std::make_unique<RedisStore>(parseRedisAddress(address));
  if (name == "file") return std::make_unique<LocalStore>(address.substr(scheme + 3));
  const std::vector<std::string> known = {"redis", "rediss", "file"};
  throw UsageError("a store at '" + name + "://' is not known; did you mean '" +
                   nearest(name, known) +
                   "://'? (redis://HOST:PORT/RUN, rediss://..., or a run folder)");
}

}  // namespace toguz
