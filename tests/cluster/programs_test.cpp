// The programs themselves: train, selfplay and status, as a user starts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "store/archive.h"
#include "store/local_store.h"
#include "store/redis_store.h"
#include "tests/cluster/process.h"
#include "tests/cluster/test_learner.h"
#include "tests/run_program.h"
#include "tests/store/redis_server.h"

namespace toguz::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kPatience = 60;

test::Ran status(const std::string& store, const std::string& options = "") {
  return test::runShell("'" TOGUZ_PROGRAM "' status --store '" + store + "' " + options);
}

TEST(Programs, TwoTerminalsShareARunByItsFolderAlone) {
  TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  std::vector<std::string> words = {"train", "--run", run, "--workers", "0", "--final-games", "0"};
  for (const char* setting :
       {"game.variant=bestemshe", "run.minutes=0", "run.max_steps=150", "network.width=16",
        "network.blocks=1", "selfplay.games=8", "selfplay.full_nodes=16",
        "selfplay.full_nodes_final=16", "selfplay.cheap_nodes=6", "replay.window_min=300",
        "training.batch=64", "training.warmup_steps=5", "training.publish_steps=20", "gate.nodes=8",
        "gate.pairs_max=4", "rating.share=0", "store.publish_seconds=0.1"})
    words.insert(words.end(), {"--set", setting});
  ToguzProcess worker(folder / "worker.txt", {"selfplay", "--store", run, "--workers", "1"});
  ToguzProcess learner(folder / "learner.txt", words);
  EXPECT_EQ(learner.wait(120s), 0) << learner.output() << worker.output();
  EXPECT_EQ(worker.wait(60s), 0) << worker.output();
  EXPECT_THAT(worker.output(), HasSubstr("the run has ended"));
  const GameArchive archive(folder / "run/games", Rules(kBestemshe));
  EXPECT_GT(archive.gameCount(), 10u);
  archive.read(0, archive.gameCount(), [](const GameRecord& game) {
    EXPECT_GE(game.id, std::uint64_t{1} << 63) << "a game of the learner's own";
    return true;
  });
  const test::Ran after = status(run);
  EXPECT_EQ(after.status, 0);
  EXPECT_THAT(after.out, AllOf(HasSubstr(", ended"), HasSubstr("refused    no records")));
}

TEST(Programs, AWorkerToldToEndHandsInWhatIsFinished) {
  TemporaryFolder folder;
  RedisServer redis;
  TestLearner learner(std::make_unique<RedisStore>(redis.address()), smallConfig(), folder / "run");
  learner.start();
  ToguzProcess worker(folder / "worker.txt",
                      {"selfplay", "--store", redis.url(), "--workers", "1"});
  ASSERT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() > 100; }))
      << worker.output();
  const double then = secondsNow();
  worker.terminate();
  EXPECT_EQ(worker.wait(60s), 0) << worker.output();
  EXPECT_LT(secondsNow() - then, 12);
  const std::string said = worker.output();
  const std::size_t at = said.rfind("stopped; ");
  ASSERT_NE(at, std::string::npos) << said;
  const std::uint64_t games = std::stoull(said.substr(at + 9));
  EXPECT_TRUE(within(kPatience, [&] { return learner.archive().gameCount() == games; }))
      << learner.archive().gameCount() << " of " << games;
  EXPECT_THAT(learner.report().rejected, IsEmpty());
}

TEST(Programs, StatusTellsPeopleAndMachinesAndHealthChecks) {
  TemporaryFolder folder;
  const fs::path run = folder / "run";
  const test::Ran none = status(run.string());
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, AllOf(HasSubstr(run.string()), HasSubstr("toguz train --store")));
  EXPECT_EQ(status(run.string(), "--check").status, 1);

  {
    TestLearner learner(std::make_unique<LocalStore>(run), smallConfig(), run);
    learner.start();
    LocalStore store(run);
    ASSERT_TRUE(within(kPatience, [&] { return store.status().learner.has_value(); }));
    WorkerReport report;
    report.id = 0xabc;
    report.host = "some-host";
    report.threads = 3;
    report.games = 1234;
    report.gamesPerMinute = 60;
    report.generation = 5;
    store.report(report);
    store.append(learner.runId(), 0xabc, 1, "garbage");
    ASSERT_TRUE(within(kPatience, [&] {
      const auto status = store.status();
      return status.learner && !status.learner->rejected.empty();
    }));
    store.report(report);

    const test::Ran text = status(run.string());
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, AllOf(HasSubstr("bestemshe, generation 0, 50% of its budget"),
                                HasSubstr("1 alive, 3 threads"), HasSubstr("generation 5: 1"),
                                HasSubstr("refused    1 damaged"), HasSubstr("some-host"),
                                HasSubstr("backlog    0 batches")));
    const test::Ran json = status(run.string(), "--json");
    EXPECT_EQ(json.status, 0);
    const auto object = nlohmann::json::parse(json.out);
    EXPECT_EQ(object.at("workers_alive"), 1);
    EXPECT_EQ(object.at("workers").at(0).at("host"), "some-host");
    EXPECT_EQ(object.at("learner").at("rejected"), nlohmann::json({{"damaged", 1}}));
    EXPECT_EQ(object.at("learner").at("alive"), true);
    EXPECT_EQ(object.at("run").at("variant"), "bestemshe");
    const test::Ran check = status(run.string(), "--check");
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_EQ(check.out, "");
  }
  // The learner was killed a minute ago.
  fs::last_write_time(run / "store" / "learner.json", fs::file_time_type::clock::now() - 60s);
  const test::Ran check = status(run.string(), "--check");
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.err, HasSubstr("no learner is alive"));
  const test::Ran text = status(run.string());
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("NOT HEARD OF"));
  EXPECT_EQ(nlohmann::json::parse(status(run.string(), "--json").out).at("learner").at("alive"),
            false);
}

TEST(Programs, ASecondLearnerOfTheFolderIsRefused) {
  TemporaryFolder folder;
  const std::string run = (folder / "run").string();
  const std::vector<std::string> words = {
      "train", "--run",           run, "--workers", "0", "--set", "network.width=16",
      "--set", "network.blocks=1"};
  ToguzProcess first(folder / "first.txt", words);
  ASSERT_TRUE(within(kPatience, [&] { return LocalStore(run).head().has_value(); }))
      << first.output();
  ToguzProcess second(folder / "second.txt", {"train", "--run", run, "--resume"});
  const auto ended = second.wait(60s);
  EXPECT_TRUE(ended && *ended != 0 && *ended < 128) << second.output();
  EXPECT_THAT(second.output(), HasSubstr("in use by process"));
  EXPECT_TRUE(first.running());
  first.terminate();
  EXPECT_EQ(first.wait(60s), 0) << first.output();
}

}  // namespace
}  // namespace toguz::testing
