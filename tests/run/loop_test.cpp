#include "training/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "store/archive.h"
#include "training/checkpoint.h"
#include "training/game_statistics.h"
#include "training/metrics.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

class LoopTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("toguz_loop_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  // Small enough for a second or two.
  static Config tiny() {
    Config config;
    config.game.variant = "bestemshe";
    config.network = {.width = 16, .blocks = 1};
    config.run.minutes = 0;
    config.run.maxSteps = 60;
    config.selfplay.games = 16;
    config.selfplay.fullNodes = config.selfplay.fullNodesFinal = 16;
    config.selfplay.cheapNodes = 6;
    config.replay.windowMin = 300;
    config.training.batch = 64;
    config.training.publishSteps = 10;
    config.training.warmupSteps = 5;
    config.gate.nodes = 8;
    config.gate.pairsMax = 4;
    config.rating.share = 0;
    return config;
  }

  fs::path root_;
  std::atomic<bool> stop_{false};
};

std::string trainerState(const fs::path& run) {
  const auto checkpoint = CheckpointFolder(run / "checkpoints").newest();
  EXPECT_TRUE(checkpoint.has_value());
  return readFile(checkpoint->folder / "trainer.state");
}

TEST_F(LoopTest, LockStepRunsRepeatAndResumeToTheBit) {
  Config config = tiny();
  config.run.deterministic = true;
  config.gate.enabled = false;
  EXPECT_EQ(train({config, root_ / "straight", false, {}}, stop_), TrainEnd::BudgetSpent);
  const std::string straight = trainerState(root_ / "straight");
  EXPECT_EQ(train({config, root_ / "again", false, {}}, stop_), TrainEnd::BudgetSpent);
  EXPECT_EQ(trainerState(root_ / "again"), straight);

  EXPECT_EQ(train({config, root_ / "half", false, 30}, stop_), TrainEnd::Stopped);
  EXPECT_NE(trainerState(root_ / "half"), straight);
  EXPECT_EQ(train({config, root_ / "half", true, {}}, stop_), TrainEnd::BudgetSpent);
  EXPECT_EQ(trainerState(root_ / "half"), straight);
  const Model half = loadModel(root_ / "half" / "best.tzn");
  const Model whole = loadModel(root_ / "straight" / "best.tzn");
  ASSERT_EQ(half.tensors.size(), whole.tensors.size());
  for (std::size_t i = 0; i < half.tensors.size(); ++i)
    EXPECT_EQ(half.tensors[i].data, whole.tensors[i].data) << half.tensors[i].name;

  config.run.seed = 2;
  EXPECT_EQ(train({config, root_ / "other", false, {}}, stop_), TrainEnd::BudgetSpent);
  EXPECT_NE(trainerState(root_ / "other"), straight);
}

TEST(GameStatistics, CountsWhatTheGamesWereLike) {
  GameStatistics statistics;
  // Random play up to the first tuzdik; the record ends there as if won.
  Rng rng(4);
  GameRecord record;
  record.start = Position::start(kStandard);
  Game game(record.rules);
  for (int ply = 0; ply < 500 && !game.position().hasTuzdik(Side::First) &&
                    !game.position().hasTuzdik(Side::Second);
       ++ply) {
    MoveRecord move;
    PitMask rest = game.legal();
    for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(rest))); skip > 0; --skip)
      rest &= rest - 1;
    move.pit = static_cast<std::uint8_t>(std::countr_zero(rest));
    move.nodes = 10;
    move.rootWinLoss = 0.5f;
    move.weight = ply % 2 ? 1.0f : 0.1f;
    record.moves.push_back(move);
    game.play(move.pit);
  }
  ASSERT_FALSE(game.over());
  record.outcome.result = Result::FirstWins;
  record.outcome.reason = EndReason::Majority;
  statistics.add(record);
  const auto json = statistics.json();
  EXPECT_EQ(json["recent_games"], 1);
  EXPECT_EQ(json["mean_plies"], record.moves.size());
  EXPECT_EQ(json["draw_share"], 0.0);
  EXPECT_EQ(json["first_player_score"], 1.0);
  EXPECT_EQ(json["tuzdiks"]["a_game"], 1.0);
  EXPECT_EQ(json["tuzdiks"]["ply"], record.moves.size() - 1);
  EXPECT_EQ(json["both_tuzdiks"], 0.0);
  EXPECT_NEAR(json["decided_share"].get<double>(), 0.5, 0.1);
  EXPECT_GT(json["calibration"]["opening"]["bins"][7][0], 1);
  EXPECT_EQ(GameStatistics().json()["mean_plies"], 0.0);
}

