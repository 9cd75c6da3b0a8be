#include "training/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("toguz_experiment_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path file(const std::string& text) const {
    const fs::path path = root_ / "e.toml";
    std::ofstream(path) << text;
    return path;
  }
  std::string fault(const std::string& text) const {
    try {
      loadExperiment(file(text));
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("e.toml"));
      return error.what();
    }
    return "";
  }

  static constexpr const char* kTwo = "[[arm]]\nname = \"a\"\n[[arm]]\nname = \"b\"\n";
  fs::path root_;
  std::atomic<bool> stop_{false};
};

TEST_F(ExperimentTest, ReadsArmsAndLaysTheirSettingsOverThoseOfAll) {
  const Experiment experiment = loadExperiment(file(
      "[experiment]\nquestion = \"why?\"\nminutes = 2.5\nseeds = [3, 4]\nparallel = 2\n"
      "set = [\"replay.reuse=3\", \"selfplay.games=20\"]\nlimits = [\"nodes=50\", \"movetime=5\"]\n"
      "games = 10\n[[arm]]\nname = \"plain\"\n[[arm]]\nname = \"more\"\nset = "
      "[\"replay.reuse=9\"]\n"));
  EXPECT_EQ(experiment.question, "why?");
  ASSERT_EQ(experiment.arms.size(), 2u);
  const Config plain = experiment.config(experiment.arms[0], 4);
  const Config more = experiment.config(experiment.arms[1], 3);
  EXPECT_EQ(plain.replay.reuse, 3);
  EXPECT_EQ(more.replay.reuse, 9);
  EXPECT_EQ(more.selfplay.games, 20);
  EXPECT_EQ(plain.run.seed, 4);
  EXPECT_EQ(more.run.minutes, 2.5);
  EXPECT_FALSE(plain.gate.enabled);
}

TEST_F(ExperimentTest, EveryFaultIsOneLineThatNamesItsPlace) {
  const std::string two = kTwo;
  EXPECT_THAT(fault(""), HasSubstr("two arms"));
  EXPECT_THAT(fault("[[arm]]\nname = \"a\"\n"), HasSubstr("two arms"));
  EXPECT_THAT(fault("minutes = 3\n" + two), HasSubstr("unknown key 'minutes'"));
  EXPECT_THAT(fault("[experiment]\nminuts = 3\n" + two), HasSubstr(":2: unknown key 'minuts'; did "
                                                                   "you mean 'minutes'?"));
  EXPECT_THAT(fault("[experiment]\nminutes = \"long\"\n" + two), HasSubstr(":2: minutes wants"));
  EXPECT_THAT(fault("[experiment]\nminutes = -1\n" + two), HasSubstr("minutes"));
  EXPECT_THAT(fault("[experiment]\nseeds = []\n" + two), HasSubstr("seeds"));
  EXPECT_THAT(fault("[experiment]\nseeds = [1, 1]\n" + two), HasSubstr("twice"));
  EXPECT_THAT(fault("[experiment]\nseeds = 1\n" + two), HasSubstr("list"));
  EXPECT_THAT(fault("[experiment]\nlimits = []\n" + two), HasSubstr("limits"));
  EXPECT_THAT(fault(two + "[[arm]]\nname = \"a\"\n"), HasSubstr("second arm named 'a'"));
  EXPECT_THAT(fault(two + "[[arm]]\nname = \"../x\"\n"), HasSubstr("name of letters"));
  EXPECT_THAT(fault(two + "[[arm]]\nset = []\n"), HasSubstr("name"));
  EXPECT_THAT(fault(two + "[[arm]]\nname = \"c\"\nset = [\"replay.reus=3\"]\n"),
              HasSubstr("arm 'c'"));
  EXPECT_THAT(fault(two + "[[arm]]\nname = \"c\"\nset = [\"game.variant=seven\"]\n"),
              HasSubstr("same variant"));
  EXPECT_THAT(fault("[experiment\n" + two), HasSubstr(":1:"));
  EXPECT_THAT(fault("arm = 3\n"), HasSubstr("[[arm]]"));
  EXPECT_THAT(fault("experiment = 3\n" + two), HasSubstr("experiment"));
  EXPECT_THAT(fault("[experiment]\nseeds = [-1]\n" + two), HasSubstr("seeds"));
  EXPECT_THAT(fault("[experiment]\nlimits = [\"nodez=3\"]\n" + two), HasSubstr("limits"));
  EXPECT_THAT(fault("[experiment]\nlimits = [\"nodes=x\"]\n" + two), HasSubstr("limits"));
  EXPECT_THAT(fault("[experiment]\nlimits = [\"nodes=3\", \"nodes=3\"]\n" + two),
              HasSubstr("twice"));
  EXPECT_THAT(fault("\"a\\nb\" = 1\n" + two), HasSubstr("unknown key"));
  EXPECT_THAT(fault("[experiment]\nset = [\"run.minutes=5\"]\n" + two), HasSubstr("minutes"));
  EXPECT_THROW(loadExperiment(root_ / "none.toml"), UsageError);
  EXPECT_THROW(loadExperiment(root_), UsageError);
  EXPECT_EQ(fault(two), "");
}

