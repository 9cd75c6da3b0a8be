// Real processes of a run, killed at random moments: what the learner confirmed is archived, once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "store/archive.h"
#include "tests/cluster/confirmed_games.h"
#include "tests/cluster/process.h"
#include "tests/store/redis_server.h"
#include "training/checkpoint.h"

namespace toguz::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kWorkers = 2;
constexpr double kPatience = 90;  // seconds for what takes a second or two on an idle machine

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : rng_(seed), run_(folder_ / "run") {}

  // Everything up, and games and models on their way.
  void begin() {
    startLearner();
    RedisStore store(redis_.address());
    ASSERT_TRUE(within(kPatience, [&] { return store.head().has_value(); })) << outputs();
    for (auto& worker : workers_) startWorker(worker);
    source_ = std::thread([this, seed = rng_()] { playMadeUp(seed); });
    ASSERT_TRUE(within(kPatience, [&] {
      return confirmed_ > 0 && !store.status().workers.empty();
    })) << outputs();
  }

  // `kills` times, at moments that far apart.
  void rage(int kills, double shortest, double longest) {
    std::vector<int> victims = {0, 1, 2};
    for (int kill = 0; kill < kills; ++kill) {
      if (kill % 3 == 0) std::shuffle(victims.begin(), victims.end(), rng_);
      std::this_thread::sleep_for(
          std::chrono::duration<double>(shortest + (longest - shortest) * rng_.uniform()));
      ASSERT_TRUE(learner_->running()) << "the learner ended by itself: " << outputs();
      for (auto& worker : workers_)
        ASSERT_TRUE(worker->running()) << "a worker ended by itself: " << outputs();
      switch (victims[static_cast<std::size_t>(kill % 3)]) {
        case 0: {
          auto& worker = workers_[rng_.below(kWorkers)];
          worker->kill();
          startWorker(worker);
          break;
        }
        case 1:
          learner_->kill();
          noteProgress();
          startLearner();
          break;
        default:
          redis_.kill();
          std::this_thread::sleep_for(std::chrono::milliseconds(rng_.below(500)));
          redis_.start();
      }
    }
  }

  // Quiet: everybody stays up, nothing new is made. All that is on its way must arrive, by itself.
  void calmDown() {
    producing_ = false;
    const std::uint64_t models = models_;
    ASSERT_TRUE(within(kPatience, [&] { return models_ > models; }))
        << "no new model came: " << outputs();
    ASSERT_TRUE(within(kPatience, [&] { return unconfirmed_ == 0; }))
        << unconfirmed_ << " games were never confirmed: " << outputs();
    done_ = true;
    source_.join();
    EXPECT_THAT(faults_, IsEmpty());

    for (auto& worker : workers_) worker->terminate();
    for (auto& worker : workers_) EXPECT_EQ(worker->wait(60s), 0) << outputs();
    RedisStore store(redis_.address());
    EXPECT_TRUE(within(kPatience, [&] { return store.status().backlogBatches == 0; }))
        << store.status().backlogBatches << " batches are left: " << outputs();
    EXPECT_EQ(redis_.ask({"XPENDING", "toguz:{run}:games", "learner"}).items.at(0).integer, 0);
    // Reported anew every few seconds.
    EXPECT_TRUE(within(kPatience, [&] { return store.status().learnerSecondsAgo <= 5; }));
    const auto status = store.status();
    ASSERT_TRUE(status.learner);
    EXPECT_THAT(status.learner->rejected, IsEmpty());

    learner_->terminate();
    EXPECT_EQ(learner_->wait(60s), 0) << outputs();
    noteProgress();
  }

  // What the run has kept.
  void examine() {
    const GameArchive archive(run_ / "games", Rules(kBestemshe));  // verifies every file
    std::map<std::uint64_t, int> times;
    std::uint64_t others = 0;
    archive.read(0, archive.gameCount(), [&](const GameRecord& game) {
      ++times[game.id];
      if (confirmedIds_.contains(game.id)) {
        GameRecord sent = madeUpGame(game.id, Rules(kBestemshe), game.origin);
        EXPECT_TRUE(sameRecord(game, sent)) << "another game under id " << game.id;
      } else if (!madeUpWorkers_.contains(game.id & ~(kGameIdsPerWorker - 1))) {
        ++others;
      }
      return true;
    });
    EXPECT_EQ(times.size(), archive.gameCount()) << "an id is there twice";
    std::uint64_t lost = 0;
    for (const std::uint64_t id : confirmedIds_) lost += !times.contains(id);
    EXPECT_EQ(lost, 0u) << "of " << confirmedIds_.size() << " confirmed games";
    EXPECT_GT(confirmedIds_.size(), 20u);
    EXPECT_GT(others, 0u) << "no game of the program's own workers";
    EXPECT_GT(steps_, 0u);

    // A worker that met half a model, or a learner that met anything strange, would have said so.
    const std::string said = outputs();
    for (const char* fault :
         {"refused a record", "damaged", "checksum", "has lost the run", "error:"})
      EXPECT_THAT(said, Not(HasSubstr(fault)));
    std::printf("%llu games archived, %zu of them confirmed to the test; %llu models, %llu steps\n",
                static_cast<unsigned long long>(archive.gameCount()), confirmedIds_.size(),
                static_cast<unsigned long long>(models_.load()),
                static_cast<unsigned long long>(steps_));
  }

  void stopSource() {
    done_ = true;
    if (source_.joinable()) source_.join();
  }
  ~Chaos() { stopSource(); }

 private:
  void startLearner() {
    std::vector<std::string> words = {"train",   "--run",         run_.string(),
                                      "--store", redis_.url(),    "--workers",
                                      "0",       "--final-games", "0"};
    if (learner_) {
      words.push_back("--resume");
    } else {
      for (const char* setting : {"game.variant=bestemshe",
                                  "run.minutes=0",
                                  "run.checkpoint_seconds=1",
                                  "network.width=16",
                                  "network.blocks=1",
                                  "selfplay.games=8",
                                  "selfplay.full_nodes=96",
                                  "selfplay.full_nodes_final=96",
                                  "selfplay.cheap_nodes=48",
                                  "selfplay.won_nodes=48",
                                  "replay.window_min=300",
                                  "replay.reuse=1",
                                  "training.batch=64",
                                  "training.warmup_steps=5",
                                  "training.publish_steps=10",
                                  "gate.nodes=8",
                                  "gate.pairs_max=4",
                                  "gate.every_seconds=1",
                                  "rating.share=0",
                                  "store.publish_seconds=0.3",
                                  "store.flush_seconds=0.5",
                                  "store.chunk_games=256"})
        words.insert(words.end(), {"--set", setting});
    }
    learner_ = std::make_unique<ToguzProcess>(folder_ / "learner.txt", words);
  }
  void startWorker(std::unique_ptr<ToguzProcess>& worker) {
    worker.reset(new ToguzProcess(folder_ / "workers.txt",
                                  {"selfplay", "--store", redis_.url(), "--workers", "1"}));
  }

  void noteProgress() {
    std::vector<std::string> skipped;
    const auto checkpoint = CheckpointFolder(run_ / "checkpoints").newest(&skipped);
    ASSERT_TRUE(checkpoint);
    EXPECT_THAT(skipped, IsEmpty());
    EXPECT_GE(checkpoint->counters.step, steps_);
    steps_ = checkpoint->counters.step;
  }

  // The in-test worker, on its own thread: it is "killed" too, and follows the models.
  void playMadeUp(std::uint64_t seed) {
    Rng rng(seed);
    MadeUpWorker worker(std::make_unique<RedisStore>(redis_.address()));
    while (!done_) {
      try {
        if (!worker.joined() && !worker.join()) continue;
        if (producing_ && rng.chance(0.02)) worker.startAnew();
        for (int game = 0; producing_ && game < 5; ++game) worker.play();
        worker.send(false);
        worker.follow();
        models_ = worker.models();
      } catch (const StoreUnavailable& error) {
        if (std::string(error.what()).find("damaged") != std::string::npos)
          faults_.push_back(error.what());
      } catch (const std::exception& error) {
        faults_.push_back(error.what());
      }
      confirmed_ = worker.confirmed().size();
      unconfirmed_ = worker.unconfirmed();
      std::this_thread::sleep_for(100ms);
    }
    confirmedIds_ = worker.confirmed();
    madeUpWorkers_ = worker.firstIds();
    faults_.insert(faults_.end(), worker.faults().begin(), worker.faults().end());
  }

  std::string outputs() {
    std::string text;
    for (const char* name : {"learner.txt", "workers.txt"})
      if (fs::exists(folder_ / name)) text += std::string(name) + ":\n" + readFile(folder_ / name);
    return text;
  }

  Rng rng_;
  TemporaryFolder folder_;
  const fs::path run_;
  RedisServer redis_;
  std::unique_ptr<ToguzProcess> learner_;
  std::array<std::unique_ptr<ToguzProcess>, kWorkers> workers_;
  std::uint64_t steps_ = 0;

  std::thread source_;
  std::atomic<bool> producing_{true}, done_{false};
  std::atomic<std::uint64_t> confirmed_{0}, unconfirmed_{0}, models_{0};
  std::set<std::uint64_t> confirmedIds_, madeUpWorkers_;
  std::vector<std::string> faults_;  // of the source, when it is done
};

void chaos(int kills, double shortest, double longest) {
  Chaos chaos(testSeed());
  const auto ok = [] { return !::testing::Test::HasFatalFailure(); };
  chaos.begin();
  if (ok()) chaos.rage(kills, shortest, longest);
  if (ok()) chaos.calmDown();
  if (ok()) chaos.examine();
}

TEST(Chaos, WhatWasConfirmedIsArchivedOnceWhoeverIsKilled) {
  chaos(6, 0.2, 1.0);
}

TEST(ChaosFull, WhatWasConfirmedIsArchivedOnceThroughAHundredKills) {
  chaos(100, 0.2, 2.0);
}

}  // namespace
}  // namespace toguz::testing
