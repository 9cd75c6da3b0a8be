// A worker through the fortunes of its run and its store.
#include "cluster/worker_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "store/local_store.h"
#include "store/redis_store.h"
#include "tests/cluster/test_learner.h"
#include "tests/store/redis_server.h"

namespace toguz::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr double kPatience = 60;

// The service on a thread of its own.
class Worker {
 public:
  explicit Worker(const std::string& store, std::size_t spoolGames = 4096) {
    options_.store = store;
    options_.threads = 2;
    options_.spoolGames = spoolGames;
    options_.progress = false;
    options_.makeHandle = [](std::shared_ptr<const Published> published,
                             const SelfPlayConfig& config) {
      return std::make_shared<NativeHandle>(std::move(published), config.precision);
    };
    options_.say = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      said_ += line + "\n";
    };
    result_ = std::async(std::launch::async, [this] { return runWorkerService(options_, stop_); });
  }
  ~Worker() { stop_ = true; }

  std::string said() const {
    const std::lock_guard lock(mutex_);
    return said_;
  }
  bool hasSaid(const std::string& part) const { return said().find(part) != std::string::npos; }
  bool ended() const { return result_.wait_for(0s) == std::future_status::ready; }
  void stop() { stop_ = true; }
  // Throws what the service threw.
  WorkerServiceResult result() { return result_.get(); }

 private:
  WorkerServiceOptions options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  std::string said_;
  std::future<WorkerServiceResult> result_;
};

class WorkerService : public ::testing::Test {
 protected:
  std::filesystem::path run() const { return folder_ / "run"; }
  std::unique_ptr<RunStore> files() const { return std::make_unique<LocalStore>(run()); }

  // Of a learner that takes no more games once its training stands still.
  Config waitingConfig() const {
    Config config = config_;
    config.replay.windowMin = config.training.batch;
    config.replay.reuseSlack = 1;
    return config;
  }
  static bool gamesWait(const TestLearner& learner, const RedisServer& redis) {
    return learner.archive().gameCount() > 0 &&
           RedisStore(redis.address()).status().backlogBatches > 3;
  }

  TemporaryFolder folder_;
  const Config config_ = [] {
    Config config = smallConfig();
    config.selfplay.fullNodes = config.selfplay.fullNodesFinal = 48;
    config.selfplay.cheapNodes = 24;
    return config;
  }();
};

using WorkerServiceFull = WorkerService;

TEST_F(WorkerService, WaitsForARunPlaysForItAndGoesHomeWhenItHasEnded) {
  Worker worker(run().string());
  ASSERT_TRUE(within(kPatience, [&] { return worker.hasSaid("no run here yet"); }));
  EXPECT_THAT(worker.said(), HasSubstr("toguz train --store"));
  TestLearner learner(files(), config_, run());
  learner.start();
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 20; }))
      << worker.said() << learner.failure();
  EXPECT_THAT(worker.said(), HasSubstr("bestemshe, generation 0, 2 threads"));
  EXPECT_FALSE(worker.ended());
  learner.end(true);
  ASSERT_TRUE(within(kPatience, [&] { return worker.ended(); }));
  const WorkerServiceResult result = worker.result();
  EXPECT_TRUE(result.runEnded);
  EXPECT_GE(result.games, learner.archive().gameCount());
  const Sha256 model = smallModel(config_)->hash;
  learner.archive().read(0, learner.archive().gameCount(), [&](const GameRecord& game) {
    EXPECT_EQ(game.origin, (GameOrigin{model, gameConfigHash(config_), kRulesVersion}));
    EXPECT_GE(game.id, std::uint64_t{1} << 63);
    return true;
  });
  EXPECT_TRUE(learner.report().rejected.empty());
  EXPECT_TRUE(files()->status().workers.empty());
}

TEST_F(WorkerService, FullFollowsNewModels) {
  TestLearner learner(files(), config_, run());
  learner.start();
  Worker worker(run().string());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }));
  const auto next = smallModel(config_, 7);
  learner.offer(next);
  const auto played = [&] {
    bool found = false;
    const std::uint64_t games = learner.archive().gameCount();
    learner.archive().read(games > 300 ? games - 300 : 0, games, [&](const GameRecord& game) {
      found = found || (game.origin.model == next->hash && game.moves.front().generation == 7);
      return !found;
    });
    return found;
  };
  EXPECT_TRUE(within(kPatience, played)) << worker.said();
  EXPECT_TRUE(within(kPatience, [&] {
    const auto workers = files()->status().workers;
    return workers.size() == 1 && workers[0].report.generation == 7 &&
           workers[0].report.model == next->hash;
  }));
  worker.stop();
  EXPECT_FALSE(worker.result().runEnded);
}

