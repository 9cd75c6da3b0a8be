#include "store/archive.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::overwrite;
using testing::randomRecord;
using testing::randomRecords;
using testing::sameRecord;
using testing::TemporaryFolder;

std::vector<GameRecord> readAll(const GameArchive& archive, std::uint64_t first = 0,
                                std::uint64_t last = ~std::uint64_t{0}) {
  std::vector<GameRecord> games;
  archive.read(first, last, [&](const GameRecord& game) {
    games.push_back(game);
    return true;
  });
  return games;
}

GameArchive::Options chunksOf(int games) {
  GameArchive::Options options;
  options.chunkGames = games;
  return options;
}

TEST(GameArchive, KeepsOrderAndCountsAcrossAReopening) {
  TemporaryFolder folder;
  const auto games = randomRecords(0, 57);
  {
    GameArchive store(folder.path(), Rules(), chunksOf(10));
    for (std::size_t i = 0; i < games.size(); i += 3)
      EXPECT_EQ(store.append({games.begin() + static_cast<std::ptrdiff_t>(i),
                              games.begin() + static_cast<std::ptrdiff_t>(i + 3)}),
                3u);
    EXPECT_EQ(store.gameCount(), 57u);
    EXPECT_EQ(readAll(store).size(), 57u);  // those in memory too
  }
  GameArchive store(folder.path(), Rules(), chunksOf(10));
  EXPECT_EQ(store.gameCount(), 57u);
  const auto back = readAll(store);
  ASSERT_EQ(back.size(), 57u);
  for (std::size_t i = 0; i < 57; ++i) EXPECT_TRUE(sameRecord(back[i], games[i]));
  const auto part = readAll(store, 8, 12);
  ASSERT_EQ(part.size(), 4u);
  EXPECT_EQ(part[0].id, 8u);
}

TEST(GameArchive, DropsGamesWhoseIdIsKnown) {
  TemporaryFolder folder;
  {
    GameArchive store(folder.path(), Rules(), chunksOf(4));
    EXPECT_EQ(store.append(randomRecords(0, 6)), 6u);
    EXPECT_EQ(store.append(randomRecords(3, 6)), 3u);
  }
  GameArchive store(folder.path(), Rules(), chunksOf(4));
  EXPECT_EQ(store.append(randomRecords(0, 9)), 0u);
  EXPECT_EQ(store.gameCount(), 9u);
  EXPECT_TRUE(store.contains(8));
  EXPECT_FALSE(store.contains(9));
}

TEST(GameArchive, FindsWhereEnoughRowsBegin) {
  TemporaryFolder folder;
  GameArchive store(folder.path(), Rules(), chunksOf(7));
  store.append(randomRecords(0, 40));  // five files and five games in memory
  const auto games = readAll(store);
  const auto rowsOf = [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t rows = 0;
    for (const auto& move : games)
      if (move.id >= first && move.id < last)
        for (const MoveRecord& m : move.moves) rows += m.fullSearch;
    return rows;
  };
  EXPECT_EQ(store.rowCount(), rowsOf(0, 40));
  for (const std::uint64_t last : {40u, 33u, 8u})
    for (const std::uint64_t rows : {1u, 50u, 200u, 700u, 100000u}) {
      const std::uint64_t first = store.firstForRows(rows, last);
      EXPECT_TRUE(first == 0 || rowsOf(first, last) >= rows);
      EXPECT_LT(rowsOf(first + 1, last), rows);
    }
}

TEST(GameArchive, DamageIsNamedWithTheRemedy) {
  TemporaryFolder folder;
  { GameArchive(folder.path(), Rules(), chunksOf(5)).append(randomRecords(0, 15)); }
  const auto file = folder / "00000001.tzg";
  const std::string sound = readFile(file);
  for (const std::string& bad : {std::string(), sound.substr(0, sound.size() / 2),
                                 sound.substr(0, 100) + '!' + sound.substr(101)}) {
    overwrite(file, bad);
    EXPECT_THAT(messageOf<Error>([&] { GameArchive(folder.path(), Rules()); }),
                AllOf(HasSubstr(file.string()), HasSubstr("store.skip_damaged=true"),
                      ::testing::Not(HasSubstr("\n"))));
  }
  std::vector<std::string> warnings;
  GameArchive::Options options = chunksOf(5);
  options.skipDamaged = true;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  GameArchive store(folder.path(), Rules(), options);
  EXPECT_EQ(store.gameCount(), 10u);
  EXPECT_EQ(readAll(store)[5].id, 10u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("00000001.tzg.damaged"));
  EXPECT_TRUE(std::filesystem::exists(folder / "00000001.tzg.damaged"));
  // Games with the lost ids may come again, in a file of a new number.
  EXPECT_EQ(store.append(randomRecords(5, 5)), 5u);
  EXPECT_TRUE(std::filesystem::exists(folder / "00000003.tzg"));
}

