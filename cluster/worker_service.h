// A process that plays for a run it knows by its store alone (`toguz selfplay`): gets the run's
// configuration and the newest model by hash, plays, appends finished games, follows new models.
// It has no state to lose: whatever the store does it goes on, within a bounded spool, and may be
// killed at any moment for the price of its unfinished games.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "selfplay/published.h"
#include "store/run_store.h"

namespace toguz {

struct WorkerServiceOptions {
  std::string store;  // openStore
  int threads = 0;    // 0: one a core
  std::size_t spoolGames = 16384;
  bool farm = true;  // also plays games of matches
  std::string device = "cpu";
  // Makes what the threads search with.
  std::function<std::shared_ptr<const NetworkHandle>(std::shared_ptr<const Published>,
                                                     const SelfPlayConfig&)>
      makeHandle;
  // One line for people; any thread.
  std::function<void(const std::string&)> say;
  bool progress = true;  // a line that goes on, on standard error
};

struct WorkerServiceResult {
  bool runEnded = false;  // rather than stopped
  bool settingsChanged = false;
  std::uint64_t games = 0;
  std::uint64_t lostGames = 0;  // finished, but the store took them not in time
};

// Plays until the run has ended or `stop` is set; then hands in what is finished, within ten
// seconds. Waits for as long as the store is away or holds no run. Throws Error for what no waiting
// mends: a wrong password at the start, a run of other rules or a later configuration, another run
// in the place of the one it played for.
WorkerServiceResult runWorkerService(const WorkerServiceOptions& options,
                                     const std::atomic<bool>& stop);

}  // namespace toguz
