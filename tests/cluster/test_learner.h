// A learner without a trainer: an Exchange over an archive, a token bucket and somebody who spends
// tokens as fast as he is told to.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "selfplay/published.h"
#include "store/archive.h"
#include "tests/cluster/clock.h"
#include "tests/training/records.h"
#include "training/exchange.h"
#include "training/row.h"
#include "training/token_bucket.h"

namespace toguz::testing {

// Games of a fraction of a second.
inline Config smallConfig() {
  Config config;
  config.game.variant = "bestemshe";
  config.network = {.width = 16, .blocks = 1};
  config.selfplay.games = 4;
  config.selfplay.fullNodes = config.selfplay.fullNodesFinal = 8;
  config.selfplay.cheapNodes = 4;
  config.selfplay.wonNodes = 4;
  config.training.batch = 64;
  config.store.publishSeconds = 0.1;
  return config;
}

inline std::shared_ptr<const Published> smallModel(const Config& config,
                                                   std::uint32_t generation = 0) {
  return publish(randomModel(config.rules(), config.network, 1 + generation), generation,
                 generation * 10ull);
}

class TestLearner {
 public:
  TestLearner(std::unique_ptr<RunStore> store, const Config& config,
              const std::filesystem::path& folder)
      : config_(config),
        rules_(config.rules()),
        identity_((std::filesystem::create_directories(folder), folder), gameConfigHash(config)),
        archive_(folder / "games", rules_),
        bucket_({.reuse = config.replay.reuse,
                 .batch = config.training.batch,
                 .slack = config.replay.reuseSlack,
                 .freeRows = static_cast<std::uint64_t>(config.replay.windowMin)}),
        model_(smallModel(config)),
        exchange_(std::move(store), config_, identity_, run()) {}
  // As if it was killed, unless `end` was called.
  ~TestLearner() { stop(); }

  // Throws what Exchange::open throws.
  void start() {
    exchange_.open(stop_);
    threads_.emplace_back([this] { exchangeGames(); });
    threads_.emplace_back([this] { train(); });
  }
  // Only the exchange's first step, in this thread.
  void open(const std::atomic<bool>& stop) { exchange_.open(stop); }
  void end(bool ended) {
    stop();
    exchange_.close(ended);
  }
  void offer(std::shared_ptr<const Published> model) {
    const std::lock_guard lock(mutex_);
    model_ = std::move(model);
  }
  // 0: training stands still. At the start there is no limit.
  void setUsesPerSecond(double uses) { usesPerSecond_ = uses; }

  const GameArchive& archive() const { return archive_; }
  const std::string& runId() const { return identity_.run(); }
  LearnerReport report() const { return exchange_.report(); }
  std::uint64_t uses() const { return uses_; }
  TokenBucket::State tokens() const { return bucket_.state(); }
  // Of the thread that ended early, if one did.
  std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool said(const std::string& part) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(lines_.begin(), lines_.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  }

 private:
  Exchange::Run run() {
    Exchange::Run run;
    run.wantsGames = [this] { return !bucket_.behind(); };
    run.knows = [this](std::uint64_t id) { return archive_.contains(id); };
    run.add = [this](GameRecord&& game) {
      const std::size_t rows = makeRows(game).size();
      std::vector<GameRecord> one;
      one.push_back(std::move(game));
      archive_.append(std::move(one));
      bucket_.earnNow(rows);
    };
    run.flush = [this] { archive_.flush(); };
    run.playing = [this] {
      const std::lock_guard lock(mutex_);
      return ModelOnOffer{model_->hash, model_->generation, model_->step,
                          [model = model_] { return serializeModel(model->model); }};
    };
    run.progress = [] { return 0.5; };
    run.report = [this] {
      LearnerReport report;
      report.games = archive_.gameCount();
      report.step = uses_ / static_cast<std::uint64_t>(config_.training.batch);
      return report;
    };
    run.seen = [](const StoreStatus&) {};
    run.say = run.warn = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
    return run;
  }

  void exchangeGames() {
    try {
      while (!stop_) exchange_.turn(stop_);
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      failure_ = error.what();
    }
  }

  void train() {
    double allowed = 0, last = secondsNow();
    while (!stop_) {
      const double now = secondsNow(), batch = config_.training.batch;
      allowed = std::min(allowed + (now - last) * usesPerSecond_, 8 * batch);
      last = now;
      if (allowed < batch)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      else if (bucket_.spendWithin(config_.training.batch, std::chrono::milliseconds(50)))
        uses_ += static_cast<std::uint64_t>(config_.training.batch), allowed -= batch;
    }
  }

  void stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  const Config config_;
  const Rules rules_;
  RunIdentity identity_;
  GameArchive archive_;
  TokenBucket bucket_;
  std::atomic<bool> stop_{false};
  std::atomic<double> usesPerSecond_{1e12};
  std::atomic<std::uint64_t> uses_{0};
  mutable std::mutex mutex_;
  std::shared_ptr<const Published> model_;
  std::vector<std::string> lines_;
  std::string failure_;
  Exchange exchange_;
  std::vector<std::thread> threads_;
};

// Every id in the archive, each counted.
inline std::map<std::uint64_t, int> archivedIds(const GameArchive& archive) {
  std::map<std::uint64_t, int> ids;
  archive.read(0, archive.gameCount(), [&](const GameRecord& game) {
    ++ids[game.id];
    return true;
  });
  return ids;
}

}  // namespace toguz::testing
