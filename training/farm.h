// Games of matches played by the run's workers: where the judge, which wants games, meets the
// exchange, which owns the store. The judge's threads post tasks and wait; the exchange's thread
// takes what is to be done in the store and brings the results. Nobody waits for long: with no
// worker alive, or when a task does not come back, the game is played by the judge itself, with the
// same result.
//
// Any thread may call anything; all state is under one lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/published.h"
#include "store/run_store.h"

namespace toguz {

class MatchFarm {
 public:
  // A task that has not come back within `patience` is given up.
  explicit MatchFarm(std::chrono::milliseconds patience = std::chrono::seconds(60));
  MatchFarm(const MatchFarm&) = delete;
  MatchFarm& operator=(const MatchFarm&) = delete;

  // ---- The exchange.
  // To be done in the store, in this order.
  struct Orders {
    bool drop = false;                                     // every task there
    std::vector<std::shared_ptr<const Published>> models;  // to be kept there; of all tasks
    std::vector<Task> post;
    bool awaited = false;  // results may come
  };
  Orders takeOrders();
  // As RunStore::taskResults gives them; those that nobody waits for are passed over.
  void deliver(std::span<const std::pair<std::string, std::string>> results);
  // Workers alive now. With none all tasks are given up, so 0 is also to be said when the store is
  // out of reach and when the exchange ends.
  void setWorkers(int alive);
  // The store has forgotten its tasks, or failed before orders were carried out: they are given
  // again.
  void storeLost();

  // ---- The judge; one match at a time, as dropping tasks drops all.
  // Tasks for each worker at a time: one to play, one at hand.
  static constexpr int kTasksPerWorker = 2;
  static constexpr int kMostTasks = 64;
  // How many tasks there may be at a time now, [0, kMostTasks].
  int room() const;
  void beginMatch(std::vector<std::shared_ptr<const Published>> models);
  void endMatch();
  // The task's id; nothing if there is no room for it.
  std::optional<std::string> post(std::string content);
  // The result of a posted task; nothing if it is given up or `abandon`, asked now and then, says
  // so.
  std::optional<std::string> wait(const std::string& id, const std::function<bool()>& abandon);

 private:
  struct Waiting {
    std::string content;
    std::chrono::steady_clock::time_point posted;
    std::uint64_t resultsThen = 0;
    std::optional<std::string> result;
  };
  bool stalled() const { return std::chrono::steady_clock::now() < stalledUntil_; }
  int roomLocked() const;

  const std::chrono::milliseconds patience_;
  const std::string prefix_;  // of task ids
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int workers_ = 0;
  bool inMatch_ = false;
  // A task was given up and nothing at all had come back meanwhile: no more are posted until then,
  // unless something does come back or workers return.
  std::chrono::steady_clock::time_point stalledUntil_{};
  // What an earlier learner left in the store is dropped first of all.
  bool drop_ = true;
  std::uint64_t next_ = 1, results_ = 0;
  std::vector<std::shared_ptr<const Published>> models_;
  std::map<std::string, Waiting> waiting_;
  std::set<std::string> toPost_;   // of `waiting_`
  std::set<std::string> inStore_;  // ordered and not answered, waited for or not
};

}  // namespace toguz