TEST_F(ExperimentTest, FullTrainsMeetsAndReportsAndGoesOnWhereItWasStopped) {
  const Experiment experiment = loadExperiment(file(
      "[experiment]\nquestion = \"Wide or narrow?\"\nminutes = 0.05\nseeds = [1, 2]\nparallel = 2\n"
      "games = 6\nlimits = [\"nodes=8\"]\n"
      "set = [\"game.variant=bestemshe\", \"network.blocks=1\", \"selfplay.games=8\", "
      "\"replay.window_min=200\", \"training.batch=32\", \"selfplay.full_nodes=8\", "
      "\"selfplay.full_nodes_final=8\", \"selfplay.cheap_nodes=4\"]\n"
      "[[arm]]\nname = \"narrow\"\nset = [\"network.width=16\"]\n"
      "[[arm]]\nname = \"wide\"\nset = [\"network.width=32\"]\n"));
  std::vector<std::string> said;
  ExperimentSetup setup{root_ / "out", TOGUZ_PROGRAM, &stop_,
                        [&](const std::string& line) { said.push_back(line); }};
  {
    std::thread stopper([&] {
      // As soon as a training is under way, whenever that is on a busy machine.
      for (int i = 0; i < 1200 && !fs::exists(root_ / "out/narrow-s1/config.toml"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop_ = true;
    });
    EXPECT_FALSE(runExperiment(experiment, setup));
    stopper.join();
  }
  EXPECT_FALSE(fs::exists(root_ / "out/results.md"));
  EXPECT_TRUE(fs::exists(root_ / "out/narrow-s1/config.toml"));
  stop_ = false;
  ASSERT_TRUE(runExperiment(experiment, setup));
  const std::string table = readFile(root_ / "out/results.md");
  EXPECT_THAT(table, HasSubstr("Wide or narrow?"));
  EXPECT_THAT(table, HasSubstr("| wide |"));
  const auto results = nlohmann::json::parse(readFile(root_ / "out/results.json"));
  ASSERT_EQ(results["limits"]["nodes=8"].size(), 2u);
  EXPECT_EQ(results["limits"]["nodes=8"][0]["elo"], 0.0);
  EXPECT_GT(results["limits"]["nodes=8"][1]["games"], 5.0);

  // All there: nothing is trained or played again.
  said.clear();
  const auto before = fs::last_write_time(root_ / "out/wide-s2/best.tzn");
  ASSERT_TRUE(runExperiment(experiment, setup));
  EXPECT_EQ(fs::last_write_time(root_ / "out/wide-s2/best.tzn"), before);
  EXPECT_EQ(said.size(), 1u);

  // Other settings must not pass for these: not of a training, nor of a match.
  Experiment other = experiment;
  other.arms[1].settings = {"network.width=48"};
  EXPECT_THROW(runExperiment(other, setup), UsageError);
  other = experiment;
  other.games = 8;
  EXPECT_THROW(runExperiment(other, setup), UsageError);
  // Nor a training that was told to stop for one that is done.
  fs::remove(root_ / "out/wide-s2.done");
  ASSERT_TRUE(runExperiment(experiment, setup));
  setup.folder = root_ / "a,b";
  EXPECT_THROW(runExperiment(experiment, setup), UsageError);
}

TEST_F(ExperimentTest, AChildStoppedFromOutsideIsNotDone) {
  const Experiment experiment = loadExperiment(file(kTwo));
  // A program that ends well at once, as `train` does when it is told to stop.
  ExperimentSetup setup{root_ / "out", "/bin/true", &stop_, [](const std::string&) {}};
  try {
    runExperiment(experiment, setup);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("stopped from outside"));
  }
  EXPECT_FALSE(fs::exists(root_ / "out/a-s1.done"));
}

TEST_F(ExperimentTest, AFailedTrainingIsNamedWithItsLog) {
  const Experiment experiment = loadExperiment(file(kTwo));
  ExperimentSetup setup{root_ / "out", "/bin/false", &stop_, [](const std::string&) {}};
  try {
    runExperiment(experiment, setup);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(".log"));
  }
}

TEST_F(ExperimentTest, ThoseOfTheRepositoryAreSound) {
  const fs::path folder = fs::path(TOGUZ_TEST_DATA) / "../../configs/experiments";
  int experiments = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    EXPECT_GE(loadExperiment(entry.path()).arms.size(), 2u);
    ++experiments;
  }
  EXPECT_GT(experiments, 1);
}

}  // namespace
}  // namespace toguz
