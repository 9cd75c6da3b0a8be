// Holds the reuse of rows to what was asked for: self-play earns tokens (uses of a row), training
// spends them.
//
// Training waits while there are too few; self-play waits while too many are owed. Both cannot wait
// at once: self-play waits only while the trainer's next batch is covered. All calls from any
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace toguz {

class TokenBucket {
 public:
  struct Setup {
    double reuse = 4.0;              // uses a row earns
    std::int64_t batch = 512;        // the most that one `spend` asks for
    std::int64_t slack = 65536;      // uses owed beyond which `earn` waits
    std::uint64_t freeRows = 20000;  // no waiting in `earn` before so many rows were earned
  };
  // For the checkpoint: taken and put back whole.
  struct State {
    double tokens = 0;
    std::uint64_t rows = 0;
    bool operator==(const State&) const = default;
  };

  explicit TokenBucket(const Setup& setup);

  // Adds the uses of `rows` new rows, then waits while more than the slack is owed. False if the
  // bucket was closed (the uses are counted all the same).
  bool earn(std::uint64_t rows);
  // The same without ever waiting; for runs on one thread.
  void earnNow(std::uint64_t rows);
  // Waits until `uses` (at most Setup::batch) are there and takes them. False, taking nothing, if
  // the bucket was closed.
  bool spend(std::int64_t uses);
  // The same with a limit on the wait; false if it passed.
  bool spendWithin(std::int64_t uses, std::chrono::milliseconds wait);
  bool canSpend(std::int64_t uses) const;
  // More than the slack is owed: `earn` would wait.
  bool behind() const;

  // Ends every wait, now and later. For good.
  void close();

  State state() const;
  void restore(const State& state);
  // Seconds that callers of `earn` have spent waiting, all together.
  double earnWaitSeconds() const;

 private:
  bool owesTooMuch() const;

  const Setup setup_;
  mutable std::mutex mutex_;
  std::condition_variable earned_, spent_;
  State state_;
  double waited_ = 0;
  bool closed_ = false;
};

}  // namespace toguz
