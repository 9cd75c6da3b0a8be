// Workers by the hundred that come and go: what they leave behind in Redis is bounded, the learner
// keeps up with them or makes them wait, and trains as often on each row as it was told to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/backoff.h"
#include "tests/cluster/confirmed_games.h"
#include "tests/cluster/test_learner.h"
#include "tests/store/redis_server.h"

namespace toguz::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kPatience = 90;

struct ChurnSetup {
  int workers = 200;
  int threads = 2;  // that drive them
  double seconds = 120;
  double gamesPerSecond = 1;  // of each worker
  double stay = 25;           // seconds that a worker stays, on average
  double away = 2;            // until another comes in its place
  std::chrono::seconds forgetAfter{20};
  double backlogMb = 0.6;
  // Uses a second that training makes: in turn, each for `phase` seconds. 0: as fast as it can.
  std::vector<double> paces = {0};
  double phase = 15;
  std::int64_t slack = 16384;
  bool mustWait = false;  // so slow that workers must wait at times
};

// Besides the backlog: the server itself with its scripts, 64 KB of buffers and reports for each
// worker, and the models that were the newest within the last minute.
constexpr double kServerMb = 6, kWorkerMb = 0.064;

// Some of the workers, on one thread.
class Crowd {
 public:
  Crowd(const ChurnSetup& setup, const RedisAddress& address, const std::vector<GameRecord>& games,
        std::uint64_t seed, int workers)
      : setup_(setup), address_(address), games_(games), rng_(seed) {
    slots_.resize(static_cast<std::size_t>(workers));
    for (Slot& slot : slots_) slot.due = secondsNow() + 2 * rng_.uniform();
  }

  void run() {
    while (!done_) {
      for (Slot& slot : slots_)
        if (secondsNow() >= slot.due) guarded(slot);
      std::this_thread::sleep_for(20ms);
    }
  }
  // No more games are played; nobody leaves before all of his are confirmed.
  void finish() { producing_ = false; }
  void end() { done_ = true; }
  std::uint64_t unconfirmed() const { return unconfirmed_; }

  // When `run` has returned.
  const std::set<std::uint64_t>& confirmed() const { return confirmed_; }
  const std::vector<std::string>& faults() const { return faults_; }
  int joined() const { return joined_; }
  std::uint64_t fulls() const { return fulls_; }

 private:
  struct Slot {
    std::unique_ptr<MadeUpWorker> worker;
    Backoff backoff{1};
    double due = 0, leaveAt = 0, lastGame = 0, nextReport = 0;
    std::uint64_t unconfirmed = 0;
  };

  void guarded(Slot& slot) {
    slot.due = secondsNow() + 0.5;
    try {
      if (slot.worker)
        turn(slot);
      else if (producing_)
        join(slot);
    } catch (const std::exception& error) {
      faults_.push_back(error.what());
    }
    const std::uint64_t now = slot.worker ? slot.worker->unconfirmed() : 0;
    unconfirmed_ += now - slot.unconfirmed;
    slot.unconfirmed = now;
  }

  void join(Slot& slot) {
    auto worker =
        std::make_unique<MadeUpWorker>(std::make_unique<RedisStore>(address_), 256, 1500ms);
    if (!worker->join()) return;
    slot.worker = std::move(worker);
    slot.backoff = Backoff(rng_());
    slot.lastGame = secondsNow();
    slot.leaveAt = secondsNow() + setup_.stay * 2 * rng_.uniform();
    slot.nextReport = 0;
    ++joined_;
  }

  void turn(Slot& slot) {
    MadeUpWorker& worker = *slot.worker;
    const double now = secondsNow();
    for (; producing_ && slot.lastGame + 1 / setup_.gamesPerSecond < now;
         slot.lastGame += 1 / setup_.gamesPerSecond)
      worker.play(&games_[rng_.below(static_cast<std::uint32_t>(games_.size()))]);
    const bool leaving = producing_ && now >= slot.leaveAt;
    const auto sent = worker.send(leaving || !producing_);
    if (now >= slot.nextReport) {
      worker.follow();
      worker.report();
      slot.nextReport = now + 3;
    }
    if (sent == GameSender::Sent::LearnerBehind) {
      ++fulls_;
      slot.due = now + std::chrono::duration<double>(slot.backoff.next()).count();
    } else {
      slot.backoff.reset();
    }
    // One in two vanishes without a word, with what it had.
    if (leaving || (!producing_ && worker.unconfirmed() == 0)) {
      if (!producing_ || rng_.chance(0.5)) worker.leave();
      confirmed_.insert(worker.confirmed().begin(), worker.confirmed().end());
      faults_.insert(faults_.end(), worker.faults().begin(), worker.faults().end());
      slot.worker.reset();
      slot.due = now + 2 * setup_.away * rng_.uniform();
    }
  }

