// The workers of other processes on a run's page.
#include "report/run_workers.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "report/page.h"
#include "report/run_report.h"
#include "store/report_json.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Not;
using testing::TemporaryFolder;

std::string workersLine(int step, double elapsed, int alive, const Json& more = Json::object()) {
  Json line = {{"step", step},
               {"kind", "workers"},
               {"elapsed", elapsed},
               {"workers_alive", alive},
               {"games_per_minute", 30.5 * alive},
               {"simulations_per_second", 9000.0 * alive},
               {"backlog_batches", 3},
               {"backlog_bytes", 2500000},
               {"oldest_seconds", 4.5},
               {"tasks", 5},
               {"remote_games", 1200},
               {"lag_seconds", 1.5},
               {"duplicates", 12},
               {"rejected", {{"another run", 3}, {"damaged", 1}}},
               {"match_games", 20}};
  line.update(more);
  return line.dump() + "\n";
}

WorkerSeen worker(std::uint64_t id, const std::string& host, std::uint32_t generation = 12) {
  WorkerSeen seen;
  seen.report.id = id;
  seen.report.host = host;
  seen.report.threads = 4;
  seen.report.games = 100 + id;
  seen.report.gamesPerMinute = 30.5;
  seen.report.simulationsPerSecond = 9000;
  seen.report.generation = generation;
  seen.report.spooledGames = 7;
  seen.secondsAgo = 2.5;
  return seen;
}

class RunWorkers : public ::testing::Test {
 protected:
  RunWorkers() : run_(folder_.path()) {
    writeFileAtomically(run_.config(), "[game]\nvariant = \"standard\"\n");
  }
  // As the learner writes it.
  void writeWorkers(std::vector<WorkerSeen> workers) {
    StoreStatus status;
    status.workers = std::move(workers);
    writeFileAtomically(run_.workers(), toJson(status).dump(1) + "\n");
  }

  TemporaryFolder folder_;
  RunPaths run_;
};

TEST_F(RunWorkers, ARunThatPlaysAloneHasNone) {
  writeFileAtomically(run_.metrics(), "{\"step\":10,\"kind\":\"train\",\"elapsed\":60}\n");
  EXPECT_FALSE(runReport(run_).contains("workers"));
}

TEST_F(RunWorkers, FiguresOverTimeAndWhatWasRefused) {
  writeFileAtomically(run_.metrics(),
                      workersLine(0, 30, 1) + "{\"step\":10,\"kind\":\"train\",\"elapsed\":60}\n" +
                          workersLine(10, 90, 3, {{"lag_seconds", nullptr}, {"duplicates", 13}}));
  writeWorkers({worker(1, "a")});
  const Json workers = runReport(run_)["workers"];
  EXPECT_EQ(workers["over"]["minutes"], Json({0.5, 1.5}));
  EXPECT_EQ(workers["over"]["alive"], Json({1.0, 3.0}));
  EXPECT_EQ(workers["over"]["games"], Json({30.5, 91.5}));
  EXPECT_EQ(workers["over"]["backlog"], Json({2.5, 2.5})) << "in 10^6 bytes";
  EXPECT_EQ(workers["over"]["lag"], Json({1.5, nullptr}));
  EXPECT_EQ(workers["last"]["duplicates"], 13);
  EXPECT_EQ(workers["last"]["remote_games"], 1200);
  EXPECT_EQ(workers["rejected"].dump(), R"([["another run",3],["damaged",1]])");
  EXPECT_FALSE(workers.contains("problem"));
}

TEST_F(RunWorkers, LinesWithoutTimeAreTimedByTheirSteps) {
  writeFileAtomically(run_.metrics(),
                      "{\"step\":10,\"kind\":\"train\",\"elapsed\":60}\n"
                      "{\"step\":20,\"kind\":\"workers\",\"workers_alive\":1}\n"
                      "{\"step\":30,\"kind\":\"train\",\"elapsed\":180}\n");
  const Json workers = runReport(run_)["workers"];
  EXPECT_EQ(workers["over"]["minutes"], Json({2.0}));
  EXPECT_TRUE(workers["rejected"].empty());
  EXPECT_TRUE(workers["last"]["duplicates"].is_null());
  EXPECT_TRUE(workers["list"].empty());
}

