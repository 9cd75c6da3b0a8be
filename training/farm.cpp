#include "training/farm.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"

namespace toguz {
namespace {

using Clock = std::chrono::steady_clock;

// How often a waiting thread looks whether its game is still wanted.
constexpr std::chrono::milliseconds kLook{200};
// For how many patiences nothing is posted once nothing has come back for one.
constexpr int kStall = 10;

}  // namespace

MatchFarm::MatchFarm(std::chrono::milliseconds patience)
    : patience_(patience), prefix_(hex64(randomWorkerId()) + "-") {}

MatchFarm::Orders MatchFarm::takeOrders() {
  const std::lock_guard lock(mutex_);
  Orders orders;
  orders.drop = std::exchange(drop_, false);
  orders.models = models_;
  for (const std::string& id : toPost_) {
    orders.post.push_back({id, waiting_.at(id).content});
    inStore_.insert(id);
  }
  toPost_.clear();
  orders.awaited = !inStore_.empty();
  return orders;
}

void MatchFarm::deliver(std::span<const std::pair<std::string, std::string>> results) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, result] : results) {
      if (!id.starts_with(prefix_)) continue;
      ++results_;
      stalledUntil_ = {};
      inStore_.erase(id);
      const auto waiting = waiting_.find(id);
      if (waiting == waiting_.end()) continue;
      waiting->second.result = result;
      toPost_.erase(id);
    }
  }
  changed_.notify_all();
}

void MatchFarm::setWorkers(int alive) {
  {
    const std::lock_guard lock(mutex_);
    if (workers_ == 0 && alive > 0) stalledUntil_ = {};
    workers_ = std::max(0, alive);
    if (workers_ > 0) return;
  }
  changed_.notify_all();
}

void MatchFarm::storeLost() {
  const std::lock_guard lock(mutex_);
  // It may as well have kept some that nobody waits for any more.
  drop_ = true;
  inStore_.clear();
  for (const auto& [id, waiting] : waiting_)
    if (!waiting.result) toPost_.insert(id);
}

int MatchFarm::roomLocked() const {
  return stalled() ? 0 : std::min(kMostTasks, kTasksPerWorker * std::min(workers_, kMostTasks));
}

int MatchFarm::room() const {
  const std::lock_guard lock(mutex_);
  return roomLocked();
}

void MatchFarm::beginMatch(std::vector<std::shared_ptr<const Published>> models) {
  const std::lock_guard lock(mutex_);
  TOGUZ_CHECK(!inMatch_, "two farmed matches at a time");
  inMatch_ = true;
  models_ = std::move(models);
}

void MatchFarm::endMatch() {
  const std::lock_guard lock(mutex_);
  inMatch_ = false;
  models_.clear();
  waiting_.clear();
  toPost_.clear();
  if (!inStore_.empty()) drop_ = true;
  inStore_.clear();
}

std::optional<std::string> MatchFarm::post(std::string content) {
  const std::lock_guard lock(mutex_);
  TOGUZ_CHECK(inMatch_, "a task of no match");
  if (static_cast<int>(waiting_.size()) >= roomLocked()) return std::nullopt;
  // Stores give out tasks in the order of their ids: the match wants its first games first.
  char number[24];
  std::snprintf(number, sizeof number, "%09llu", static_cast<unsigned long long>(next_++));
  const std::string id = prefix_ + number;
  waiting_.emplace(id, Waiting{std::move(content), Clock::now(), results_, std::nullopt});
  toPost_.insert(id);
  return id;
}

std::optional<std::string> MatchFarm::wait(const std::string& id,
                                           const std::function<bool()>& abandon) {
  std::unique_lock lock(mutex_);
  const auto waiting = waiting_.find(id);
  TOGUZ_CHECK(waiting != waiting_.end(), "a wait for a task that was not posted");
  Waiting& task = waiting->second;
  const auto limit = task.posted + patience_;
  for (bool over = false; !over && !task.result && workers_ > 0 && !stalled();) {
    if (Clock::now() >= limit) {
      if (results_ == task.resultsThen) {
        stalledUntil_ = Clock::now() + kStall * patience_;
        changed_.notify_all();
      }
      break;
    }
    changed_.wait_until(lock, std::min(limit, Clock::now() + kLook));
    if (task.result) break;
    lock.unlock();
    over = abandon();
    lock.lock();
  }
  std::optional<std::string> result = std::move(task.result);
  toPost_.erase(id);
  waiting_.erase(waiting);
  return result;
}

}  // namespace toguz
