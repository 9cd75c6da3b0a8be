#include "training/checkpoint.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/file.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::overwrite;
using testing::TemporaryFolder;

Counters countersAt(std::uint64_t step) {
  Counters counters;
  counters.step = step;
  counters.rows = step * 1000003;
  counters.games = ~std::uint64_t{0} - step;
  counters.generation = static_cast<std::uint32_t>(step / 100);
  counters.elapsedSeconds = static_cast<double>(step) / 3.0;
  counters.tokens = 0.1 * static_cast<double>(step);
  counters.random["opening"] = Rng(step).state();
  counters.extra["note"] = {1, "two"};
  return counters;
}

std::string stateAt(std::uint64_t step, std::size_t size = 5000) {
  Rng rng(step);
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(rng());
  return bytes;
}

// As a trainer writes: plainly, in place.
void saveAt(CheckpointFolder& folder, std::uint64_t step, std::size_t size = 5000) {
  folder.save(countersAt(step),
              [&](const fs::path& to) { overwrite(to / "trainer.state", stateAt(step, size)); });
}

std::vector<std::string> namesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Checkpoint, RoundTripsToTheBit) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder.path());
  EXPECT_FALSE(checkpoints.newest().has_value());
  saveAt(checkpoints, 100);
  saveAt(checkpoints, 200);
  const auto newest = CheckpointFolder(folder.path()).newest();
  ASSERT_TRUE(newest.has_value());
  EXPECT_EQ(newest->counters, countersAt(200));
  EXPECT_EQ(readFile(newest->folder / "trainer.state"), stateAt(200));
}

TEST(Checkpoint, KeepsTheNewestAndEachNth) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder.path(), 2, 4);
  for (std::uint64_t step = 1; step <= 11; ++step) saveAt(checkpoints, step);
  EXPECT_THAT(namesIn(folder.path()),
              ::testing::ElementsAre("00000004", "00000008", "00000010", "00000011"));
}

TEST(Checkpoint, DamageIsNamedAndTheNewestSoundOneIsTaken) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder.path(), 3);
  saveAt(checkpoints, 1);
  saveAt(checkpoints, 2);
  const fs::path newer = folder / "00000002";
  for (const char* name : {"trainer.state", "counters.json", "MANIFEST"}) {
    const std::string sound = readFile(newer / name);
    std::string flipped = sound;
    flipped[sound.size() / 2] = static_cast<char>(flipped[sound.size() / 2] ^ 4);
    for (const std::string& bad : {flipped, sound.substr(0, sound.size() - 1), std::string()}) {
      overwrite(newer / name, bad);
      std::vector<std::string> skipped;
      const auto newest = checkpoints.newest(&skipped);
      ASSERT_TRUE(newest.has_value());
      EXPECT_EQ(newest->counters.step, 1u);
      ASSERT_EQ(skipped.size(), 1u);
      EXPECT_THAT(skipped[0], HasSubstr((newer / name).string()));
    }
    fs::remove(newer / name);
    EXPECT_THAT(messageOf<Error>([&] { CheckpointFolder::load(newer); }),
                AllOf(HasSubstr(name), HasSubstr("missing")));
    overwrite(newer / name, sound);
    EXPECT_EQ(checkpoints.newest()->counters.step, 2u);
  }
}

TEST(Checkpoint, ADamagedOneDoesNotPushOutASoundOne) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder.path(), 2);
  for (std::uint64_t step = 1; step <= 2; ++step) saveAt(checkpoints, step);
  overwrite(folder / "00000002/trainer.state", "");
  saveAt(checkpoints, 3);
  EXPECT_THAT(namesIn(folder.path()), ::testing::ElementsAre("00000001", "00000002", "00000003"));
}

TEST(Checkpoint, AFailedSaveChangesNothing) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder.path());
  saveAt(checkpoints, 1);
  EXPECT_THROW(checkpoints.save(countersAt(2),
                                [](const fs::path& to) {
                                  overwrite(to / "trainer.state", "half");
                                  throw Error("cannot write: No space left on device");
                                }),
               Error);
  EXPECT_THAT(namesIn(folder.path()), ::testing::ElementsAre("00000001"));
  EXPECT_EQ(checkpoints.newest()->counters.step, 1u);
}

// kill -9 at random moments of saving after saving: every restart finds a sound checkpoint no older
// than the last one whose save had returned, and clears away the rest.
void killWhileSaving(int kills) {
  TemporaryFolder folder;
  Rng rng(kills);
  std::uint64_t reached = 0;
  for (int round = 0; round < kills; ++round) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
      CheckpointFolder checkpoints(folder.path(), 2, 7);
      for (std::uint64_t step = reached + 1;; ++step) {
        saveAt(checkpoints, step, 200000);
        if (write(told[1], &step, sizeof step) != sizeof step) _exit(1);
      }
    }
    close(told[1]);
    std::uint64_t step = 0;
    ASSERT_EQ(read(told[0], &step, sizeof step), static_cast<ssize_t>(sizeof step));
    usleep(rng.below(20000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::uint64_t last = step;
    while (read(told[0], &step, sizeof step) == sizeof step) last = step;
    close(told[0]);

    CheckpointFolder checkpoints(folder.path(), 2, 7);
    std::vector<std::string> skipped;
    const auto newest = checkpoints.newest(&skipped);
    ASSERT_TRUE(newest.has_value());
    EXPECT_TRUE(skipped.empty()) << skipped.front();
    EXPECT_GE(newest->counters.step, last);
    EXPECT_LE(newest->counters.step, last + 1);
    EXPECT_EQ(newest->counters, countersAt(newest->counters.step));
    EXPECT_EQ(readFile(newest->folder / "trainer.state"), stateAt(newest->counters.step, 200000));
    for (const std::string& name : namesIn(folder.path())) EXPECT_NE(name[0], '.') << name;
    reached = newest->counters.step;
  }
}

TEST(Checkpoint, AKillWhileSavingLeavesALoadableOne) {
  killWhileSaving(10);
}
TEST(CheckpointFull, FiftyKillsWhileSaving) {
  killWhileSaving(50);
}

}  // namespace
}  // namespace toguz
