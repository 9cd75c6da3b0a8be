#include "training/replay.h"

#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/error.h"
#include "tests/training/records.h"
#include "training/prefetcher.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using testing::messageOf;
using testing::randomRecords;
using testing::TemporaryFolder;

ReplayConfig smallConfig(std::int64_t least = 100, std::int64_t most = 1000) {
  ReplayConfig config;
  config.windowMin = least;
  config.windowMax = most;
  return config;
}

// A row that carries its number.
TrainingRow numbered(std::uint32_t n, bool holdOut = false) {
  TrainingRow row;
  row.position.board[0] = static_cast<std::uint8_t>(n);
  row.position.board[1] = static_cast<std::uint8_t>(n >> 8);
  row.position.board[2] = static_cast<std::uint8_t>(n >> 16);
  row.ply = static_cast<std::uint16_t>(n & 0xffff);
  row.margin = static_cast<std::int16_t>(n >> 16);
  row.holdOut = holdOut;
  return row;
}
std::uint32_t numberOf(const TrainingRow& row) {
  return row.ply | static_cast<std::uint32_t>(row.margin) << 16;
}
bool same(const TrainingRow& a, const TrainingRow& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void addNumbered(ReplayBuffer& buffer, std::uint32_t first, std::uint32_t count) {
  std::vector<TrainingRow> rows;
  for (std::uint32_t n = first; n < first + count; ++n) rows.push_back(numbered(n));
  buffer.add(rows);
}

TEST(Replay, WindowGrowsAsThePowerLaw) {
  ReplayConfig config;
  EXPECT_EQ(windowSize(config, 0), 0u);
  EXPECT_EQ(windowSize(config, 19999), 19999u);
  EXPECT_EQ(windowSize(config, 20000), 20000u);
  EXPECT_NEAR(static_cast<double>(windowSize(config, 2000000)), 20000 * std::pow(100, 0.65), 1);
  EXPECT_EQ(windowSize(config, 1000000000), 2000000u);
  std::uint64_t start = 0;
  for (std::uint64_t total = 0; total < 3000000; total += total < 30000 ? 1 : 997) {
    const std::uint64_t size = windowSize(config, total);
    ASSERT_LE(size, total);
    ASSERT_GE(total - size, start);
    start = total - size;
  }
}

TEST(Replay, KeepsExactlyTheWindow) {
  ReplayBuffer buffer(smallConfig(100, 300));
  EXPECT_FALSE(buffer.ready());
  addNumbered(buffer, 0, 99);
  EXPECT_FALSE(buffer.ready());
  addNumbered(buffer, 99, 1);
  EXPECT_TRUE(buffer.ready());
  addNumbered(buffer, 100, 60000);
  EXPECT_EQ(buffer.totalRows(), 60100u);
  EXPECT_EQ(buffer.windowRows(), 300u);
  EXPECT_FALSE(buffer.row(60100 - 301).has_value());
  EXPECT_FALSE(buffer.row(60100).has_value());
  for (std::uint32_t n = 59800; n < 60100; ++n) EXPECT_EQ(numberOf(*buffer.row(n)), n);
  EXPECT_LE(buffer.memoryBytes(), 2u * 16384 * sizeof(TrainingRow));
}

TEST(ReplayFull, TwoMillionRowsFitIn300Megabytes) {
  ReplayBuffer buffer(smallConfig(2000000, 2000000));
  for (std::uint32_t n = 0; n < 2500000; n += 1000) addNumbered(buffer, n, 1000);
  EXPECT_EQ(buffer.windowRows(), 2000000u);
  EXPECT_LT(buffer.memoryBytes(), 150u << 20);
  EXPECT_EQ(numberOf(*buffer.row(500000)), 500000u);
}

TEST(Replay, SamplesUniformlyAndOnlyTheWindow) {
  ReplayBuffer buffer(smallConfig(100, 200));
  addNumbered(buffer, 0, 1000);
  std::vector<TrainingRow> batch(500);
  std::vector<int> seen(1000);
  for (std::uint64_t b = 0; b < 400; ++b) {
    buffer.sample(batch, 1, b);
    for (const TrainingRow& row : batch) ++seen[numberOf(row)];
  }
  for (std::size_t n = 0; n < 800; ++n) EXPECT_EQ(seen[n], 0);
  // 200,000 draws over 200 rows: 1000 each, standard deviation 32.
  double chi = 0;
  for (std::size_t n = 800; n < 1000; ++n) chi += (seen[n] - 1000.0) * (seen[n] - 1000.0) / 1000.0;
  EXPECT_NEAR(chi, 199, 6 * std::sqrt(2 * 199.0));
}

TEST(Replay, ABatchIsAFunctionOfSeedNumberAndWindow) {
  ReplayBuffer a(smallConfig()), b(smallConfig());
  addNumbered(a, 0, 500);
  for (std::uint32_t n = 0; n < 500; n += 20) addNumbered(b, n, 20);
  std::vector<TrainingRow> x(64), y(64), z(64);
  for (std::uint64_t batch = 0; batch < 5; ++batch) {
    a.sample(x, 7, batch);
    b.sample(z, 7, 9 - batch);
    b.sample(y, 7, batch);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_TRUE(same(x[i], y[i]));
  }
  std::set<std::uint32_t> first, second;
  a.sample(x, 7, 0);
  a.sample(y, 8, 0);
  for (std::size_t i = 0; i < 64; ++i) first.insert(numberOf(x[i])), second.insert(numberOf(y[i]));
  EXPECT_NE(first, second);
}

TEST(Replay, HeldOutRowsAreKeptApart) {
  ReplayBuffer buffer(smallConfig(10, 100));
  std::vector<TrainingRow> rows;
  for (std::uint32_t n = 0; n < 90; ++n) rows.push_back(numbered(n, n % 3 == 0));
  EXPECT_EQ(buffer.add(rows), 60u);
  EXPECT_EQ(buffer.holdOutRows(), 30u);
  std::vector<TrainingRow> batch(2000);
  buffer.sample(batch, 1, 1);
  for (const TrainingRow& row : batch) EXPECT_EQ(row.holdOut, 0);
  const auto newest = buffer.holdOut(2);
  ASSERT_EQ(newest.size(), 2u);
  EXPECT_EQ(numberOf(newest[0]), 84u);
  EXPECT_EQ(numberOf(newest[1]), 87u);
}

TEST(Replay, MeasuresDuplicatePositions) {
  ReplayBuffer buffer(smallConfig(1000, 1000));
  addNumbered(buffer, 0, 100);
  EXPECT_EQ(buffer.duplicateShare(), 0.0);
  addNumbered(buffer, 0, 50);
  EXPECT_NEAR(buffer.duplicateShare(), 50.0 / 150, 1e-9);
  EXPECT_EQ(buffer.duplicateShare(50), 0.0);
}

class Restored : public ::testing::Test {
 protected:
  Restored() : store_(folder_.path(), Rules(), options()) {
    config_.holdOut = 0.1;
    store_.append(randomRecords(0, 300));
    before_.emplace(config_);
    before_->addGames(store_, 0, 200);
  }
  static GameArchive::Options options() {
    GameArchive::Options o;
    o.chunkGames = 16;
    return o;
  }
  void expectSameWindow(const ReplayBuffer& a, const ReplayBuffer& b) {
    ASSERT_EQ(a.totalRows(), b.totalRows());
    ASSERT_EQ(a.windowRows(), b.windowRows());
    for (std::uint64_t n = a.totalRows() - a.windowRows(); n < a.totalRows(); ++n)
      ASSERT_TRUE(same(*a.row(n), *b.row(n))) << n;
    EXPECT_FALSE(b.row(a.totalRows() - a.windowRows() - 1).has_value());
    std::vector<TrainingRow> x(256), y(256);
    a.sample(x, 3, 17);
    b.sample(y, 3, 17);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_TRUE(same(x[i], y[i]));
  }

  TemporaryFolder folder_;
  ReplayConfig config_ = smallConfig(100, 2500);
  GameArchive store_;
  std::optional<ReplayBuffer> before_;
};

TEST_F(Restored, TheWindowIsIdenticalFromOldestToNewest) {
  ASSERT_GT(before_->totalRows(), 2 * before_->windowRows());
  ReplayBuffer after(config_);
  after.restore(store_, 200, before_->totalRows());
  expectSameWindow(*before_, after);
  EXPECT_GT(after.holdOutRows(), 0u);
  // And stays so as both go on.
  before_->addGames(store_, 200, 300);
  after.addGames(store_, 200, 300);
  expectSameWindow(*before_, after);
}

TEST_F(Restored, WithoutACountEveryGameIsRead) {
  ReplayBuffer after(config_);
  after.restore(store_, 200, std::nullopt);
  expectSameWindow(*before_, after);
  EXPECT_EQ(after.holdOutRows(), before_->holdOutRows());
}

TEST_F(Restored, MissingOrForeignGamesAreAnError) {
  const std::uint64_t total = before_->totalRows();
  EXPECT_THAT(messageOf<Error>([&] { ReplayBuffer(config_).restore(store_, 40, total); }),
              HasSubstr("store.skip_damaged=true"));
  EXPECT_THAT(messageOf<Error>([&] { ReplayBuffer(config_).restore(store_, 40, 150); }),
              HasSubstr("not those of this run"));
  ReplayBuffer lenient(config_);
  lenient.restore(store_, 40, total, true);
  EXPECT_EQ(lenient.totalRows(), total);
  EXPECT_LT(lenient.windowRows(), before_->windowRows());
  EXPECT_GT(lenient.windowRows(), 500u);
  std::vector<TrainingRow> batch(100);
  lenient.sample(batch, 1, 1);
  addNumbered(lenient, 0, 3000);
  EXPECT_EQ(lenient.windowRows(), windowSize(config_, total + 3000));
}

TEST(Prefetcher, GivesTheBatchesOfTheBufferInOrder) {
  ReplayBuffer buffer(smallConfig());
  addNumbered(buffer, 0, 400);
  BatchPrefetcher prefetcher(buffer, 32, 5, 100, 3);
  std::vector<TrainingRow> rows, expected(32);
  for (std::uint64_t batch = 100; batch < 130; ++batch) {
    prefetcher.next(rows);
    buffer.sample(expected, 5, batch);
    ASSERT_EQ(rows.size(), 32u);
    for (std::size_t i = 0; i < 32; ++i) EXPECT_TRUE(same(rows[i], expected[i]));
  }
}

TEST(Prefetcher, WorksWhileRowsComeIn) {
  ReplayBuffer buffer(smallConfig(100, 5000));
  addNumbered(buffer, 0, 100);
  std::atomic<bool> stop{false};
  std::thread producer([&] {
    for (std::uint32_t n = 100; !stop; n += 10) addNumbered(buffer, n, 10);
  });
  {
    BatchPrefetcher prefetcher(buffer, 64, 5, 0);
    std::vector<TrainingRow> rows;
    for (int batch = 0; batch < 200; ++batch) {
      prefetcher.next(rows);
      for (const TrainingRow& row : rows) EXPECT_EQ(row.position.board[0], row.ply & 0xff);
    }
  }
  stop = true;
  producer.join();
}

}  // namespace
}  // namespace toguz