TEST_F(LoopTest, FullSelfPlayOnADeviceOfLibTorch) {
  Config config = tiny();
  config.selfplay.device = "torch:cpu";
  config.selfplay.workers = 3;
  config.run.maxSteps = 200;  // needs more rows than the first games in flight have
  EXPECT_EQ(train({config, root_ / "run", false, {}}, stop_), TrainEnd::BudgetSpent);
  const GameArchive store(root_ / "run" / "games", Rules(kBestemshe));
  EXPECT_GT(store.gameCount(), 5u);
  // Games were played with networks that the trainer had published meanwhile.
  std::uint32_t newest = 0;
  store.read(0, store.gameCount(), [&](const GameRecord& game) {
    newest = std::max(newest, game.moves.front().generation);
    return true;
  });
  EXPECT_GT(newest, 0u);
}

TEST_F(LoopTest, ThreadedRunLeavesEverythingARunShould) {
  Config config = tiny();
  config.rating.share = 1;
  config.rating.opponents = {"random"};
  config.rating.games = 4;
  config.rating.everySeconds = 1;
  config.gate.everySeconds = 1;
  config.gate.share = 1;
  config.run.maxSteps = 200;
  const fs::path run = root_ / "run";
  EXPECT_EQ(train({config, run, false, {}}, stop_), TrainEnd::BudgetSpent);
  for (const char* file : {"config.toml", "metrics.jsonl", "log.txt", "best.tzn"})
    EXPECT_TRUE(fs::exists(run / file)) << file;
  EXPECT_EQ(loadModel(run / "best.tzn").rules, Rules(kBestemshe));

  const auto checkpoint = CheckpointFolder(run / "checkpoints").newest();
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->counters.step, 200u);
  const GameArchive store(run / "games", Rules(kBestemshe));
  EXPECT_EQ(store.gameCount(), checkpoint->counters.games);
  EXPECT_GT(checkpoint->counters.generation, 5u);

  // Reuse is held: steps * batch over rows is at most the configured reuse and a batch or two.
  const double uses = 200.0 * 64 / static_cast<double>(checkpoint->counters.rows);
  EXPECT_LE(uses, config.replay.reuse * 1.1);

  std::ifstream metrics(run / "metrics.jsonl");
  std::uint64_t last = 0;
  int lines = 0;
  for (std::string line; std::getline(metrics, line); ++lines) {
    const auto step = nlohmann::json::parse(line).at("step").get<std::uint64_t>();
    EXPECT_GE(step, last);
    last = step;
  }
  EXPECT_GT(lines, 0);
}

TEST_F(LoopTest, GoesOnAfterItsBudgetGrew) {
  Config config = tiny();
  const fs::path run = root_ / "run";
  EXPECT_EQ(train({config, run, false, {}}, stop_), TrainEnd::BudgetSpent);
  const auto before = CheckpointFolder(run / "checkpoints").newest()->counters;
  config.run.maxSteps = 120;
  EXPECT_EQ(train({config, run, true, {}}, stop_), TrainEnd::BudgetSpent);
  const auto after = CheckpointFolder(run / "checkpoints").newest()->counters;
  EXPECT_EQ(after.step, 120u);
  EXPECT_GE(after.games, before.games);
  EXPECT_GT(after.generation, before.generation);
  EXPECT_GT(after.extra.at("session").get<int>(), 0);
}

TEST_F(LoopTest, AStopEndsItAtOnceAndCleanly) {
  Config config = tiny();
  config.run.maxSteps = 1000000;
  const fs::path run = root_ / "run";
  std::thread stopper([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    stop_ = true;
  });
  EXPECT_EQ(train({config, run, false, {}}, stop_), TrainEnd::Stopped);
  stopper.join();
  EXPECT_TRUE(CheckpointFolder(run / "checkpoints").newest());
  EXPECT_NO_THROW(loadModel(run / "best.tzn"));
}

TEST_F(LoopTest, RefusesWhatItCannotGoOnWith) {
  Config config = tiny();
  const fs::path run = root_ / "run";
  train({config, run, false, 20}, stop_);
  EXPECT_THROW(train({config, run, false, {}}, stop_), UsageError);  // a run is there already
  EXPECT_THROW(train({config, root_ / "none", true, {}}, stop_), UsageError);
  Config other = config;
  other.network.width = 32;
  EXPECT_THROW(train({other, run, true, {}}, stop_), UsageError);

  // The newest checkpoint is damaged: an older one serves. All are: one clear error.
  for (const auto& entry : fs::directory_iterator(run / "checkpoints"))
    fs::resize_file(entry.path() / "trainer.state", 100);
  try {
    train({config, run, true, {}}, stop_);
    FAIL() << "a run of damaged checkpoints went on";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("trainer.state"), std::string::npos) << error.what();
  }
}

