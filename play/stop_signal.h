// Tells a running search to stop. Any thread may request it; the searching thread looks, or sleeps
// until it comes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace toguz {

class StopSignal {
 public:
  void request() {
    {
      std::lock_guard lock(mutex_);
      requested_.store(true, std::memory_order_relaxed);
    }
    changed_.notify_all();
  }
  // Before the next search; no search may be using the signal.
  void reset() {
    std::lock_guard lock(mutex_);
    requested_.store(false, std::memory_order_relaxed);
  }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return requested(); });
  }

 private:
  std::atomic<bool> requested_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace toguz
