// A worker within the test, of the program's own sender and store but with games made up: it keeps
// the id of every game that the learner has confirmed, which is what must then be in its archive.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster/game_sender.h"
#include "models/model.h"
#include "store/redis_store.h"
#include "tests/cluster/clock.h"
#include "tests/training/records.h"

namespace toguz::testing {

// A lawful game of that id, the same each time.
inline GameRecord madeUpGame(std::uint64_t id, const Rules& rules, const GameOrigin& origin) {
  GameRecord game = randomRecord(id, rules);
  game.origin = origin;
  return game;
}

// One thread.
class MadeUpWorker {
 public:
  MadeUpWorker(std::unique_ptr<RunStore> store, std::size_t spoolGames = 1024,
               std::chrono::milliseconds batchTime = std::chrono::milliseconds(200))
      : store_(std::move(store)), spoolGames_(spoolGames), batchTime_(batchTime) {}

  // What is to be played for; false if there is nothing yet. Throws as the store does.
  bool join() {
    const auto run = store_->description();
    if (!run || !lookAtHead()) return false;
    run_ = *run;
    rules_ = Rules::named(run->variant);
    startAnew();
    return true;
  }
  bool joined() const { return sender_.has_value(); }

  // As a process that was killed and another started: what was not confirmed is nobody's.
  void startAnew() {
    count();
    id_ = randomWorkerId();
    next_ = firstGameId(id_);
    firstIds_.insert(next_);
    waiting_.clear();
    counted_ = 0;
    sender_.emplace(GameSender::Options{.run = run_.id,
                                        .worker = id_,
                                        .spoolGames = spoolGames_ + 1,
                                        .batchGames = 16,
                                        .batchTime = batchTime_});
  }

  // Finishes a game, or none while the spool is full. `prototype`: its moves, to save their making.
  bool play(const GameRecord* prototype = nullptr) {
    if (sender_->spooledGames() >= spoolGames_) return false;
    GameOrigin origin{head_.model, run_.configHash, kRulesVersion};
    GameRecord game = prototype ? *prototype : madeUpGame(next_, rules_, origin);
    game.id = next_++;
    game.origin = origin;
    waiting_.push_back(game.id);
    sender_->deliver(std::move(game));
    return true;
  }

  // Throws as the store does.
  GameSender::Sent send(bool everything) {
    try {
      const auto sent = sender_->send(*store_, everything);
      if (sent == GameSender::Sent::NoRun) sender_->resend();
      count();
      return sent;
    } catch (const StoreUnavailable&) {
      sender_->resend();
      throw;
    }
  }
  // Takes up the newest model: fetched, verified and whole, or it is a fault. False if there is
  // none.
  bool follow() {
    const auto before = models_.size();
    if (!lookAtHead()) return false;
    if (!models_.insert(hexText(head_.model)).second) return true;
    const auto bytes = store_->model(head_.model);
    if (!bytes)
      faults_.push_back("the head names a model that is not there: " + hexText(head_.model));
    else if (!(parseModel(*bytes, "the model").rules == rules_))
      faults_.push_back("a model of another game");
    return models_.size() > before;
  }
  void report() {
    WorkerReport report;
    report.id = id_;
    report.host = "test";
    report.threads = 1;
    report.generation = head_.generation;
    report.model = head_.model;
    store_->report(report);
  }
  void leave() { store_->leave(id_); }

  std::uint64_t unconfirmed() const { return waiting_.size(); }
  const std::set<std::uint64_t>& confirmed() const { return confirmed_; }
  // The first game's of each that it has been.
  const std::set<std::uint64_t>& firstIds() const { return firstIds_; }
  std::size_t models() const { return models_.size(); }
  const std::vector<std::string>& faults() const { return faults_; }
  RunStore& store() { return *store_; }

 private:
  bool lookAtHead() {
    const auto head = store_->head();
    if (!head) return false;
    head_ = *head;
    return true;
  }
  // The games go and are confirmed in the order in which they were finished.
  void count() {
    if (!sender_) return;
    for (; counted_ < sender_->confirmedGames(); ++counted_) {
      confirmed_.insert(waiting_.front());
      waiting_.pop_front();
    }
  }

  std::unique_ptr<RunStore> store_;
  const std::size_t spoolGames_;
  const std::chrono::milliseconds batchTime_;
  RunDescription run_;
  Rules rules_;
  Head head_;
  WorkerId id_ = 0;
  std::uint64_t next_ = 0, counted_ = 0;
  std::optional<GameSender> sender_;
  std::deque<std::uint64_t> waiting_;
  std::set<std::uint64_t> confirmed_, firstIds_;
  std::set<std::string> models_;
  std::vector<std::string> faults_;
};

}  // namespace toguz::testing
