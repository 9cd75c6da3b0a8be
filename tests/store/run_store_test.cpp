// What every store promises (store/run_store.h), of each of them.
#include "store/run_store.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "store/report_json.h"
#include "tests/store/redis_server.h"
#include "tests/store/stores.h"

namespace toguz {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::handledOf;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::someBytes;
using testing::someHead;
using testing::someReport;
using testing::someRun;
using Taken = RunStore::Taken;

// One server for the tests of a process, a run of its own for each of them.
std::unique_ptr<testing::RedisServer>& server() {
  static std::unique_ptr<testing::RedisServer> one;
  return one;
}

class Stores : public ::testing::TestWithParam<const char*> {
 protected:
  static void TearDownTestSuite() { server().reset(); }

  void SetUp() override {
    if (!redis()) return;
    if (!server()) server() = std::make_unique<testing::RedisServer>();
    static int runs = 0;
    run_ = "run" + std::to_string(runs++);
  }

  bool redis() const { return std::string(GetParam()) == "Redis"; }
  // Another process's view of the same run.
  std::unique_ptr<RunStore> open() {
    return openStore(redis() ? server()->url(run_) : folder_.path().string());
  }
  std::unique_ptr<RunStore> lead(const RunDescription& run = someRun()) {
    auto store = open();
    store->lead(run, "owner");
    return store;
  }
  // Damage past every check.
  void replaceModel(const Sha256& hash, const std::string& bytes) {
    if (redis())
      server()->ask({"SET", "toguz:{" + run_ + "}:model:" + hexText(hash), bytes});
    else
      testing::overwrite(folder_ / "store" / "models" / (hexText(hash) + ".tzn"), bytes);
  }

