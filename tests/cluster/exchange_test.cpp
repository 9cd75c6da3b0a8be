// What the learner takes from its store and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/batch.h"
#include "store/local_store.h"
#include "store/redis_store.h"
#include "tests/cluster/process.h"
#include "tests/cluster/test_learner.h"
#include "tests/store/redis_server.h"

namespace toguz::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Taken = RunStore::Taken;

constexpr double kPatience = 60;

enum class Kind : std::uint8_t { Files, Redis };

class ExchangeTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::Redis) server_.emplace();
  }
  std::unique_ptr<RunStore> open() {
    if (server_) return std::make_unique<RedisStore>(server_->address());
    return std::make_unique<LocalStore>(folder_ / "run");
  }
  GameRecord game(std::uint64_t id, const GameOrigin& origin) {
    GameRecord game = randomRecord(id, config_.rules());
    game.origin = origin;
    return game;
  }

  TemporaryFolder folder_;
  std::optional<RedisServer> server_;
  const Config config_ = smallConfig();
};
INSTANTIATE_TEST_SUITE_P(Stores, ExchangeTest, ::testing::Values(Kind::Files, Kind::Redis),
                         [](const auto& kind) {
                           return kind.param == Kind::Files ? "Files" : "Redis";
                         });

TEST_P(ExchangeTest, RefusesWhatIsForeignWithItsReasonAndKeepsTheRest) {
  TestLearner learner(open(), config_, folder_ / "run");
  learner.start();
  const auto worker = open();
  const auto head = worker->head();
  ASSERT_TRUE(head);
  EXPECT_EQ(worker->model(head->model), serializeModel(smallModel(config_)->model));
  const GameOrigin ours{head->model, worker->description()->configHash, kRulesVersion};
  const std::string& run = learner.runId();

  constexpr WorkerId kWorker = 5;
  std::uint64_t sequence = 0;
  const auto send = [&](const std::string& bytes) {
    EXPECT_EQ(worker->append(run, kWorker, ++sequence, bytes), Taken::Yes);
  };
  const auto sendGames = [&](std::vector<GameRecord> games, const std::string& of) {
    send(encodeBatch({of, kWorker, sequence + 1, std::move(games)}));
  };
  sendGames({game(1, ours)}, run);
  send("no batch at all");
  std::string altered = encodeBatch({run, kWorker, sequence + 1, {game(2, ours)}});
  altered[altered.size() / 2] ^= 1;
  send(altered);
  sendGames({game(3, ours)}, std::string(32, 'f'));

  // One batch, in which each has another fault, but for the first and the last.
  std::vector<GameRecord> mixed;
  for (std::uint64_t id = 10; id < 17; ++id) mixed.push_back(game(id, ours));
  mixed[1].origin.config ^= 1;
  mixed[2].origin.rules += 1;
  mixed[3].origin.model[5] ^= 1;
  mixed[4].moves.pop_back();
  mixed[5].outcome.result =
      mixed[5].outcome.result == Result::FirstWins ? Result::SecondWins : Result::FirstWins;
  sendGames(std::move(mixed), run);
  GameRecord other = randomRecord(20, Rules(kStandard));
  other.origin = ours;
  sendGames({std::move(other)}, run);
  // The same game again, and another game under its id: the first stays.
  sendGames({game(1, ours), game(21, ours)}, run);
  GameRecord second = game(22, ours);
  second.id = 21;
  sendGames({std::move(second)}, run);

  ASSERT_TRUE(within(kPatience, [&] { return worker->confirmed(kWorker) == sequence; }))
      << worker->confirmed(kWorker).value_or(0) << " of " << sequence << ", " << learner.failure();
  EXPECT_TRUE(within(kPatience, [&] { return worker->status().backlogBatches == 0; }));
  EXPECT_THAT(archivedIds(learner.archive()),
              ElementsAre(Pair(1, 1), Pair(10, 1), Pair(16, 1), Pair(21, 1)));
  learner.archive().read(3, 4, [&](const GameRecord& kept) {
    EXPECT_TRUE(sameRecord(kept, game(21, ours)));
    return true;
  });
  EXPECT_THAT(learner.report().rejected,
              UnorderedElementsAre(Pair("damaged", 2), Pair("another run", 1),
                                   Pair("other settings", 1), Pair("other rules", 2),
                                   Pair("unknown model", 1), Pair("breaks the rules", 2)));
  EXPECT_EQ(learner.report().duplicates, 2u);
  EXPECT_EQ(learner.report().remoteGames, 4u);
  // The first of each kind is told to people.
  EXPECT_TRUE(learner.said("refused a record from " + worker->name() + " (unknown model): game " +
                           hex64(13) + " from worker " + hex64(kWorker)));
  learner.end(false);
}

