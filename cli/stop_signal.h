// SIGINT and SIGTERM as a flag, for commands that end in good order when they are told to. A second
// one ends the process as it is, which is safe: every file is complete at every moment.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdlib>

namespace toguz {

inline std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

inline void catchStopSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (stopRequested.exchange(true)) std::_Exit(130);
  };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace toguz