TEST_F(RunWorkers, EachWorkerInItsPlace) {
  writeWorkers({worker(9, "b"), worker(3, "b", 11), worker(200, "a")});
  const Json workers = runReport(run_)["workers"];
  ASSERT_EQ(workers["list"].size(), 3u);
  EXPECT_EQ(workers["list"][0], Json({{"host", "a"},
                                      {"id", "00000000000000c8"},
                                      {"threads", 4},
                                      {"games", 300},
                                      {"games_per_minute", 30.5},
                                      {"simulations_per_second", 9000.0},
                                      {"generation", 12},
                                      {"spooled_games", 7},
                                      {"seconds_ago", 2.5}}));
  EXPECT_EQ(workers["list"][1]["id"], "0000000000000003");
  EXPECT_EQ(workers["models"], Json({{12, 2}, {11, 1}})) << "newest first";
}

TEST_F(RunWorkers, NoneAndHundreds) {
  writeFileAtomically(run_.metrics(), workersLine(10, 60, 0));
  writeWorkers({});
  Json workers = runReport(run_)["workers"];
  EXPECT_EQ(workers["last"]["workers_alive"], 0);
  EXPECT_TRUE(workers["list"].empty());
  EXPECT_TRUE(workers["models"].empty());
  std::vector<WorkerSeen> many;
  for (std::uint64_t i = 0; i < 200; ++i) many.push_back(worker(i, "host" + std::to_string(i % 7)));
  writeWorkers(std::move(many));
  workers = runReport(run_)["workers"];
  EXPECT_EQ(workers["list"].size(), 200u);
  EXPECT_EQ(workers["models"], Json::array({{12, 200}}));
}

TEST_F(RunWorkers, NoHostsNameGetsOutOfItsText) {
  writeWorkers({worker(1, "</script><img src=x onerror=alert(1)>"), worker(2, "{{script}}"),
                worker(3, std::string(100000, 'x'))});
  const Json report = runReport(run_);
  const std::string page = runPage("t", report);
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cimg src=x"));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("\"{{script}}\""));
  EXPECT_EQ(report["workers"]["list"][1]["host"].get<std::string>().size(), 64u + 3);
}

TEST_F(RunWorkers, ADamagedListCostsTheListAlone) {
  writeFileAtomically(run_.metrics(), workersLine(10, 60, 2));
  for (const char* bad :
       {"", "[]", "{\"workers\":[", "{\"workers\":5}", "{\"workers\":[5]}",
        "{\"workers\":[{\"host\":\"a\"}]}", "{\"workers\":[{\"host\":\"\xff\"}]}", "{}"}) {
    writeFileAtomically(run_.workers(), bad);
    const Json workers = runReport(run_)["workers"];
    EXPECT_THAT(workers["problem"].get<std::string>(), HasSubstr("workers.json: ")) << bad;
    EXPECT_THAT(workers["problem"].get<std::string>(), Not(HasSubstr("\n"))) << bad;
    EXPECT_TRUE(workers["list"].empty()) << bad;
    EXPECT_EQ(workers["over"]["alive"], Json({2.0})) << bad;
    runPage("t", workers);
  }
}

TEST_F(RunWorkers, ADamagedLineIsNamed) {
  for (const char* bad : {R"({"kind":"workers"})", R"({"step":1,"kind":"workers","rejected":5})",
                          R"({"step":1,"kind":"workers","rejected":{"a":"b"}})"}) {
    writeFileAtomically(run_.metrics(), workersLine(0, 30, 1) + bad + "\n");
    EXPECT_THAT(messageOf<Error>([&] { runReport(run_); }), HasSubstr("metrics.jsonl:2: ")) << bad;
  }
}

}  // namespace
}  // namespace toguz
