// Waiting between two talks with a store. How long before trying again: doubling from a quarter of
// a second to fifteen, each wait drawn from the upper half of that, so that hundreds of workers do
// not come back at once. One thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/rng.h"

namespace toguz {

class Backoff {
 public:
  explicit Backoff(std::uint64_t seed) : rng_(seed) {}
  void reset() { tries_ = 0; }
  std::chrono::milliseconds next() {
    const double most = std::min(15.0, 0.25 * static_cast<double>(std::uint64_t{1} << tries_));
    tries_ = std::min(tries_ + 1, 10);
    return std::chrono::milliseconds(static_cast<int>(1000 * most * (0.5 + 0.5 * rng_.uniform())));
  }

 private:
  Rng rng_;
  int tries_ = 0;
};

// Sleeps so long, or until shortly after `stop` is set.
inline void sleepUnless(const std::atomic<bool>& stop, std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kLook{50};
  const auto end = std::chrono::steady_clock::now() + time;
  while (!stop && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::min(time, kLook));
}

}  // namespace toguz