TEST(GameArchive, RefusesGamesOfOtherRulesAndOddNames) {
  TemporaryFolder folder;
  { GameArchive(folder.path(), Rules(), chunksOf(5)).append(randomRecords(0, 5)); }
  EXPECT_THAT(messageOf<Error>([&] { GameArchive(folder.path(), Rules::named("giveaway")); }),
              AllOf(HasSubstr("00000000.tzg"), HasSubstr("standard"), HasSubstr("giveaway")));
  overwrite(folder / "mine.tzg", "x");
  EXPECT_THAT(messageOf<Error>([&] { GameArchive(folder.path(), Rules()); }),
              HasSubstr("mine.tzg"));
}

TEST(GameArchive, ADiskWithNoRoomIsAnErrorAndLosesNothing) {
  TemporaryFolder folder;
  bool full = true;
  GameArchive::Options options = chunksOf(4);
  options.write = [&](const std::filesystem::path& path, std::string_view bytes) {
    if (full) throw Error("cannot write " + path.string() + ": No space left on device");
    writeFileAtomically(path, bytes);
  };
  GameArchive store(folder.path(), Rules(), options);
  EXPECT_THAT(messageOf<Error>([&] { store.append(randomRecords(0, 4)); }), HasSubstr("No space"));
  EXPECT_THROW(store.flush(), Error);
  full = false;
  store.flush();
  EXPECT_EQ(readAll(GameArchive(folder.path(), Rules())).size(), 4u);
}

TEST(GameArchive, ASlowDiskHoldsTheProducersBackAndIsToldOnce) {
  TemporaryFolder folder;
  int warnings = 0;
  std::atomic<std::uint64_t> written{0}, appended{0}, most{0};
  GameArchive::Options options = chunksOf(4);
  options.slowWriteSeconds = 0.001;
  options.warn = [&](const std::string& text) {
    ++warnings;
    EXPECT_THAT(text, HasSubstr("slow"));
  };
  options.write = [&](const std::filesystem::path&, std::string_view) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    most = std::max<std::uint64_t>(most, appended - written);
    written += 4;
  };
  GameArchive store(folder.path(), Rules(), options);
  std::vector<std::thread> workers;
  for (std::uint64_t w = 0; w < 4; ++w)
    workers.emplace_back([&, w] {
      for (std::uint64_t i = 0; i < 20; ++i) {
        ++appended;
        store.append(randomRecords(w * 1000 + i, 1));
      }
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(store.gameCount(), 80u);
  EXPECT_LE(most, 12u);  // a chunk, one more forming, one game a worker at the door
  EXPECT_EQ(warnings, 1);
}

TEST(GameArchive, ManyThreadsStoreEachGameOnce) {
  TemporaryFolder folder;
  {
    GameArchive store(folder.path(), Rules::named("bestemshe"), chunksOf(16));
    std::atomic<std::uint64_t> added{0};
    std::vector<std::thread> workers;
    for (int w = 0; w < 4; ++w)
      workers.emplace_back([&] {
        for (std::uint64_t i = 0; i < 60; ++i)
          added += store.append({randomRecord(i, Rules::named("bestemshe"))});
      });
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(added, 60u);
  }
  GameArchive store(folder.path(), Rules::named("bestemshe"));
  EXPECT_EQ(readAll(store).size(), 60u);
}

// A process killed while it stores leaves a folder that opens, with every flushed game in it.
TEST(GameArchive, AKillLosesNoMoreThanTheGamesSinceTheLastFlush) {
  TemporaryFolder folder;
  const auto games = randomRecords(0, 200);
  Rng rng(3);
  for (int round = 0; round < 5; ++round) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      GameArchive store(folder.path(), Rules(), chunksOf(3));
      for (std::uint64_t i = store.gameCount(); i < games.size(); i += 1) {
        store.append({games[i]});
        store.flush();
        const std::uint64_t safe = i + 1;
        if (write(ready[1], &safe, sizeof safe) != sizeof safe) _exit(1);
      }
      _exit(0);
    }
    close(ready[1]);
    std::uint64_t safe = 0, told = 0;
    const std::uint64_t stopAfter = rng.below(40);
    for (std::uint64_t n = 0; n <= stopAfter && read(ready[0], &told, sizeof told) == sizeof told;
         ++n)
      safe = told;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(ready[0], &told, sizeof told) == sizeof told) safe = told;
    close(ready[0]);
    GameArchive store(folder.path(), Rules());
    EXPECT_GE(store.gameCount(), safe);
    const auto back = readAll(store);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_TRUE(sameRecord(back[i], games[i]));
  }
}

}  // namespace
}  // namespace toguz