  const ChurnSetup& setup_;
  const RedisAddress address_;
  const std::vector<GameRecord>& games_;
  Rng rng_;
  std::vector<Slot> slots_;
  std::atomic<bool> producing_{true}, done_{false};
  std::atomic<std::uint64_t> unconfirmed_{0}, fulls_{0};
  std::set<std::uint64_t> confirmed_;
  std::vector<std::string> faults_;
  int joined_ = 0;
};

void churn(const ChurnSetup& setup) {
  const std::uint64_t seed = testSeed();
  RedisServer redis;
  TemporaryFolder folder;
  Config config = smallConfig();
  config.network.width = 128;  // a model of the usual size of this game
  config.training.batch = 512;
  config.replay.reuse = 4;
  config.replay.reuseSlack = setup.slack;
  config.replay.windowMin = 1000;
  config.store.backlogMb = setup.backlogMb;
  config.store.publishSeconds = 5;
  RedisAddress address = redis.address();
  address.forgetAfter = setup.forgetAfter;
  TestLearner learner(std::make_unique<RedisStore>(address), config, folder / "run");
  learner.start();

  std::vector<GameRecord> games;
  for (std::uint64_t id = 0; id < 128; ++id) games.push_back(randomRecord(id, config.rules()));
  std::vector<std::unique_ptr<Crowd>> crowds;
  std::vector<std::thread> threads;
  for (int t = 0; t < setup.threads; ++t) {
    crowds.push_back(std::make_unique<Crowd>(setup, address, games, seed + static_cast<unsigned>(t),
                                             setup.workers / setup.threads));
    threads.emplace_back([crowd = crowds.back().get()] { crowd->run(); });
  }

  RedisStore store(redis.address());
  const auto size = [&](const char* command, const std::string& key) {
    return redis.ask({command, "toguz:{run}:" + key}).integer;
  };
  const double modelMb =
      static_cast<double>(serializeModel(smallModel(config)->model).size()) / 1e6;
  const double mostMb = setup.backlogMb + kServerMb + kWorkerMb * setup.workers +
                        modelMb * (2 + 60 / config.store.publishSeconds);
  const double start = secondsNow();
  double memory = 0, lag = 0, pause = 0, grew = start;
  std::int64_t seen = 0, handled = 0, reports = 0;
  std::uint64_t archived = 0, alive = 0, backlog = 0, generation = 0, rate = 0;
  for (double now = start; now < start + setup.seconds; now = secondsNow()) {
    const double pace =
        setup.paces[static_cast<std::size_t>((now - start) / setup.phase) % setup.paces.size()];
    learner.setUsesPerSecond(pace > 0 ? pace : 1e12);
    if ((now - start) / config.store.publishSeconds > static_cast<double>(generation))
      learner.offer(smallModel(config, static_cast<std::uint32_t>(++generation)));
    const StoreStatus status = store.status();
    memory = std::max(memory, static_cast<double>(status.memoryBytes) / 1e6);
    backlog = std::max(backlog, status.backlogBytes);
    alive = std::max(alive, std::uint64_t{status.workers.size()});
    seen = std::max(seen, size("ZCARD", "seen"));
    handled = std::max(handled, size("HLEN", "handled"));
    reports = std::max(reports, size("HLEN", "workers"));
    lag = std::max(lag, learner.report().lagSeconds);
    if (learner.archive().gameCount() > archived) grew = now;
    archived = learner.archive().gameCount();
    pause = std::max(pause, now - grew);
    ASSERT_EQ(learner.failure(), "");
    std::this_thread::sleep_for(250ms);
  }
  rate = archived;

  // Of the time in which games came: what training was owed or had in advance then is part of it.
  const auto reuse = [&] {
    return static_cast<double>(learner.uses()) / static_cast<double>(learner.archive().rowCount());
  };
  const double reuseThen = reuse();
  learner.setUsesPerSecond(1e12);
  for (auto& crowd : crowds) crowd->finish();
  const auto left = [&] {
    std::uint64_t games_ = 0;
    for (auto& crowd : crowds) games_ += crowd->unconfirmed();
    return games_;
  };
  EXPECT_TRUE(within(kPatience, [&] { return left() == 0; })) << left() << " never confirmed";
  std::this_thread::sleep_for(1s);  // the last of them leave
  for (auto& crowd : crowds) crowd->end();
  for (auto& thread : threads) thread.join();

  std::set<std::uint64_t> confirmed;
  int joined = 0;
  std::uint64_t fulls = 0;
  for (auto& crowd : crowds) {
    EXPECT_THAT(crowd->faults(), IsEmpty());
    confirmed.insert(crowd->confirmed().begin(), crowd->confirmed().end());
    joined += crowd->joined();
    fulls += crowd->fulls();
  }
  EXPECT_TRUE(within(kPatience, [&] { return store.status().backlogBatches == 0; }));
  EXPECT_EQ(redis.ask({"XPENDING", "toguz:{run}:games", "learner"}).items.at(0).integer, 0);
  EXPECT_TRUE(within(kPatience, [&] {
    return learner.tokens().tokens < static_cast<double>(config.training.batch);
  }));
  std::printf(
      "%.0f s, %d workers joined, at most %llu alive; %.0f games/s archived, %llu times full; "
      "memory %.1f MB of %.1f, backlog %.2f MB, lag %.1f s, pause %.1f s; seen %lld, handled %lld; "
      "reuse %.3f, then %.3f\n",
      setup.seconds, joined, static_cast<unsigned long long>(alive),
      static_cast<double>(rate) / setup.seconds, static_cast<unsigned long long>(fulls), memory,
      mostMb, static_cast<double>(backlog) / 1e6, lag, pause, static_cast<long long>(seen),
      static_cast<long long>(handled), reuseThen, reuse());

  // No leak.
  EXPECT_LT(memory, mostMb);
  EXPECT_LE(static_cast<double>(backlog) / 1e6, setup.backlogMb);
  EXPECT_TRUE(fulls > 0 || !setup.mustWait);
  const double forget = static_cast<double>(setup.forgetAfter.count()) + 5;  // pruned every 3 s
  const double most = setup.workers * (1 + forget / (setup.stay + setup.away)) * 1.5;
  EXPECT_LT(static_cast<double>(seen), most);
  EXPECT_LT(static_cast<double>(handled), most);
  EXPECT_LT(static_cast<double>(reports), most);
  EXPECT_TRUE(within(forget + kPatience, [&] {
    return size("ZCARD", "seen") + size("HLEN", "handled") + size("HLEN", "workers") == 0;
  }));
  // Nothing stalled: games were archived all the time, and none waited for longer than it takes to
  // play as many as the backlog has room for at the slowest pace.
  EXPECT_LT(pause, 10);
  double slowest = 1e12;
  for (const double pace : setup.paces)
    if (pace > 0) slowest = std::min(slowest, pace);
  const double bytesPerRow = 40, usesPerSecond = slowest / config.replay.reuse;
  EXPECT_LT(lag, 15 + 1e6 * setup.backlogMb / bytesPerRow / usesPerSecond);
  // Training used each row as often as it should, while games came and over all.
  EXPECT_NEAR(reuse(), config.replay.reuse, 0.1 * config.replay.reuse);
  if (setup.seconds >= 60) {
    EXPECT_NEAR(reuseThen, config.replay.reuse, 0.1 * config.replay.reuse);
  }
  EXPECT_THAT(learner.report().rejected, IsEmpty());
  learner.end(true);
  // None lost, none twice.
  const auto ids = archivedIds(learner.archive());
  EXPECT_EQ(ids.size(), learner.archive().gameCount());
  std::uint64_t lost = 0;
  for (const std::uint64_t id : confirmed) lost += !ids.contains(id);
  EXPECT_EQ(lost, 0u) << "of " << confirmed.size();
  EXPECT_GT(confirmed.size(), 100u);
}

