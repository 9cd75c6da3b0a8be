#include "training/token_bucket.h"

#include <algorithm>

#include "base/error.h"

namespace toguz {

TokenBucket::TokenBucket(const Setup& setup) : setup_(setup) {
  TOGUZ_CHECK(setup.reuse > 0 && setup.batch >= 1 && setup.slack >= 0, "a bucket that cannot flow");
}

// With a batch in hand the trainer is not waiting, whatever the slack: no deadlock.
bool TokenBucket::owesTooMuch() const {
  return state_.rows >= setup_.freeRows &&
         state_.tokens > static_cast<double>(std::max(setup_.slack, setup_.batch));
}

bool TokenBucket::earn(std::uint64_t rows) {
  std::unique_lock lock(mutex_);
  state_.tokens += setup_.reuse * static_cast<double>(rows);
  state_.rows += rows;
  earned_.notify_all();
  if (owesTooMuch() && !closed_) {
    const auto begin = std::chrono::steady_clock::now();
    spent_.wait(lock, [&] { return closed_ || !owesTooMuch(); });
    waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return !closed_;
}

void TokenBucket::earnNow(std::uint64_t rows) {
  const std::lock_guard lock(mutex_);
  state_.tokens += setup_.reuse * static_cast<double>(rows);
  state_.rows += rows;
  earned_.notify_all();
}

bool TokenBucket::spend(std::int64_t uses) {
  TOGUZ_CHECK(uses >= 0 && uses <= setup_.batch,
              "more uses at once than the bucket was set up for");
  std::unique_lock lock(mutex_);
  earned_.wait(lock, [&] { return closed_ || state_.tokens >= static_cast<double>(uses); });
  if (closed_) return false;
  state_.tokens -= static_cast<double>(uses);
  spent_.notify_all();
  return true;
}

bool TokenBucket::spendWithin(std::int64_t uses, std::chrono::milliseconds wait) {
  TOGUZ_CHECK(uses >= 0 && uses <= setup_.batch,
              "more uses at once than the bucket was set up for");
  std::unique_lock lock(mutex_);
  const bool there = earned_.wait_for(
      lock, wait, [&] { return closed_ || state_.tokens >= static_cast<double>(uses); });
  if (!there || closed_) return false;
  state_.tokens -= static_cast<double>(uses);
  spent_.notify_all();
  return true;
}

bool TokenBucket::canSpend(std::int64_t uses) const {
  const std::lock_guard lock(mutex_);
  return !closed_ && state_.tokens >= static_cast<double>(uses);
}

bool TokenBucket::behind() const {
  const std::lock_guard lock(mutex_);
  return owesTooMuch();
}

void TokenBucket::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  earned_.notify_all();
  spent_.notify_all();
}

TokenBucket::State TokenBucket::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void TokenBucket::restore(const State& state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  earned_.notify_all();
  spent_.notify_all();
}

double TokenBucket::earnWaitSeconds() const {
  const std::lock_guard lock(mutex_);
  return waited_;
}

}  // namespace toguz
