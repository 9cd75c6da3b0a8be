#include "training/run_directory.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "tests/training/records.h"
#include "training/metrics.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::overwrite;
using testing::TemporaryFolder;

TEST(RunDirectory, MakesItsLayout) {
  TemporaryFolder folder;
  const RunDirectory run = RunDirectory::create(folder / "a/b");
  for (const auto& path : {run.games(), run.checkpoints(), run.models()})
    EXPECT_TRUE(std::filesystem::is_directory(path));
  EXPECT_EQ(run.model(12).filename(), "g000012.tzn");
}

TEST(RunDirectory, AFreshRunNeedsAnEmptyFolder) {
  TemporaryFolder folder;
  { RunDirectory::create(folder / "empty"); }
  const auto path = folder / "run";
  {
    const RunDirectory run = RunDirectory::create(path);
    writeFileAtomically(run.config(), "[run]\n");
  }
  EXPECT_THAT(messageOf<UsageError>([&] { RunDirectory::create(path); }),
              AllOf(HasSubstr(path.string()), HasSubstr("--resume")));
  overwrite(folder / "thesis.txt", "x");
  EXPECT_THAT(messageOf<UsageError>([&] { RunDirectory::create(folder.path()); }),
              AllOf(HasSubstr("holds no run"), HasSubstr("--run")));
  EXPECT_THAT(messageOf<UsageError>([&] { RunDirectory::create(folder / "thesis.txt"); }),
              HasSubstr("is a file"));
  EXPECT_NO_THROW(RunDirectory::resume(path));
  EXPECT_THAT(messageOf<UsageError>([&] { RunDirectory::resume(folder / "nowhere"); }),
              AllOf(HasSubstr("nowhere"), HasSubstr("--resume")));
}

TEST(RunDirectory, TwoProcessesCannotUseOneRun) {
  TemporaryFolder folder;
  const auto path = folder / "run";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const RunDirectory run = RunDirectory::create(path);
    writeFileAtomically(run.config(), "[run]\n");
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char x;
  ASSERT_EQ(read(ready[0], &x, 1), 1);
  const std::string message = messageOf<Error>([&] { RunDirectory::resume(path); });
  EXPECT_THAT(message, AllOf(HasSubstr("in use by process " + std::to_string(child)),
                             HasSubstr(path.string())));
  EXPECT_THROW(RunDirectory::create(path), Error);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(RunDirectory::resume(path));  // a killed process bars nobody
  close(ready[0]);
  close(ready[1]);
}

std::string lines(std::initializer_list<int> steps) {
  std::string text;
  for (const int step : steps) text += "{\"step\":" + std::to_string(step) + ",\"loss\":1.5}\n";
  return text;
}

TEST(Metrics, AppendsLines) {
  TemporaryFolder folder;
  const auto path = folder / "metrics.jsonl";
  {
    MetricsLog log(path);
    log.write(0, {{"loss", 1.5}});
    log.write(7, {{"loss", 1.5}});
    log.write(7, {{"name", "\xff"}});  // no UTF-8
  }
  MetricsLog log(path);
  EXPECT_EQ(log.lastStep(), 7u);
  log.write(9, {{"loss", 1.5}});
  const std::string text = readFile(path);
  EXPECT_THAT(text, ::testing::StartsWith(lines({0, 7})));
  EXPECT_THAT(text, ::testing::EndsWith(lines({9})));
}

TEST(Metrics, RepairsAHalfWrittenLine) {
  TemporaryFolder folder;
  const auto path = folder / "metrics.jsonl";
  const std::string whole = lines({1, 2, 3});
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    overwrite(path, whole.substr(0, size));
    {
      MetricsLog log(path);
      log.write(log.lastStep() + 1, {{"loss", 1.5}});
    }
    EXPECT_TRUE(whole.starts_with(readFile(path)) || readFile(path) == lines({1, 2, 3, 4})) << size;
  }
}

TEST(Metrics, GoesBackToTheStepOfTheCheckpoint) {
  TemporaryFolder folder;
  const auto path = folder / "metrics.jsonl";
  overwrite(path, lines({100, 200, 300, 400}));
  MetricsLog log(path, 250);
  EXPECT_EQ(log.lastStep(), 200u);
  log.write(300, {{"loss", 1.5}});
  EXPECT_EQ(readFile(path), lines({100, 200, 300}));
}

TEST(Metrics, NamesADamagedLine) {
  TemporaryFolder folder;
  const auto path = folder / "metrics.jsonl";
  overwrite(path, lines({1}) + "nonsense\n" + lines({3}));
  EXPECT_THAT(messageOf<Error>([&] { MetricsLog log(path); }), HasSubstr("metrics.jsonl:2"));
}

TEST(Metrics, AFallingStepIsAProgrammingError) {
  TemporaryFolder folder;
  MetricsLog log(folder / "m.jsonl");
  log.write(5, nlohmann::ordered_json::object());
  EXPECT_DEATH(log.write(4, nlohmann::ordered_json::object()), "before the last one");
}

TEST(Progress, WordsAndNumbers) {
  EXPECT_EQ(durationText(42.4), "0:42");
  EXPECT_EQ(durationText(725), "12:05");
  EXPECT_EQ(durationText(11049), "3:04:09");
  EXPECT_EQ(countText(0), "0");
  EXPECT_EQ(countText(950), "950");
  EXPECT_EQ(countText(999.7), "1.00k");
  EXPECT_EQ(countText(12345), "12.3k");
  EXPECT_EQ(countText(4561000), "4.56M");
  EXPECT_EQ(Progress::line(252, 0.42, {{"games", "12.3k"}}), "[ 42%] 4:12, 5:48 left, games 12.3k");
  EXPECT_EQ(Progress::line(252, -1, {}), "4:12");
  EXPECT_EQ(Progress::line(1, 0.001, {}), "[  0%] 0:01");
}

std::string shown(bool terminal) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    Progress progress(out, terminal);
    for (int i = 0; i <= 100; ++i) progress.update(i * 0.25, -1, {{"n", i < 50 ? "12345" : "1"}});
  }
  std::fclose(out);
  const std::string result(text, size);
  std::free(text);
  return result;
}

TEST(Progress, OneLineEveryTenSecondsWhereThereIsNoTerminal) {
  EXPECT_EQ(shown(false), "0:00, n 12345\n0:10, n 12345\n0:20, n 1\n0:25, n 1\n");
}

TEST(Progress, RewritesTheLineOnATerminal) {
  const std::string text = shown(true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 51);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text, HasSubstr("\r0:13, n 1    \r"));  // blanks over the longer line before
}

TEST(RunDirectory, ARunThatWasKilledBeforeItBeganMayBeStartedAgain) {
  testing::TemporaryFolder folder;
  const auto path = folder / "run";
  { RunDirectory::create(path); }
  testing::overwrite(path / "identity.json", "{}");
  std::filesystem::create_directories(path / "checkpoints" / "00000000");
  { RunDirectory::create(path); }
  EXPECT_FALSE(std::filesystem::exists(path / "checkpoints" / "00000000"));

  // Not with a game, or with anything that no run has made.
  for (const char* name : {"games/00000000.tzg", "mine.txt"}) {
    testing::overwrite(path / "identity.json", "{}");
    testing::overwrite(path / name, "x");
    EXPECT_THROW(RunDirectory::create(path), UsageError) << name;
    EXPECT_TRUE(std::filesystem::exists(path / name));
    std::filesystem::remove(path / name);
  }
}

}  // namespace
}  // namespace toguz