  testing::TemporaryFolder folder_;
  std::string run_;
};

Taken send(RunStore& store, WorkerId worker, std::uint64_t sequence, std::size_t size = 1000,
           char run = 'a') {
  return store.append(std::string(32, run), worker, sequence,
                      someBytes(size, static_cast<unsigned>(worker * 100 + sequence)));
}

std::vector<std::string> bytesOf(const std::vector<Delivery>& deliveries) {
  std::vector<std::string> bytes;
  for (const Delivery& delivery : deliveries) bytes.push_back(delivery.bytes);
  return bytes;
}

TEST_P(Stores, AreEmptyBeforeALearnerCame) {
  const auto store = open();
  EXPECT_EQ(store->description(), std::nullopt);
  EXPECT_EQ(store->head(), std::nullopt);
  EXPECT_EQ(store->model(sha256("x")), std::nullopt);
  EXPECT_EQ(store->confirmed(5), 0u);
  EXPECT_EQ(send(*store, 5, 1), Taken::NoRun);
  store->report(someReport(5));
  store->leave(5);
  EXPECT_FALSE(store->takeTask(10s));
  store->finishTask("t-1", "late");
  const StoreStatus status = store->status();
  EXPECT_FALSE(status.run || status.head || status.learner);
  EXPECT_THAT(status.workers, SizeIs(0));
  EXPECT_EQ(status.backlogBatches, 0u);
  EXPECT_THROW(store->receive(10, 0ms), StoreUnavailable);
  EXPECT_THROW(store->renew({}), StoreUnavailable);
}

TEST_P(Stores, TellWhatTheRunIs) {
  RunDescription run = someRun();
  const auto learner = lead(run);
  const auto worker = open();
  EXPECT_EQ(worker->description(), run);
  run.config += "[run]\nminutes = 10\n";  // the run is resumed with other settings
  run.backlogBytes *= 2;
  lead(run);
  EXPECT_EQ(worker->description(), run);
}

TEST_P(Stores, RefuseALearnerOfAnotherRun) {
  lead()->resign();
  const auto other = open();
  EXPECT_THAT(messageOf<Error>([&] { other->lead(someRun(1000, 'b'), "owner"); }),
              AllOf(HasSubstr("another run"), HasSubstr(std::string(32, 'a')),
                    HasSubstr(std::string(32, 'b'))));
  EXPECT_EQ(other->description(), someRun());
}

TEST_P(Stores, HandOutModelsByTheirHash) {
  const auto learner = lead();
  const auto worker = open();
  const std::string model = someBytes(100000), next = someBytes(90000, 3);
  learner->publish(someHead(model), model);
  EXPECT_EQ(worker->head(), someHead(model));
  EXPECT_EQ(worker->model(sha256(model)), model);
  EXPECT_EQ(worker->model(sha256(next)), std::nullopt);

  Head ended = someHead(model);  // the same model: it need not be sent again
  ended.progress = 1;
  ended.ended = true;
  learner->publish(ended, {});
  EXPECT_EQ(worker->head(), ended);

  learner->publish(someHead(next, 2), next);
  EXPECT_EQ(worker->head(), someHead(next, 2));
  EXPECT_EQ(worker->model(sha256(next)), next);
  // For those that had read the old head.
  EXPECT_EQ(worker->model(sha256(model)), model);
}

TEST_P(Stores, MoveTheHeadOnlyToModelsThatAreThere) {
  const auto learner = lead();
  const std::string model = someBytes(1000);
  EXPECT_THROW(learner->publish(someHead(model), {}), StoreUnavailable);
  EXPECT_EQ(open()->head(), std::nullopt);
  learner->publish(someHead(model), model);
  EXPECT_THROW(learner->publish(someHead("other", 2), {}), StoreUnavailable);
  EXPECT_EQ(open()->head(), someHead(model));
}

TEST_P(Stores, NeverReturnADamagedModel) {
  const auto learner = lead();
  const std::string model = someBytes(1000);
  learner->publish(someHead(model), model);
  for (const std::string& bad :
       {std::string(), model.substr(0, 999), model + '\0', someBytes(1000, 1)}) {
    replaceModel(sha256(model), bad);
    EXPECT_THAT(messageOf<StoreUnavailable>([&] { open()->model(sha256(model)); }),
                HasSubstr("damaged"));
  }
  learner->publish(someHead(model), model);
  EXPECT_EQ(open()->model(sha256(model)), model);
}

TEST_P(Stores, KeepTheModelsOfTasks) {
  const auto learner = lead();
  const std::string model = someBytes(1000);
  int made = 0;
  const auto bytes = [&] { return ++made, model; };
  for (int i = 0; i < 3; ++i) learner->keepModel(sha256(model), bytes);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(open()->model(sha256(model)), model);
  EXPECT_EQ(open()->head(), std::nullopt);
}

TEST_P(Stores, DeliverEachBatchAndConfirmIt) {
  const auto learner = lead();
  const auto worker = open();
  EXPECT_THAT(learner->receive(10, 0ms), SizeIs(0));
  EXPECT_EQ(send(*worker, 7, 1), Taken::Yes);
  EXPECT_EQ(send(*worker, 7, 2), Taken::Yes);
  EXPECT_EQ(send(*worker, 7, 3), Taken::Yes);
  EXPECT_EQ(worker->confirmed(7), 0u);

  auto got = learner->receive(2, 1000ms);
  EXPECT_THAT(bytesOf(got), ElementsAre(someBytes(1000, 701), someBytes(1000, 702)));
  for (const Delivery& delivery : got) EXPECT_LT(delivery.ageSeconds, 60);
  EXPECT_EQ(worker->confirmed(7), 0u);  // received is not archived
  learner->acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(worker->confirmed(7), 1u);
  learner->acknowledge(std::vector{handledOf(got[1], 7, 2)});
  EXPECT_EQ(worker->confirmed(7), 2u);

  got = learner->receive(10, 1000ms);
  EXPECT_THAT(bytesOf(got), ElementsAre(someBytes(1000, 703)));
  learner->acknowledge(std::vector{handledOf(got[0], 7, 3)});
  EXPECT_EQ(worker->confirmed(7), 3u);
  EXPECT_EQ(worker->confirmed(8), 0u);
  EXPECT_THAT(learner->receive(10, 0ms), SizeIs(0));
  learner->acknowledge({});
}

TEST_P(Stores, TakeABatchAgainThatIsSentAgain) {
  const auto learner = lead();
  const auto worker = open();
  send(*worker, 7, 1);
  auto got = learner->receive(10, 1000ms);
  EXPECT_EQ(send(*worker, 7, 1), Taken::Yes);  // it was not sure
  learner->acknowledge(std::vector{handledOf(got.at(0), 7, 1)});
  for (const Delivery& again : learner->receive(10, 0ms)) {
    EXPECT_EQ(again.bytes, someBytes(1000, 701));
    learner->acknowledge(std::vector{handledOf(again, 7, 1)});
  }
  EXPECT_EQ(worker->confirmed(7), 1u);
  EXPECT_EQ(send(*worker, 7, 1), Taken::Yes);  // after it was confirmed
  got = learner->receive(10, 1000ms);
  ASSERT_THAT(got, SizeIs(1));
  learner->acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(worker->confirmed(7), 1u);
  EXPECT_EQ(open()->status().backlogBatches, 0u);
  EXPECT_EQ(open()->status().backlogBytes, 0u);
}

TEST_P(Stores, KeepTheOrderOfSeveralWorkers) {
  const auto learner = lead();
  std::vector<std::unique_ptr<RunStore>> workers;
  for (int w = 0; w < 3; ++w) workers.push_back(open());
  std::vector<std::string> sent;
  for (std::uint64_t sequence = 1; sequence <= 12; ++sequence) {  // past one digit
    for (WorkerId w = 3; w >= 1; --w) {
      ASSERT_EQ(send(*workers[w - 1], w, sequence), Taken::Yes);
      sent.push_back(someBytes(1000, static_cast<unsigned>(w * 100 + sequence)));
    }
    // Files of one tick of the system's clock have the same time.
    if (!redis()) std::this_thread::sleep_for(12ms);
  }
  std::vector<std::string> received;
  while (received.size() < sent.size()) {
    const auto got = learner->receive(5, 1000ms);
    ASSERT_GT(got.size(), 0u);
    for (const Delivery& delivery : got) received.push_back(delivery.bytes);
  }
  ASSERT_EQ(received.size(), sent.size());
  for (WorkerId w = 1; w <= 3; ++w) {
    std::vector<std::string> ofWorker, expected;
    for (std::uint64_t sequence = 1; sequence <= 12; ++sequence)
      expected.push_back(someBytes(1000, static_cast<unsigned>(w * 100 + sequence)));
    for (const std::string& bytes : received)
      if (std::find(expected.begin(), expected.end(), bytes) != expected.end())
        ofWorker.push_back(bytes);
    EXPECT_EQ(ofWorker, expected) << w;
  }
  // Between workers: all of one sequence before any of the next.
  for (std::size_t i = 0; i < received.size(); ++i)
    EXPECT_EQ((std::find(sent.begin(), sent.end(), received[i]) - sent.begin()) / 3,
              static_cast<std::ptrdiff_t>(i / 3));
}

TEST_P(Stores, DeliverAgainWhatWasNotAcknowledged) {
  const auto worker = open();
  auto first = lead();
  for (std::uint64_t sequence = 1; sequence <= 4; ++sequence) send(*worker, 7, sequence);
  const auto got = first->receive(3, 1000ms);
  ASSERT_THAT(got, SizeIs(3));
  first->acknowledge(std::vector{handledOf(got[0], 7, 1)});
  first.reset();  // killed

  const auto second = lead();
  std::vector<std::string> again;
  for (int i = 0; i < 3 && again.size() < 3; ++i)
    for (const Delivery& delivery : second->receive(10, 100ms)) again.push_back(delivery.bytes);
  EXPECT_THAT(again, ElementsAre(someBytes(1000, 702), someBytes(1000, 703), someBytes(1000, 704)));
  EXPECT_EQ(worker->confirmed(7), 1u);
  EXPECT_THAT(second->receive(10, 0ms), SizeIs(0));
  second->lead(someRun(), "owner");  // as after a lost connection
  EXPECT_THAT(second->receive(10, 0ms), SizeIs(3));
}

TEST_P(Stores, WaitForTheFirstBatch) {
  const auto learner = lead();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(learner->receive(10, 200ms), SizeIs(0));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 190ms);
  std::thread later([&] {
    std::this_thread::sleep_for(100ms);
    send(*open(), 7, 1);
  });
  EXPECT_THAT(learner->receive(10, 20s), SizeIs(1));
  later.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

TEST_P(Stores, AreFullUntilTheLearnerHasCaughtUp) {
  const auto learner = lead(someRun(2500));
  const auto worker = open(), other = open();
  EXPECT_EQ(send(*worker, 7, 1), Taken::Yes);
  EXPECT_EQ(send(*other, 8, 1), Taken::Yes);
  EXPECT_EQ(send(*worker, 7, 2), Taken::Full);
  EXPECT_EQ(send(*worker, 7, 2, 500), Taken::Yes);  // exactly
  EXPECT_EQ(send(*other, 8, 2, 1), Taken::Full);
  EXPECT_EQ(learner->status().backlogBytes, 2500u);
  EXPECT_EQ(learner->status().backlogBatches, 3u);

  const auto got = learner->receive(10, 1000ms);
  ASSERT_THAT(got, SizeIs(3));                 // what was refused is not there
  EXPECT_EQ(send(*other, 8, 2), Taken::Full);  // received is not archived
  learner->acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(send(*other, 8, 2), Taken::Yes);
  EXPECT_EQ(send(*other, 8, 3), Taken::Full);
}

TEST_P(Stores, TakeABatchLargerThanAllThatMayWaitWhenNothingDoes) {
  const auto learner = lead(someRun(10));
  const auto worker = open();
  EXPECT_EQ(send(*worker, 7, 1), Taken::Yes);
  EXPECT_EQ(send(*worker, 7, 2, 1), Taken::Full);
  const auto got = learner->receive(10, 1000ms);
  ASSERT_THAT(got, SizeIs(1));
  learner->acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(send(*worker, 7, 2, kMaxBatchBytes), Taken::Yes);
}

TEST_P(Stores, RefuseBatchesOfAnotherRun) {
  const auto learner = lead();
  const auto worker = open();
  EXPECT_THAT(messageOf<Error>([&] { send(*worker, 7, 1, 10, 'b'); }), HasSubstr("another run"));
  EXPECT_THAT(learner->receive(10, 0ms), SizeIs(0));
}

TEST_P(Stores, HandOnGarbageAndForgetIt) {
  const auto learner = lead();
  const auto worker = open();
  EXPECT_EQ(worker->append(someRun().id, 7, 1, ""), Taken::Yes);
  EXPECT_EQ(worker->append(someRun().id, 7, 2, "no batch\r\n$-1\r\n"), Taken::Yes);
  const auto got = learner->receive(10, 1000ms);
  EXPECT_THAT(bytesOf(got), ElementsAre("", "no batch\r\n$-1\r\n"));
  std::vector<Handled> handled;
  for (const Delivery& delivery : got)
    handled.push_back({delivery.id, 0, 0, delivery.bytes.size()});
  learner->acknowledge(handled);
  EXPECT_EQ(learner->status().backlogBatches, 0u);
  EXPECT_EQ(learner->status().backlogBytes, 0u);
}

TEST_P(Stores, ShowWhoWorks) {
  const auto learner = lead();
  const auto one = open(), two = open();
  const WorkerId large = (WorkerId{1} << 39) - 1;
  one->report(someReport(large));
  two->report(someReport(2));
  LearnerReport report;
  report.host = "here";
  report.step = 12;
  report.rejected = {{"damaged", 1}, {"foreign", 3}};
  learner->renew(report);
  learner->publish(someHead("m"), "m");
  send(*one, large, 1);

  StoreStatus status = open()->status();
  EXPECT_EQ(status.run, someRun());
  EXPECT_EQ(status.head, someHead("m"));
  ASSERT_TRUE(status.learner);
  EXPECT_EQ(toJson(*status.learner), toJson(report));
  EXPECT_LT(status.learnerSecondsAgo, 10);
  ASSERT_THAT(status.workers, SizeIs(2));
  for (const WorkerSeen& worker : status.workers) {
    EXPECT_EQ(toJson(worker.report), toJson(someReport(worker.report.id)));
    EXPECT_LT(worker.secondsAgo, 10);
  }
  EXPECT_EQ(status.backlogBatches, 1u);
  EXPECT_EQ(status.backlogBytes, 1000u);
  EXPECT_LT(status.oldestSeconds, 10);
  EXPECT_EQ(status.memoryBytes > 0, redis());

  two->leave(2);
  status = open()->status();
  ASSERT_THAT(status.workers, SizeIs(1));
  EXPECT_EQ(status.workers[0].report.id, large);
  one->report(someReport(large));
  EXPECT_THAT(open()->status().workers, SizeIs(1));
}

TEST_P(Stores, GiveATaskToOneWorker) {
  const auto learner = lead();
  const auto one = open(), two = open();
  EXPECT_FALSE(one->takeTask(100s));
  learner->postTasks(std::vector<Task>{{"gate-1", someBytes(300)}, {"gate-2", ""}});
  EXPECT_EQ(learner->status().tasks, 2u);
  const auto first = one->takeTask(100s), second = two->takeTask(100s);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->id, second->id);
  EXPECT_EQ((first->id == "gate-1" ? first : second)->content, someBytes(300));
  EXPECT_FALSE(one->takeTask(100s));
  learner->postTasks(std::vector<Task>{{"gate-1", someBytes(300)}});  // it is somebody's
  EXPECT_FALSE(one->takeTask(100s));
  EXPECT_EQ(learner->status().tasks, 2u);
  EXPECT_THAT(learner->taskResults(), SizeIs(0));