TEST_F(WorkerService, HandsInEveryFinishedGameWhenItIsStopped) {
  TestLearner learner(files(), config_, run());
  learner.start();
  Worker worker(run().string());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }));
  const double then = secondsNow();
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_LT(secondsNow() - then, 10);
  EXPECT_EQ(result.lostGames, 0u);
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
  learner.end(false);
}

TEST_F(WorkerService, ALaterVersionOfTheRulesIsRefused) {
  RunDescription later;
  later.id = std::string(32, 'a');
  later.variant = "bestemshe";
  later.rules = kRulesVersion + 1;
  later.config = configToml(config_);
  later.backlogBytes = 1 << 20;
  const auto model = smallModel(config_);
  const auto store = files();
  store->lead(later, "learner");
  Head head;
  head.model = model->hash;
  store->publish(head, serializeModel(model->model));
  Worker worker(run().string());
  EXPECT_THAT(messageOf<Error>([&] { worker.result(); }),
              AllOf(HasSubstr(run().string()), HasSubstr("version " + std::to_string(later.rules)),
                    HasSubstr("update")));
}

TEST_F(WorkerService, ADamagedModelIsNotPlayedWith) {
  TestLearner learner(files(), config_, run());
  std::atomic<bool> stop{false};
  learner.open(stop);
  for (const auto& model : std::filesystem::directory_iterator(run() / "store" / "models"))
    std::filesystem::resize_file(model.path(), std::filesystem::file_size(model.path()) / 2);
  Worker worker(run().string());
  EXPECT_TRUE(within(kPatience, [&] { return worker.hasSaid("is damaged"); }));
  learner.start();
  learner.offer(smallModel(config_, 1));
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
}

TEST_F(WorkerService, FullPlaysOnWhileTheStoreIsAwayAndAllOfItArrives) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), config_, run());
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
  redis.kill();
  ASSERT_TRUE(within(kPatience, [&] { return worker.hasSaid("playing on"); })) << worker.said();
  EXPECT_TRUE(within(kPatience, [&] { return learner.said("the run goes on"); }));
  std::this_thread::sleep_for(2s);
  EXPECT_FALSE(worker.ended());
  const std::uint64_t before = learner.archive().gameCount();
  redis.start();
  ASSERT_TRUE(within(kPatience, [&] { return worker.hasSaid("in touch"); })) << worker.said();
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > before + 100; }));
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_EQ(result.lostGames, 0u);
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
  learner.end(false);
  EXPECT_EQ(archivedIds(learner.archive()).size(), result.games);
}

// The learner sets the run up anew, and the games that only the old server knew of are sent again.
TEST_F(WorkerService, AStoreThatForgotEverythingCostsNoGame) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), config_, run());
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
  const std::uint64_t before = learner.archive().gameCount();
  redis.restartEmpty();
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > before + 500; }))
      << worker.said() << learner.failure();
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
}

// What it had handed to the old server it hands in again, though it is told to end at that moment.
TEST_F(WorkerService, HandsInAgainWhatAStoreForgetsInTheMeantime) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), waitingConfig(), run());
  learner.setUsesPerSecond(0);
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return gamesWait(learner, redis); })) << worker.said();
  redis.kill();
  redis.wipe();
  worker.stop();
  std::this_thread::sleep_for(300ms);
  redis.start();
  const WorkerServiceResult result = worker.result();
  EXPECT_EQ(result.lostGames, 0u);
  learner.setUsesPerSecond(1e12);
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
}

// Emptied while its connection lives and the learner sets all up again.
TEST_F(WorkerService, AStoreThatIsEmptiedUnderItCostsNoGame) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), waitingConfig(), run());
  learner.setUsesPerSecond(0);
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return gamesWait(learner, redis); })) << worker.said();
  redis.ask({"FLUSHALL"});
  learner.setUsesPerSecond(1e12);
  const std::uint64_t before = learner.archive().gameCount();
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > before + 300; }))
      << worker.said();
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_EQ(result.lostGames, 0u);
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
}

