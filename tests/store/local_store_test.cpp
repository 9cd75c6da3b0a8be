// What is peculiar to a store of files.
#include "store/local_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "base/file.h"
#include "tests/store/stores.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::handledOf;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Not;
using testing::overwrite;
using ::testing::SizeIs;
using testing::someBytes;
using testing::someHead;
using testing::someReport;
using testing::someRun;
using Taken = RunStore::Taken;

class LocalStores : public ::testing::Test {
 protected:
  LocalStores() : learner_(folder_.path()), worker_(folder_.path()) {
    learner_.lead(someRun(), "owner");
  }
  Taken send(std::uint64_t sequence, std::size_t size = 100) {
    return worker_.append(someRun().id, 7, sequence,
                          someBytes(size, static_cast<unsigned>(sequence)));
  }
  std::filesystem::path file(const std::string& name) const { return folder_ / "store" / name; }
  static std::string modelName(const std::string& model) {
    return "models/" + hexText(sha256(model)) + ".tzn";
  }
  // As if it had been written so long ago.
  void age(const std::string& name, double seconds) {
    timespec times[2] = {{0, UTIME_OMIT}, {}};
    times[1].tv_sec = static_cast<time_t>(local::now() - seconds);
    ASSERT_EQ(utimensat(AT_FDCWD, file(name).c_str(), times, 0), 0) << name;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(file(name)); }

  testing::TemporaryFolder folder_;
  LocalStore learner_, worker_;
};

TEST_F(LocalStores, OldModelsAreRemoved) {
  const auto bytes = [](const char* text) { return [text] { return std::string(text); }; };
  learner_.publish(someHead("one"), "one");
  learner_.keepModel(sha256("kept"), bytes("kept"));
  learner_.keepModel(sha256("dropped"), bytes("dropped"));
  for (const char* model : {"one", "kept", "dropped"}) age(modelName(model), 4000);
  learner_.keepModel(sha256("kept"), bytes("kept"));
  learner_.publish(someHead("one"), {});
  EXPECT_TRUE(exists(modelName("one")));  // in use, however old
  EXPECT_TRUE(exists(modelName("kept")));
  EXPECT_FALSE(exists(modelName("dropped")));

  learner_.publish(someHead("two", 2), "two");
  EXPECT_TRUE(exists(modelName("one")));  // ten minutes from now on
  age(modelName("one"), 590);
  age(modelName("kept"), 610);
  learner_.renew({});
  EXPECT_TRUE(exists(modelName("one")));
  EXPECT_FALSE(exists(modelName("kept")));
  age(modelName("one"), 610);
  learner_.publish(someHead("two", 2), {});
  EXPECT_FALSE(exists(modelName("one")));
  EXPECT_TRUE(exists(modelName("two")));
}

TEST_F(LocalStores, ReportsGrowOld) {
  worker_.report(someReport(1));
  worker_.report(someReport(2));
  worker_.report(someReport(3));
  age("workers/" + hex64(1) + ".json", kAliveSeconds + 5);
  age("workers/" + hex64(2) + ".json", kAliveSeconds - 10);
  age("workers/" + hex64(3) + ".json", 4000);
  const StoreStatus status = learner_.status();
  ASSERT_THAT(status.workers, SizeIs(1));
  EXPECT_EQ(status.workers[0].report.id, 2u);
  EXPECT_NEAR(status.workers[0].secondsAgo, kAliveSeconds - 10, 3);
  learner_.renew({});
  EXPECT_TRUE(exists("workers/" + hex64(1) + ".json"));
  EXPECT_FALSE(exists("workers/" + hex64(3) + ".json"));
  age("learner.json", 100);
  EXPECT_NEAR(learner_.status().learnerSecondsAgo, 100, 3);
}

TEST_F(LocalStores, WhatKilledProcessesLeftIsRemoved) {
  for (const char* name : {"inbox/x.tzb.1.0.tmp", "tasks/a.json.1.0.tmp", "inbox/new.tzb.2.0.tmp",
                           "results/a.json.1.0.tmp", "models/x.tzn.1.0.tmp"})
    overwrite(file(name), "half");
  EXPECT_THAT(learner_.receive(10, 0ms), SizeIs(0));  // not whole
  EXPECT_EQ(learner_.status().backlogBatches, 0u);
  EXPECT_EQ(learner_.status().tasks, 0u);
  EXPECT_FALSE(worker_.takeTask(1s));
  EXPECT_THAT(learner_.taskResults(), SizeIs(0));
  for (const char* name : {"inbox/x.tzb.1.0.tmp", "tasks/a.json.1.0.tmp", "results/a.json.1.0.tmp",
                           "models/x.tzn.1.0.tmp"})
    age(name, 4000);
  learner_.publish(someHead("m"), "m");
  learner_.renew({});
  for (const char* name : {"inbox/x.tzb.1.0.tmp", "tasks/a.json.1.0.tmp", "results/a.json.1.0.tmp",
                           "models/x.tzn.1.0.tmp"})
    EXPECT_FALSE(exists(name)) << name;
  EXPECT_TRUE(exists("inbox/new.tzb.2.0.tmp"));
}

