#include "training/token_bucket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace toguz {
namespace {

using std::chrono::milliseconds;

TEST(TokenBucket, CountsUses) {
  TokenBucket bucket({.reuse = 2.5, .batch = 10, .slack = 100, .freeRows = 0});
  bucket.earnNow(4);
  EXPECT_TRUE(bucket.canSpend(10));
  EXPECT_TRUE(bucket.spend(10));
  EXPECT_FALSE(bucket.canSpend(1));
  EXPECT_FALSE(bucket.spendWithin(1, milliseconds(1)));
  EXPECT_EQ(bucket.state(), (TokenBucket::State{0.0, 4}));
  bucket.restore({7.5, 90});
  EXPECT_TRUE(bucket.canSpend(7));
  EXPECT_FALSE(bucket.canSpend(8));
}

TEST(TokenBucket, TheTrainerWaitsForRows) {
  TokenBucket bucket({.reuse = 4, .batch = 100, .slack = 1000, .freeRows = 0});
  std::atomic<bool> spent{false};
  std::thread trainer([&] { spent = bucket.spend(100); });
  bucket.earn(24);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(spent);
  bucket.earn(1);
  trainer.join();
  EXPECT_TRUE(spent);
}

TEST(TokenBucket, SelfPlayWaitsForTheTrainerButNotBeforeTheWindowIsFilled) {
  TokenBucket bucket({.reuse = 4, .batch = 10, .slack = 100, .freeRows = 1000});
  EXPECT_TRUE(bucket.earn(999));  // 3996 owed, and no waiting
  std::atomic<bool> earned{false};
  std::thread player([&] { earned = bucket.earn(1); });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(earned);
  for (int i = 0; i < 389; ++i) bucket.spend(10);
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_FALSE(earned);  // 110 owed
  bucket.spend(10);
  player.join();
  EXPECT_TRUE(earned);
  EXPECT_GT(bucket.earnWaitSeconds(), 0.01);
}

TEST(TokenBucket, ClosingEndsEveryWaitForGood) {
  TokenBucket bucket({.reuse = 4, .batch = 10, .slack = 10, .freeRows = 0});
  std::atomic<int> ended{0};
  std::vector<std::thread> waiting;
  bucket.earnNow(5);
  for (int i = 0; i < 3; ++i)
    waiting.emplace_back([&] {
      EXPECT_FALSE(bucket.earn(100));
      ++ended;
    });
  bucket.close();
  for (std::thread& thread : waiting) thread.join();
  EXPECT_EQ(ended, 3);
  EXPECT_FALSE(bucket.spend(1));
  EXPECT_FALSE(bucket.spendWithin(1, milliseconds(1000)));
  EXPECT_FALSE(bucket.earn(1));

  TokenBucket empty({.reuse = 1, .batch = 10, .slack = 10, .freeRows = 0});
  std::thread trainer([&] { EXPECT_FALSE(empty.spend(10)); });
  empty.close();
  trainer.join();
}

// A slack below the batch, a reuse that is no whole number, many producers: nobody waits for ever,
// and what was used is what was earned.
TEST(TokenBucket, NeverDeadlocks) {
  for (const std::int64_t slack : {0, 3, 64}) {
    for (const double reuse : {0.3, 1.7, 40.0}) {
      constexpr std::int64_t kBatch = 32;
      TokenBucket bucket({.reuse = reuse, .batch = kBatch, .slack = slack, .freeRows = 50});
      std::atomic<std::int64_t> batches{0};
      std::thread trainer([&] {
        while (bucket.spend(kBatch)) ++batches;
      });
      std::vector<std::thread> players;
      for (int p = 0; p < 3; ++p)
        players.emplace_back([&] {
          for (int i = 0; i < 100; ++i) bucket.earn(3);
        });
      for (std::thread& player : players) player.join();
      while (bucket.canSpend(kBatch)) std::this_thread::yield();
      bucket.close();
      trainer.join();
      EXPECT_EQ(bucket.state().rows, 900u);
      EXPECT_NEAR(bucket.state().tokens + static_cast<double>(batches * kBatch), 900 * reuse, 1e-6);
      EXPECT_LT(bucket.state().tokens, kBatch);
    }
  }
}

}  // namespace
}  // namespace toguz