TEST(Churn, FullWorkersThatComeAndGoLeaveNothingBehind) {
  ChurnSetup setup;
  setup.workers = 40;
  setup.seconds = 5;
  setup.gamesPerSecond = 2;
  setup.stay = 2;
  setup.away = 0.5;
  setup.forgetAfter = 3s;
  churn(setup);
}

// Forgotten, and then there comes a batch that it had left in the stream.
TEST(Churn, AWorkerIsForgottenAsOftenAsItIsHeardOf) {
  RedisServer redis;
  RedisAddress address = redis.address();
  address.forgetAfter = 0s;
  RedisStore store(address);
  RunDescription run;
  run.id = std::string(32, 'a');
  run.backlogBytes = 1 << 20;
  store.lead(run, "learner");
  WorkerReport report;
  report.id = 7;
  store.report(report);
  EXPECT_EQ(store.append(run.id, 7, 1, "batch"), RunStore::Taken::Yes);
  const auto kept = [&] {
    return redis.ask({"ZCARD", "toguz:{run}:seen"}).integer +
           redis.ask({"HLEN", "toguz:{run}:workers"}).integer +
           redis.ask({"HLEN", "toguz:{run}:handled"}).integer;
  };
  EXPECT_EQ(kept(), 2);
  store.renew({});
  EXPECT_EQ(kept(), 0);
  const auto batches = store.receive(1, 0ms);
  ASSERT_THAT(batches, SizeIs(1));
  store.acknowledge(std::vector<Handled>{{batches[0].id, 7, 1, batches[0].bytes.size()}});
  EXPECT_EQ(store.confirmed(7), 1u);
  store.renew({});
  EXPECT_EQ(kept(), 0);
}

// TOGUZ_SOAK_SECONDS=600 gives it ten minutes.
TEST(ChurnFull, TwoHundredWorkersComeAndGo) {
  ChurnSetup setup;
  if (const char* seconds = std::getenv("TOGUZ_SOAK_SECONDS")) setup.seconds = std::atof(seconds);
  // Games come at some 13000 uses a second: faster than training, then slower.
  setup.paces = {20000, 5000};
  setup.mustWait = true;
  churn(setup);
}

}  // namespace
}  // namespace toguz::testing
