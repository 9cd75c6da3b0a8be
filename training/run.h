// The state of a training run and its steps, without a notion of threads: the loop (loop.cpp) calls
// these from its threads as the comments say.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "selfplay/published.h"
#include "store/archive.h"
#include "training/checkpoint.h"
#include "training/config.h"
#include "training/farm.h"
#include "training/game_statistics.h"
#include "training/judge.h"
#include "training/loop.h"
#include "training/prefetcher.h"
#include "training/replay.h"
#include "training/reporter.h"
#include "training/run_directory.h"
#include "training/run_identity.h"
#include "training/token_bucket.h"
#include "training/trainer.h"

namespace toguz {

class TrainingRun {
 public:
  // Makes or resumes the run: after this it stands where its last checkpoint and games left it.
  TrainingRun(const TrainOptions& options, const std::atomic<bool>& stop);

  const Config& config() const { return config_; }
  Reporter& reporter() { return reporter_; }
  Judge& judge() { return judge_; }
  TokenBucket& bucket() { return bucket_; }
  const RunDirectory& directory() const { return directory_; }

  // Time. Any thread.
  double elapsed() const;   // seconds of the budget, earlier sittings included
  double progress() const;  // share of the budget that is spent, [0, 1]
  bool budgetSpent() const;

  // Self-play. The setup of one worker; its `nextGame` hands out ids that no other worker has.
  WorkerSetup workerSetup(std::uint32_t worker, std::uint32_t workers,
                          const std::atomic<bool>& stop);
  const WorkerCounters& counters() const { return counters_; }
  // Takes a finished game: store, rows, tokens. Any thread. With `mayWait` it waits while training
  // is behind.
  void deliver(GameRecord&& game, bool mayWait);

  // Training. One thread.
  bool readyToTrain() const { return replay_.ready(); }
  // One step on the next batch, its tokens being spent already; publishes when it is time.
  void trainStep();
  void checkpoint();
  // Measures the held-out rows and writes a line of metrics.
  void writeTrainMetrics();

  // Any thread.
  std::uint64_t step() const { return step_.load(std::memory_order_relaxed); }
  std::uint64_t gamesAdded() const { return gamesAdded_.load(std::memory_order_relaxed); }
  std::shared_ptr<const Published> newest() const;
  // The averaged weights of this moment, steps since the last publication included; not handed to
  // self-play. Training thread, or when it has ended.
  std::shared_ptr<const Published> candidate();
  void followBest();  // hands the gate's best to self-play, if the configuration says so
  Progress::Fields progressFields();
  void flushGames() { archive_.flush(); }

  // For the exchange with other processes; on its thread.
  bool wantsGames() const { return !bucket_.behind(); }
  bool knowsGame(std::uint64_t id) const { return archive_.contains(id); }
  std::shared_ptr<const Published> playing() const;  // what self-play should play with
  RunIdentity& identity() { return identity_; }
  MatchFarm& farm() { return farm_; }

  // One round of lock-step running: games, then the steps they pay for. One thread for all.
  void playRound(const std::atomic<bool>& stop);

 private:
  static RunDirectory openDirectory(const TrainOptions& options);
  void start();
  void restore(const Checkpoint& checkpoint);
  std::shared_ptr<const Published> makePublished();
  void handToSelfPlay(std::shared_ptr<const Published> published);
  void publishNewest();
  Counters counterState() const;

  Config config_;
  const Rules rules_;
  const std::uint64_t configHash_;
  const std::optional<std::uint64_t> stopAfter_;
  RunDirectory directory_;
  RunIdentity identity_;
  CheckpointFolder checkpoints_;
  std::optional<Checkpoint> resumedFrom_;
  Reporter reporter_;
  GameArchive archive_;
  ReplayBuffer replay_;
  TokenBucket bucket_;
  MatchFarm farm_;
  Judge judge_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<BatchPrefetcher> prefetcher_;  // not in deterministic runs
  std::vector<TrainingRow> batch_;

  NetworkSlot networks_;
  WorkerCounters counters_;
  std::uint64_t session_ = 0;     // sittings so far: part of game ids
  std::uint64_t nextGameId_ = 0;  // of lock-step runs
  std::atomic<std::uint64_t> step_{0}, gamesAdded_{0};
  std::uint64_t lastPublishedStep_ = 0;
  std::uint32_t nextGeneration_ = 0;  // numbers are never used again, whatever was lost
  double elapsedBefore_ = 0;
  std::chrono::steady_clock::time_point started_;

  mutable std::mutex deliverMutex_;  // order of games in the archive and of their rows
  mutable std::mutex stateMutex_;    // what follows
  std::shared_ptr<const Published> newest_, playing_;
  StepLosses losses_;  // smoothed
  // Of the games since the last line of metrics.
  GameStatistics stats_;  // since the last metrics
  double metricsAt_ = 0, rateAt_ = 0, simulationRate_ = 0;
  std::uint64_t metricsSimulations_ = 0, rateSimulations_ = 0;
};

}  // namespace toguz