TEST_P(ExchangeTest, WhatAKilledLearnerHadNotConfirmedComesAgainAndIsKeptOnce) {
  RunStore::Taken taken{};
  {
    TestLearner learner(open(), config_, folder_ / "run");
    learner.start();
    const auto worker = open();
    const GameOrigin ours{worker->head()->model, worker->description()->configHash, kRulesVersion};
    taken = worker->append(learner.runId(), 5, 1,
                           encodeBatch({learner.runId(), 5, 1, {game(1, ours), game(2, ours)}}));
    // Killed before or after it was archived, but mostly before it was confirmed.
    within(kPatience, [&] { return learner.archive().gameCount() == 2; });
  }
  EXPECT_EQ(taken, Taken::Yes);
  TestLearner learner(open(), config_, folder_ / "run");
  learner.start();
  EXPECT_TRUE(within(kPatience, [&] { return open()->status().backlogBatches == 0; }));
  learner.end(false);
  EXPECT_THAT(archivedIds(learner.archive()), ElementsAre(Pair(1, 1), Pair(2, 1)));
}

TEST_P(ExchangeTest, FullALearnerThatIsBehindLetsThemWaitAndLosesNone) {
  Config config = config_;
  config.replay.windowMin = 1;
  config.replay.reuseSlack = 1;
  TestLearner learner(open(), config, folder_ / "run");
  learner.setUsesPerSecond(0);
  learner.start();
  const auto worker = open();
  const GameOrigin ours{worker->head()->model, worker->description()->configHash, kRulesVersion};
  const auto send = [&](std::uint64_t sequence) {
    EXPECT_EQ(worker->append(learner.runId(), 5, sequence,
                             encodeBatch({learner.runId(), 5, sequence, {game(sequence, ours)}})),
              Taken::Yes);
  };
  for (std::uint64_t sequence = 1; sequence <= 20; ++sequence) send(sequence);
  ASSERT_TRUE(within(kPatience, [&] { return worker->confirmed(5) > 0u; }));
  const std::uint64_t last = 200;
  for (std::uint64_t sequence = 21; sequence <= last; ++sequence) send(sequence);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_LT(learner.archive().gameCount(), last);
  EXPECT_GT(worker->status().backlogBatches, 0u);
  learner.setUsesPerSecond(1e12);
  EXPECT_TRUE(within(kPatience, [&] { return worker->confirmed(5) == last; }));
  learner.end(false);
  EXPECT_EQ(learner.archive().gameCount(), last);
}

TEST(Exchange, ACopyOfTheRunIsRefusedWhileItsLearnerLives) {
  TemporaryFolder folder;
  RedisServer server;
  const Config config = smallConfig();
  const auto store = [&] { return std::make_unique<RedisStore>(server.address()); };
  TestLearner learner(store(), config, folder / "run");
  learner.start();
  fs::create_directories(folder / "copy");
  for (const char* name : {"identity.json", "published.jsonl"})
    fs::copy(folder / "run" / name, folder / "copy" / name);

  TestLearner copy(store(), config, folder / "copy");
  std::atomic<bool> stop{false};
  std::thread opening([&] { copy.open(stop); });
  EXPECT_TRUE(within(kPatience, [&] { return copy.said("has a learner already"); }));
  EXPECT_TRUE(copy.said((folder / "run").string()));
  stop = true;
  opening.join();
  EXPECT_TRUE(learner.failure().empty()) << learner.failure();
  // Given back in good order, it is the other's at once.
  learner.end(false);
  stop = false;
  copy.open(stop);
}

TEST(Exchange, AnotherRunIsRefusedAtOnce) {
  TemporaryFolder folder;
  RedisServer server;
  const Config config = smallConfig();
  TestLearner learner(std::make_unique<RedisStore>(server.address()), config, folder / "run");
  learner.start();
  TestLearner other(std::make_unique<RedisStore>(server.address()), config, folder / "other");
  EXPECT_THAT(messageOf<Error>([&] { other.start(); }),
              AllOf(HasSubstr(server.url()), HasSubstr("holds another run"),
                    HasSubstr("choose another run name")));
  EXPECT_TRUE(learner.failure().empty()) << learner.failure();
}

TEST(Exchange, AWrongPasswordEndsLearnerAndWorkerWithOneLine) {
  TemporaryFolder folder;
  RedisServer server({"--requirepass", "right"});
  const std::string url = "redis://:wrong@127.0.0.1:" + std::to_string(server.port()) + "/run";
  ToguzProcess learner(folder / "learner.txt",
                       {"train", "--run", (folder / "run").string(), "--store", url, "--workers",
                        "0", "--set", "network.width=16", "--set", "network.blocks=1"});
  ToguzProcess worker(folder / "worker.txt", {"selfplay", "--store", url});
  for (ToguzProcess* process : {&learner, &worker}) {
    const auto status = process->wait(std::chrono::seconds(60));
    const std::string said = process->output();
    EXPECT_TRUE(status && *status != 0 && *status < 128) << said;
    EXPECT_THAT(said,
                AllOf(HasSubstr(server.url()), HasSubstr("password"), Not(HasSubstr("wrong"))));
    const std::size_t line = said.find("toguz: ");
    ASSERT_NE(line, std::string::npos) << said;
    EXPECT_EQ(said.find('\n', line), said.size() - 1) << said;
  }
}

}  // namespace
}  // namespace toguz::testing
