// A self-play worker: one thread stepping many games, one leaf a game, one batch an evaluation. The
// only shared state it touches between two batches is a counter or two; the network is looked up
// when a game starts and kept until that game ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "selfplay/game.h"

namespace toguz {

// Makes evaluators of one network for a thread that asks. Thread-safe.
class NetworkHandle {
 public:
  virtual ~NetworkHandle() = default;
  virtual std::uint32_t generation() const = 0;
  virtual Sha256 modelHash() const { return {}; }  // of the model file; zeros if it has none
  // Names weights and arithmetic for an EvaluationCache; never 0.
  virtual std::uint64_t cacheKey() const = 0;
  virtual std::unique_ptr<Evaluator> makeEvaluator() const = 0;
};

// Where workers find the network to play with. `publish` may be called while they run.
class NetworkSlot {
 public:
  void publish(std::shared_ptr<const NetworkHandle> network);
  std::shared_ptr<const NetworkHandle> get() const;
  // Changes with every publication; cheap to poll.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const NetworkHandle> network_;
  std::atomic<std::uint64_t> version_{0};
};

struct WorkerCounters {
  std::atomic<std::uint64_t> simulations{0};  // walks, those that ended in finished positions too
  std::atomic<std::uint64_t> evaluations{0};  // by the network; the cache's answers are not in
  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> games{0};
  std::atomic<std::uint64_t> moves{0};
};

struct WorkerSetup {
  Rules rules;
  int plyCap = Game::kDefaultPlyCap;
  SelfPlayConfig config;
  std::uint64_t runSeed = 1;
  std::uint64_t worker = 0;
  std::uint64_t configHash = 0;  // for GameOrigin
  const NetworkSlot* networks = nullptr;
  // The next game's id, or nothing when no more are wanted. Thread-safe.
  std::function<std::optional<std::uint64_t>()> nextGame;
  // Takes a finished game; may block to hold the worker back, but not past `stop`. Thread-safe.
  std::function<void(GameRecord&&)> deliver;
  std::function<double()> progress = [] { return 0.0; };  // of the run, [0, 1]
  const std::atomic<bool>* stop = nullptr;
  WorkerCounters* counters = nullptr;
};

// Plays until `stop` is set (unfinished games are dropped) or `nextGame` has no more (they are
// finished first). A game's content depends only on (runSeed, id, networks, this worker's earlier
// games through forks), not on timing.
void runWorker(const WorkerSetup& setup);

}  // namespace toguz