TEST_F(LocalStores, TheOldestBatchComesFirst) {
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) send(sequence);
  std::vector<std::string> names;
  for (const std::string& name : local::list(file("inbox"))) names.push_back(name);
  ASSERT_THAT(names, SizeIs(3));
  EXPECT_EQ(names[0], "0000000000000007-00000000000000000001.tzb");
  age("inbox/" + names[2], 50);
  age("inbox/" + names[0], 30);
  LocalStore late(folder_.path());
  EXPECT_NEAR(late.status().oldestSeconds, 50, 3);
  late.lead(someRun(), "owner");
  const auto got = late.receive(2, 0ms);
  ASSERT_THAT(got, SizeIs(2));
  EXPECT_EQ(got[0].bytes, someBytes(100, 3));
  EXPECT_NEAR(got[0].ageSeconds, 50, 3);
  EXPECT_EQ(got[1].bytes, someBytes(100, 1));
}

TEST_F(LocalStores, ABatchIsConfirmedWhenAllBeforeItAre) {
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) send(sequence);
  const auto got = learner_.receive(10, 0ms);
  ASSERT_THAT(got, SizeIs(3));
  learner_.acknowledge(std::vector{handledOf(got[1], 7, 2)});
  EXPECT_EQ(worker_.confirmed(7), 0u);
  learner_.acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(worker_.confirmed(7), 2u);
  // Another object of the same worker counts what it finds.
  LocalStore again(folder_.path());
  EXPECT_EQ(again.append(someRun().id, 7, 4, "x"), Taken::Yes);
  EXPECT_EQ(again.confirmed(7), 2u);
  learner_.acknowledge(std::vector{handledOf(got[2], 7, 3)});
  EXPECT_EQ(again.confirmed(7), 3u);
  EXPECT_EQ(worker_.confirmed(7), 3u);
}

TEST_F(LocalStores, AStoreThatVanishesConfirmsNothing) {
  send(1);
  const auto got = learner_.receive(10, 0ms);
  learner_.acknowledge(std::vector{handledOf(got.at(0), 7, 1)});
  send(2);
  send(3);
  EXPECT_EQ(worker_.confirmed(7), 1u);
  std::filesystem::rename(file(""), folder_ / "moved");
  EXPECT_EQ(worker_.confirmed(7), 1u);
  EXPECT_EQ(send(4), Taken::NoRun);
  EXPECT_THAT(messageOf<StoreUnavailable>([&] { learner_.renew({}); }),
              HasSubstr("setting it up again"));
  EXPECT_THROW(learner_.receive(10, 0ms), StoreUnavailable);
  EXPECT_THROW(learner_.publish(someHead("m"), "m"), StoreUnavailable);
  learner_.lead(someRun(), "owner");
  EXPECT_EQ(worker_.confirmed(7), 1u);
  EXPECT_EQ(send(2), Taken::Yes);
  EXPECT_EQ(worker_.confirmed(7), 1u);
  const auto again = learner_.receive(10, 0ms);
  learner_.acknowledge(std::vector{handledOf(again.at(0), 7, 2)});
  EXPECT_EQ(worker_.confirmed(7), 2u);
}

TEST_F(LocalStores, DamagedFilesAreNamedWithTheRemedy) {
  learner_.publish(someHead("m"), "m");
  learner_.renew({});
  const auto fault = [&](const char* name, auto&& call) {
    const std::string sound = readFile(file(name));
    for (const std::string& bad : {std::string(), sound.substr(0, sound.size() / 2),
                                   std::string("[]"), std::string("{\"format\": 9}")}) {
      overwrite(file(name), bad);
      EXPECT_THAT(messageOf<Error>(call), AllOf(HasSubstr(file(name).string()),
                                                HasSubstr("remove it"), Not(HasSubstr("\n"))))
          << bad;
    }
    overwrite(file(name), sound);
    call();
  };
  fault("run.json", [&] { LocalStore(folder_.path()).description(); });
  fault("run.json", [&] { worker_.description(); });
  fault("run.json", [&] { send(1); });
  fault("run.json", [&] { LocalStore(folder_.path()).lead(someRun(), "owner"); });
  fault("head.json", [&] { worker_.head(); });
  fault("learner.json", [&] { worker_.status(); });
}

