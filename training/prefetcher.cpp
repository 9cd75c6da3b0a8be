#include "training/prefetcher.h"

#include "base/error.h"

namespace toguz {

BatchPrefetcher::BatchPrefetcher(const ReplayBuffer& buffer, std::size_t batchRows,
                                 std::uint64_t seed, std::uint64_t firstBatch, std::size_t depth)
    : buffer_(buffer), batchRows_(batchRows), seed_(seed), depth_(depth) {
  TOGUZ_CHECK(batchRows >= 1 && depth >= 1, "a prefetcher of nothing");
  TOGUZ_CHECK(buffer.ready(), "prefetching from a window that is not filled");
  thread_ = std::thread([this, firstBatch] { run(firstBatch); });
}

BatchPrefetcher::~BatchPrefetcher() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BatchPrefetcher::next(std::vector<TrainingRow>& rows) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !ready_.empty(); });
  if (!rows.empty()) spare_.push_back(std::move(rows));
  rows = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
}

void BatchPrefetcher::run(std::uint64_t batch) {
  for (;; ++batch) {
    std::vector<TrainingRow> rows;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || ready_.size() < depth_; });
      if (stop_) return;
      if (!spare_.empty()) {
        rows = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    rows.resize(batchRows_);
    buffer_.sample(rows, seed_, batch);
    {
      const std::lock_guard lock(mutex_);
      ready_.push_back(std::move(rows));
    }
    changed_.notify_all();
  }
}

}  // namespace toguz
