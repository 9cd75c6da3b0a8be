// Waiting and seeds, for tests of what goes on in other threads and processes.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

namespace toguz::testing {

inline double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Whether it came true within that many seconds. Machines that test are slow at times: what is
// awaited should be given a minute.
template <class Condition>
bool within(double seconds, const Condition& condition) {
  const double until = secondsNow() + seconds;
  while (!condition()) {
    if (secondsNow() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// Another one each time, unless TOGUZ_TEST_SEED says which; printed, to repeat what failed.
inline std::uint64_t testSeed() {
  const char* given = std::getenv("TOGUZ_TEST_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::printf("seed: TOGUZ_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

}  // namespace toguz::testing