  one->finishTask(first->id, someBytes(50));
  EXPECT_EQ(learner->status().tasks, 1u);
  EXPECT_THAT(learner->taskResults(), ElementsAre(Pair(first->id, someBytes(50))));
  EXPECT_THAT(learner->taskResults(), SizeIs(0));  // each once
  two->finishTask(second->id, "");
  EXPECT_THAT(learner->taskResults(), ElementsAre(Pair(second->id, "")));
  EXPECT_EQ(learner->status().tasks, 0u);
}

TEST_P(Stores, GiveATaskToAnotherWhenItsLeaseIsOver) {
  const auto learner = lead();
  const auto slow = open(), quick = open();
  learner->postTasks(std::vector<Task>{{"t", "content"}});
  ASSERT_TRUE(slow->takeTask(0s));
  std::this_thread::sleep_for(5ms);
  const auto again = quick->takeTask(100s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, "t");
  EXPECT_EQ(again->content, "content");
  quick->finishTask("t", "quick");
  slow->finishTask("t", "slow");  // late
  slow->finishTask("unheard-of", "x");
  EXPECT_THAT(learner->taskResults(), ElementsAre(Pair("t", "quick")));
  slow->finishTask("t", "slower");
  EXPECT_THAT(learner->taskResults(), SizeIs(0));
  EXPECT_FALSE(quick->takeTask(1s));
}

