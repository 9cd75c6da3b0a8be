#include "analysis/exercise_search.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace toguz {

void ExerciseSearch::run(const char* stage, std::size_t count, int nodes, const GameOf& gameOf,
                         const Take& take) {
  constexpr std::size_t kAhead = 2000;  // queries that wait in memory
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t done = 0;
  const auto waitUntilDone = [&](std::size_t wanted) {
    std::unique_lock lock(mutex);
    while (done < wanted) {
      changed.wait_for(lock, std::chrono::milliseconds(500));
      if (!progress_) continue;
      const std::size_t now = done;
      lock.unlock();
      progress_(stage, now, count);
      lock.lock();
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    waitUntilDone(i < kAhead ? 0 : i - kAhead);
    analyst_.submit(gameOf(i), {.nodes = nodes}, [&, i](Analyst::Ticket, Analysis&& analysis) {
      const std::lock_guard lock(mutex);
      take(i, analysis);
      ++done;
      changed.notify_all();
    });
  }
  waitUntilDone(count);
  analyst_.finish();  // until the last answer has let go of the lock
}

}  // namespace toguz