TEST_F(WorkerService, AHeadThatIsWrittenOverIsWaitedFor) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), config_, run());
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
  // Over and over, for the learner mends it.
  ASSERT_TRUE(within(kPatience, [&] {
    redis.ask({"SET", "toguz:{run}:head", "{"});
    return worker.hasSaid("pointer to the newest model");
  })) << worker.said();
  EXPECT_FALSE(worker.ended());
  learner.offer(smallModel(config_, 3));
  EXPECT_TRUE(within(kPatience, [&] { return worker.hasSaid("in touch"); })) << worker.said();
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_EQ(result.lostGames, 0u);
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == result.games; }))
      << learner.archive().gameCount() << " of " << result.games;
}

TEST_F(WorkerService, PlaysByTheNewSettingsOfAResumedRun) {
  auto learner = std::make_unique<TestLearner>(files(), config_, run());
  learner->start();
  Worker worker(run().string());
  ASSERT_TRUE(within(kPatience, [&] { return learner->archive().gameCount() > 0; }));
  learner->end(false);
  learner.reset();
  Config config = config_;
  config.selfplay.fullNodes = config.selfplay.fullNodesFinal = 24;
  learner = std::make_unique<TestLearner>(files(), config, run());
  learner->start();
  EXPECT_TRUE(within(kPatience, [&] { return worker.hasSaid("settings have changed"); }));
  const auto byTheNew = [&] {
    bool found = false;
    const std::uint64_t games = learner->archive().gameCount();
    learner->archive().read(games > 100 ? games - 100 : 0, games, [&](const GameRecord& game) {
      found = found || game.origin.config == gameConfigHash(config);
      return !found;
    });
    return found;
  };
  EXPECT_TRUE(within(kPatience, byTheNew)) << worker.said();
  EXPECT_TRUE(learner->report().rejected.empty()) << "games by the old settings are its own too";
  EXPECT_FALSE(worker.ended());
}

TEST_F(WorkerService, FullSaysThatItPausesWhenItsSpoolIsFull) {
  auto learner = std::make_unique<TestLearner>(files(), config_, run());
  learner->start();
  Worker worker(run().string(), 64);
  ASSERT_TRUE(within(kPatience, [&] { return learner->archive().gameCount() > 0; }));
  learner.reset();
  EXPECT_TRUE(within(kPatience, [&] { return worker.hasSaid("play pauses"); })) << worker.said();
  learner = std::make_unique<TestLearner>(files(), config_, run());
  const std::uint64_t before = learner->archive().gameCount();
  learner->start();
  EXPECT_TRUE(within(kPatience, [&] { return learner->archive().gameCount() > before + 100; }))
      << worker.said();
}

TEST_F(WorkerServiceFull, WhatItHoldsIsBoundedAndWhatCannotBeHandedInIsCounted) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), config_, run());
  learner.start();
  constexpr std::size_t kSpool = 64;
  Worker worker(redis.url(), kSpool);
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
  redis.kill();
  ASSERT_TRUE(within(kPatience, [&] { return worker.hasSaid("playing on"); })) << worker.said();
  std::this_thread::sleep_for(1s);
  const std::uint64_t archived = learner.archive().gameCount();
  const double then = secondsNow();
  worker.stop();
  const WorkerServiceResult result = worker.result();
  EXPECT_LT(secondsNow() - then, 15);
  // Full, and then each thread still had one to deliver.
  EXPECT_GT(result.lostGames, 0u);
  EXPECT_LE(result.lostGames, kSpool + 8);
  EXPECT_LE(result.games, archived + kSpool + 8);
}

TEST_F(WorkerService, AnotherRunUnderTheSameNameEndsIt) {
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), config_, run());
  learner.start();
  Worker worker(redis.url());
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 0; }))
      << worker.said();
  learner.end(false);
  redis.ask({"FLUSHALL"});
  TestLearner other(std::make_unique<RedisStore>(redis.address()), config_, folder_ / "other");
  other.start();
  EXPECT_THAT(messageOf<Error>([&] { worker.result(); }),
              AllOf(HasSubstr(redis.url()), HasSubstr("another run")));
  EXPECT_EQ(other.archive().gameCount(), 0u);
}

}  // namespace
}  // namespace toguz::testing