TEST_F(LoopTest, ARefusedResumeChangesNothing) {
  Config config = tiny();
  const fs::path run = root_ / "run";
  train({config, run, false, 20}, stop_);
  const std::string before = readFile(run / "config.toml");
  Config other = config;
  other.network.width = 32;
  EXPECT_THROW(train({other, run, true, {}}, stop_), UsageError);
  EXPECT_EQ(readFile(run / "config.toml"), before);
  EXPECT_THAT(differences(loadRunConfig(run / "config.toml"), config), testing::IsEmpty());
  EXPECT_EQ(train({config, run, true, {}}, stop_), TrainEnd::BudgetSpent);
}

TEST_F(LoopTest, ACutConfigurationIsRefusedAtEveryLength) {
  const fs::path path = root_ / "config.toml";
  saveRunConfig(tiny(), path);
  const std::string whole = readFile(path);
  EXPECT_NO_THROW(loadRunConfig(path));
  for (std::size_t size = 0; size + 2 < whole.size(); size += 37) {
    writeFileAtomically(path, whole.substr(0, size));
    EXPECT_THROW(loadRunConfig(path), UsageError) << size;
  }
}

TEST_F(LoopTest, TheLastStepsAreInThePlayingEngine) {
  Config config = tiny();
  config.training.publishSteps = 1000;  // never within the run
  config.gate.pairsMax = 1;
  for (const bool gated : {false, true}) {
    config.gate.enabled = gated;
    const fs::path run = root_ / (gated ? "gated" : "open");
    EXPECT_EQ(train({config, run, false, {}}, stop_), TrainEnd::BudgetSpent);
    EXPECT_EQ(loadModel(run / "best.tzn").provenance.at("step").get<int>(), 60);
  }
}

TEST_F(LoopTest, AMissingPlayingEngineIsMadeAgain) {
  const Config config = tiny();
  const fs::path run = root_ / "run";
  train({config, run, false, {}}, stop_);
  fs::remove(run / "best.tzn");
  EXPECT_EQ(train({config, run, true, {}}, stop_), TrainEnd::BudgetSpent);
  EXPECT_NO_THROW(loadModel(run / "best.tzn"));
}

TEST_F(LoopTest, ADamagedNewestCheckpointIsNotPassedOverInSilence) {
  Config config = tiny();
  config.run.maxSteps = 120;
  const fs::path run = root_ / "run";
  train({config, run, false, 30}, stop_);
  train({config, run, true, 60}, stop_);
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints"))
    newest = std::max(newest, entry.path());
  fs::resize_file(newest / "trainer.state", 100);
  EXPECT_THROW(train({config, run, true, {}}, stop_), Error);
  config.store.skipDamaged = true;
  EXPECT_EQ(train({config, run, true, {}}, stop_), TrainEnd::BudgetSpent);
}

TEST_F(LoopTest, BadOpponentsAreFoundBeforeTheRunStarts) {
  Config config = tiny();
  config.rating.opponents = {"random", "foo"};
  EXPECT_THROW(train({config, root_ / "run", false, {}}, stop_), UsageError);
  EXPECT_FALSE(fs::exists(root_ / "run"));
}

// Killed with signal 9 at ten random moments; each time the run goes on from what it had.
TEST_F(LoopTest, FullKilledTenTimesAndResumedEachTime) {
  Config config = tiny();
  config.run.maxSteps = 100000;
  config.run.checkpointSeconds = 0.3;
  config.store.flushSeconds = 0.3;
  const fs::path run = root_ / "run";
  Rng rng(static_cast<std::uint64_t>(::getpid()));
  std::uint64_t lastStep = 0, lastGames = 0;
  for (int kill = 0; kill < 10; ++kill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        train({config, run, fs::exists(run / "checkpoints" / "00000000") || kill > 0, {}}, stop_);
      } catch (...) {
        ::_exit(3);
      }
      ::_exit(0);
    }
    ::usleep(400000 + rng.below(1600000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status))
        << "the run ended by itself at kill " << kill << ", status " << status;
    const auto checkpoint = CheckpointFolder(run / "checkpoints").newest();
    ASSERT_TRUE(checkpoint) << "kill " << kill;
    const GameArchive store(run / "games", Rules(kBestemshe));
    EXPECT_GE(checkpoint->counters.step, lastStep);
    EXPECT_GE(store.gameCount(), lastGames);
    EXPECT_GE(store.gameCount(), checkpoint->counters.games);
    lastStep = checkpoint->counters.step;
    lastGames = store.gameCount();
  }
  EXPECT_GT(lastStep, 0u);
}

}  // namespace
}  // namespace toguz
