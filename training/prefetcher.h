// Assembles the trainer's next batches on a thread of its own, so that the trainer never waits for
// scattered reads of a large buffer.
//
// Batches come out in order from `firstBatch` on, each as ReplayBuffer::sample makes it from the
// window at the time it is assembled: up to `depth` batches ahead of their use. A deterministic run
// must not prefetch. `next` belongs to one thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "training/replay.h"

namespace toguz {

class BatchPrefetcher {
 public:
  // The buffer must outlive the prefetcher and must be ready().
  BatchPrefetcher(const ReplayBuffer& buffer, std::size_t batchRows, std::uint64_t seed,
                  std::uint64_t firstBatch, std::size_t depth = 2);
  ~BatchPrefetcher();
  BatchPrefetcher(const BatchPrefetcher&) = delete;
  BatchPrefetcher& operator=(const BatchPrefetcher&) = delete;

  // Swaps the next batch into `rows` (whose memory is used again).
  void next(std::vector<TrainingRow>& rows);

 private:
  void run(std::uint64_t batch);

  const ReplayBuffer& buffer_;
  const std::size_t batchRows_;
  const std::uint64_t seed_;
  const std::size_t depth_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<TrainingRow>> ready_;
  std::vector<std::vector<TrainingRow>> spare_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace toguz
