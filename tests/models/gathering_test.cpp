#include "models/gathering_evaluator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "models/native/network.h"
#include "tests/models/support.h"
#ifdef TOGUZ_TRAINING
#include "models/torch/torch_evaluator.h"
#endif

namespace toguz {
namespace {

using test::busyModel;
using test::randomPositions;

// Every client's answers are those of `reference` alone, whatever shares the batch with them.
void expectAnswersOf(Evaluator& reference, const std::shared_ptr<GatheringEvaluator>& gathering,
                     const Rules& rules, float tolerance) {
  constexpr int kClients = 6, kCalls = 40;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  std::vector<std::vector<Position>> positions;
  std::vector<std::vector<Evaluation>> expected;
  for (int c = 0; c < kClients; ++c) {
    positions.push_back(randomPositions(rules, 300, static_cast<std::uint64_t>(c) + 1));
    expected.emplace_back(positions.back().size());
    reference.evaluate(positions.back(), expected.back());
  }
  for (int c = 0; c < kClients; ++c)
    threads.emplace_back([&, c] {
      const auto client = gathering->makeClient();
      Rng rng(static_cast<std::uint64_t>(c));
      const auto& mine = positions[static_cast<std::size_t>(c)];
      for (int call = 0; call < kCalls; ++call) {
        const std::size_t count = 1 + rng.below(50);
        const std::size_t first = rng.below(static_cast<std::uint32_t>(mine.size() - count));
        std::vector<Evaluation> out(count);
        client->evaluate({mine.data() + first, count}, out);
        for (std::size_t i = 0; i < count; ++i) {
          const Evaluation& want = expected[static_cast<std::size_t>(c)][first + i];
          bool good = std::abs(out[i].winLoss - want.winLoss) <= tolerance &&
                      std::abs(out[i].margin - want.margin) <= 20 * tolerance;
          for (std::size_t p = 0; p < want.policy.size(); ++p)
            good &= std::abs(out[i].policy[p] - want.policy[p]) <= tolerance;
          wrong += !good;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(gathering->counts().positions, gathering->counts().batches);
}

TEST(Gathering, ClientsGetTheirOwnAnswers) {
  const Rules rules(kStandard);
  const auto network = std::make_shared<const NativeNetwork>(busyModel(rules, {32, 1}, 1));
  NativeEvaluator reference(network);
  expectAnswersOf(reference, GatheringEvaluator::start([&] {
                    return std::make_unique<NativeEvaluator>(network);
                  }),
                  rules, 0.0f);
}

#ifdef TOGUZ_TRAINING
TEST(Gathering, OverLibTorch) {
  const Rules rules(kStandard);
  const Model model = busyModel(rules, {32, 1}, 1);
  NativeEvaluator reference(std::make_shared<const NativeNetwork>(model));
  expectAnswersOf(reference, GatheringEvaluator::start([&] {
                    return std::make_unique<TorchEvaluator>(model, test::testDevice());
                  }),
                  rules, 1e-4f);
}
#endif

// Says how large its batches are; the first waits until told to go on.
class SlowEvaluator final : public Evaluator {
 public:
  SlowEvaluator(std::vector<std::size_t>& sizes, std::atomic<bool>& go) : sizes_(sizes), go_(go) {}
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override {
    while (!go_) std::this_thread::yield();
    if (positions.size() == 13) throw Error("thirteen");
    sizes_.push_back(positions.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].margin = static_cast<float>(positions[i].kazan[0]);
  }

 private:
  std::vector<std::size_t>& sizes_;
  std::atomic<bool>& go_;
};

TEST(Gathering, WhatWaitsGoesTogetherUpToTheLargestBatch) {
  std::vector<std::size_t> sizes;
  std::atomic<bool> go{false};
  const auto gathering =
      GatheringEvaluator::start([&] { return std::make_unique<SlowEvaluator>(sizes, go); },
                                {.maxBatch = 40, .maxWait = std::chrono::microseconds(100)});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  std::atomic<int> started{0};
  for (int c = 0; c < 5; ++c)
    threads.emplace_back([&, c] {
      const auto client = gathering->makeClient();
      std::vector<Position> positions(15, Position::start(kStandard));
      for (Position& position : positions) position.kazan[0] = static_cast<std::uint8_t>(c);
      std::vector<Evaluation> out(positions.size());
      ++started;
      client->evaluate(positions, out);
      for (const Evaluation& evaluation : out) wrong += evaluation.margin != static_cast<float>(c);
    });
  while (started < 5) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  go = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  std::size_t total = 0;
  for (const std::size_t size : sizes) {
    EXPECT_LE(size, 40u);
    EXPECT_EQ(size % 15, 0u) << "a call was torn apart";
    total += size;
  }
  EXPECT_EQ(total, 75u);
  EXPECT_LT(sizes.size(), 5u);
  // Larger than a batch: alone, whole.
  const auto client = gathering->makeClient();
  std::vector<Position> many(100, Position::start(kStandard));
  std::vector<Evaluation> out(many.size());
  client->evaluate(many, out);
  EXPECT_EQ(sizes.back(), 100u);
}

TEST(Gathering, AFailureReachesWhoAskedAndTheServerGoesOn) {
  std::vector<std::size_t> sizes;
  std::atomic<bool> go{true};
  const auto gathering =
      GatheringEvaluator::start([&] { return std::make_unique<SlowEvaluator>(sizes, go); });
  const auto client = gathering->makeClient();
  std::vector<Position> positions(13, Position::start(kStandard));
  std::vector<Evaluation> out(13);
  EXPECT_THROW(client->evaluate(positions, out), Error);
  client->evaluate({positions.data(), 12}, {out.data(), 12});
  EXPECT_EQ(sizes.back(), 12u);
  client->evaluate({}, {});  // nothing to ask is nothing to wait for
}

TEST(Gathering, AFailedStartIsThrown) {
  EXPECT_THROW(GatheringEvaluator::start(
                   []() -> std::unique_ptr<Evaluator> { throw Error("no such device"); }),
               Error);
}

TEST(Gathering, ClientsMayOutliveTheirMaker) {
  std::vector<std::size_t> sizes;
  std::atomic<bool> go{true};
  std::unique_ptr<Evaluator> client;
  client = GatheringEvaluator::start([&] {
             return std::make_unique<SlowEvaluator>(sizes, go);
           })->makeClient();
  std::vector<Position> positions(3, Position::start(kStandard));
  std::vector<Evaluation> out(3);
  client->evaluate(positions, out);
  EXPECT_EQ(sizes.size(), 1u);
}

}  // namespace
}  // namespace toguz