// Reports are for show: one that a later version wrote must not blind everybody.
TEST_F(LocalStores, PassOverDamagedReportsAndMendADamagedHead) {
  worker_.report(someReport(7));
  worker_.report(someReport(8));
  overwrite(file("workers/" + hex64(7) + ".json"), "{\"format\": 9}");
  ASSERT_EQ(worker_.status().workers.size(), 1u);
  EXPECT_EQ(worker_.status().workers[0].report.id, 8u);
  learner_.publish(someHead("m"), "m");
  overwrite(file("head.json"), "{");
  learner_.publish(someHead("n", 2), "n");
  EXPECT_EQ(worker_.head(), someHead("n", 2));
}

// They would be waited for, or read, for ever.
TEST_F(LocalStores, PipesDevicesAndFoldersAreNoFiles) {
  ASSERT_EQ(mkfifo(file("inbox/0000000000000003-00000000000000000001.tzb").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero",
                                  file("inbox/0000000000000003-00000000000000000002.tzb"));
  std::filesystem::create_directories(file("workers"));
  std::filesystem::create_directory(file("workers/q.json"));
  ASSERT_EQ(mkfifo(file("head.json").c_str(), 0600), 0);
  send(1);
  EXPECT_EQ(learner_.receive(10, 0ms).size(), 1u);
  EXPECT_EQ(worker_.head(), std::nullopt);
  EXPECT_TRUE(worker_.status().workers.empty());
}

TEST_F(LocalStores, WhatIsTooLargeForABatchIsNotRead) {
  overwrite(file("inbox/large.tzb"), "x");
  std::filesystem::resize_file(file("inbox/large.tzb"), std::uintmax_t{1} << 40);  // of holes
  send(1);
  auto got = learner_.receive(10, 0ms);
  ASSERT_THAT(got, SizeIs(1));
  EXPECT_EQ(got[0].bytes, "");
  learner_.acknowledge(std::vector{handledOf(got[0], 0, 0)});
  EXPECT_FALSE(exists("inbox/large.tzb"));
  EXPECT_EQ(send(1), Taken::Yes);
}

TEST_F(LocalStores, ADiskThatTakesNoMoreIsUnavailable) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_EQ(send(1, 500), Taken::Yes);
  const std::string message = messageOf<StoreUnavailable>([&] { send(2, 5000); });
  const std::string model =
      messageOf<StoreUnavailable>([&] { learner_.publish(someHead("m"), someBytes(5000)); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, AllOf(HasSubstr(file("inbox").string()), HasSubstr("File too large")));
  EXPECT_THAT(model, AllOf(HasSubstr(file("models").string()), HasSubstr("File too large")));
  EXPECT_EQ(worker_.head(), std::nullopt);
  EXPECT_THAT(local::list(file("inbox")), SizeIs(1));  // nothing half-written
  EXPECT_EQ(send(2, 5000), Taken::Yes);
  EXPECT_THAT(learner_.receive(10, 0ms), SizeIs(2));
}

TEST_F(LocalStores, AFolderThatCannotBeUsedIsNamed) {
  std::filesystem::remove_all(file("models"));
  overwrite(file("models"), "a file");
  EXPECT_THAT(messageOf<StoreUnavailable>([&] { learner_.publish(someHead("m"), "m"); }),
              HasSubstr(file("models").string()));
  EXPECT_THAT(messageOf<StoreUnavailable>([&] { learner_.lead(someRun(), "owner"); }),
              HasSubstr(file("models").string()));
  LocalStore nowhere("/dev/null/run");
  EXPECT_EQ(nowhere.description(), std::nullopt);
  EXPECT_THAT(messageOf<StoreUnavailable>([&] { nowhere.lead(someRun(), "owner"); }),
              HasSubstr("/dev/null/run/store"));
}

TEST_F(LocalStores, ATaskThatWasFinishedTwiceAtATimeCountsOnce) {
  learner_.postTasks(std::vector<Task>{{"t", "x"}});
  ASSERT_TRUE(worker_.takeTask(100s));
  worker_.finishTask("t", "one");
  EXPECT_THAT(learner_.taskResults(), ElementsAre(::testing::Pair("t", "one")));
  overwrite(file("results/t.json"), "two");  // it had looked for the task before
  EXPECT_THAT(learner_.taskResults(), SizeIs(0));
  EXPECT_FALSE(exists("results/t.json"));
}

}  // namespace
}  // namespace toguz