TEST_P(Stores, ForgetTasksThatAreDropped) {
  const auto learner = lead();
  const auto worker = open();
  learner->postTasks(std::vector<Task>{{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const auto taken = worker->takeTask(100s), done = worker->takeTask(100s);
  ASSERT_TRUE(taken && done);
  worker->finishTask(done->id, "r");
  learner->dropTasks();
  worker->finishTask(taken->id, "late");
  EXPECT_THAT(learner->taskResults(), SizeIs(0));
  EXPECT_FALSE(worker->takeTask(100s));
  EXPECT_EQ(learner->status().tasks, 0u);
}

TEST_P(Stores, GiveEachTaskOnceToManyAtATime) {
  const auto learner = lead();
  std::vector<Task> tasks;
  for (int i = 0; i < 30; ++i) tasks.push_back({"t-" + std::to_string(i), std::to_string(i)});
  learner->postTasks(tasks);
  std::vector<std::thread> threads;
  std::vector<std::vector<std::string>> taken(4);
  for (std::size_t w = 0; w < taken.size(); ++w)
    threads.emplace_back([&, w] {
      const auto store = open();
      while (const auto task = store->takeTask(100s)) {
        taken[w].push_back(task->id);
        store->finishTask(task->id, task->content);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::size_t count = 0;
  for (const auto& ids : taken) count += ids.size();
  EXPECT_EQ(count, 30u);
  EXPECT_THAT(learner->taskResults(), SizeIs(30));
}

TEST_P(Stores, AreTakenUpAgainAfterTheLearnerResigned) {
  auto first = lead();
  first->resign();
  const auto second = open();
  second->lead(someRun(), "somebody else");
  second->renew({});
  EXPECT_EQ(second->description(), someRun());
}

INSTANTIATE_TEST_SUITE_P(Both, Stores, ::testing::Values("Local", "Redis"),
                         [](const auto& store) { return std::string(store.param); });

}  // namespace
}  // namespace toguz
