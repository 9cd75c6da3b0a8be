#include "selfplay/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "search/signature.h"

namespace toguz {
namespace {

// A network whose every value says which generation it is, so that a stale answer shows.
class MarkedEvaluator final : public Evaluator {
 public:
  MarkedEvaluator(const Rules& rules, std::uint32_t generation)
      : inner_(rules), mark_(static_cast<float>(generation)) {}
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override {
    inner_.evaluate(positions, out);
    for (Evaluation& evaluation : out) evaluation.winLoss = 0.001f * mark_;
  }

 private:
  HashEvaluator inner_;
  float mark_;
};

class MarkedNetwork final : public NetworkHandle {
 public:
  MarkedNetwork(const Rules& rules, std::uint32_t generation)
      : rules_(rules), generation_(generation) {}
  std::uint32_t generation() const override { return generation_; }
  std::uint64_t cacheKey() const override { return generation_; }
  std::unique_ptr<Evaluator> makeEvaluator() const override {
    return std::make_unique<MarkedEvaluator>(rules_, generation_);
  }

 private:
  Rules rules_;
  std::uint32_t generation_;
};

struct Fixture {
  explicit Fixture(const Rules& r = Rules(kBestemshe)) : rules(r) {
    slot.publish(std::make_shared<MarkedNetwork>(rules, 1));
  }
  WorkerSetup setup(std::uint32_t worker, std::uint32_t workers, std::uint64_t games) {
    WorkerSetup s;
    s.rules = rules;
    s.config.games = 8;
    s.config.fullNodes = s.config.fullNodesFinal = 24;
    s.config.cheapNodes = 8;
    s.runSeed = 5;
    s.worker = worker;
    s.networks = &slot;
    s.nextGame = [next = std::uint64_t{worker}, workers,
                  games]() mutable -> std::optional<std::uint64_t> {
      if (next >= games) return std::nullopt;
      const std::uint64_t id = next;
      next += workers;
      return id;
    };
    s.deliver = [this](GameRecord&& game) {
      const std::lock_guard lock(mutex);
      records.push_back(std::move(game));
    };
    s.stop = &stop;
    s.counters = &counters;
    return s;
  }
  std::map<std::uint64_t, std::vector<int>> games() const {
    std::map<std::uint64_t, std::vector<int>> all;
    for (const GameRecord& record : records) {
      std::vector<int>& moves = all[record.id];
      for (const MoveRecord& move : record.moves) moves.push_back(move.pit);
    }
    return all;
  }

  Rules rules;
  NetworkSlot slot;
  std::atomic<bool> stop{false};
  WorkerCounters counters;
  std::mutex mutex;
  std::vector<GameRecord> records;
};

TEST(Worker, PlaysExactlyTheGamesAskedForAndCountsThem) {
  Fixture f;
  runWorker(f.setup(0, 1, 37));
  EXPECT_EQ(f.records.size(), 37u);
  EXPECT_EQ(f.games().size(), 37u);
  EXPECT_EQ(f.counters.games, 37u);
  EXPECT_GT(f.counters.simulations, f.counters.evaluations / 2);
  std::uint64_t moves = 0;
  for (const GameRecord& record : f.records) moves += record.moves.size();
  EXPECT_EQ(f.counters.moves, moves);
}

TEST(Worker, EightWorkersOfOneSeedPlayDifferentGamesAndTheSameAgain) {
  const auto playAll = [] {
    Fixture f;
    std::vector<WorkerSetup> setups;
    for (std::uint32_t w = 0; w < 8; ++w) setups.push_back(f.setup(w, 8, 80));
    std::vector<std::thread> threads;
    for (const WorkerSetup& setup : setups) threads.emplace_back([&setup] { runWorker(setup); });
    for (std::thread& thread : threads) thread.join();
    return f.games();
  };
  const auto first = playAll();
  EXPECT_EQ(first.size(), 80u);
  std::set<std::vector<int>> distinct;
  for (const auto& [id, moves] : first) distinct.insert(moves);
  EXPECT_EQ(distinct.size(), 80u);
  EXPECT_EQ(playAll(), first);
}

TEST(Worker, AGameKeepsItsNetworkAndNewGamesGetTheNew) {
  Fixture f;
  WorkerSetup setup = f.setup(0, 1, 200);
  std::uint32_t generation = 1;
  const auto deliver = setup.deliver;
  setup.deliver = [&](GameRecord&& game) {
    deliver(std::move(game));
    f.slot.publish(std::make_shared<MarkedNetwork>(f.rules, ++generation));
  };
  runWorker(setup);
  std::set<std::uint32_t> seen;
  for (const GameRecord& record : f.records) {
    const std::uint32_t of = record.moves.front().generation;
    for (const MoveRecord& move : record.moves) {
      EXPECT_EQ(move.generation, of);
      // A single visit's value is the network's own answer (or its reflection through one reply).
      if (move.nodes == 1) {
        EXPECT_NEAR(move.rootWinLoss, 0.001f * static_cast<float>(of), 1e-6);
      }
    }
    seen.insert(of);
  }
  EXPECT_GT(seen.size(), 20u);
}

TEST(Worker, ACacheChangesNoGame) {
  const auto play = [](int cache, std::uint64_t& evaluations) {
    Fixture f;
    WorkerSetup setup = f.setup(0, 1, 60);
    setup.config.cache = cache;
    // Networks change meanwhile: an answer of the old one must not be taken for the new one's.
    std::uint32_t generation = 1;
    const auto deliver = setup.deliver;
    setup.deliver = [&](GameRecord&& game) {
      deliver(std::move(game));
      if (f.records.size() % 10 == 0)
        f.slot.publish(std::make_shared<MarkedNetwork>(f.rules, ++generation));
    };
    runWorker(setup);
    evaluations = f.counters.evaluations;
    std::vector<std::pair<std::uint64_t, std::vector<std::pair<int, float>>>> games;
    for (const GameRecord& record : f.records) {
      auto& game = games.emplace_back(record.id, std::vector<std::pair<int, float>>());
      for (const MoveRecord& move : record.moves)
        game.second.emplace_back(move.pit, move.rootWinLoss);
    }
    std::sort(games.begin(), games.end());
    return games;
  };
  std::uint64_t without = 0, with = 0, small = 0;
  const auto games = play(0, without);
  // Which network a game starts with hangs on when the others end, and that on nothing a cache
  // changes but the order within a round of steps; so only games of the first network are compared.
  const auto cached = play(1 << 14, with), tight = play(16, small);
  const std::set<std::uint64_t> firstGames = {0, 1, 2, 3, 4, 5, 6, 7};
  int compared = 0;
  for (const auto& game : games) {
    if (!firstGames.contains(game.first)) continue;
    EXPECT_NE(std::find(cached.begin(), cached.end(), game), cached.end()) << game.first;
    EXPECT_NE(std::find(tight.begin(), tight.end(), game), tight.end()) << game.first;
    ++compared;
  }
  EXPECT_EQ(compared, 8);
  EXPECT_LT(with, without * 9 / 10);
  EXPECT_LT(with, small);
}

TEST(Worker, StopsAtOnceAndDropsWhatIsUnfinished) {
  Fixture f(Rules{kStandard});
  const WorkerSetup setup = f.setup(0, 1, ~std::uint64_t{0});
  std::thread worker([&] { runWorker(setup); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  f.stop = true;
  worker.join();
  EXPECT_EQ(f.counters.games, f.records.size());
  for (const GameRecord& record : f.records) EXPECT_TRUE(record.outcome.over());
}

TEST(Worker, AnExceptionOfADeliveryReachesTheCaller) {
  Fixture f;
  WorkerSetup setup = f.setup(0, 1, 10);
  setup.deliver = [](GameRecord&&) { throw std::runtime_error("disk full"); };
  EXPECT_THROW(runWorker(setup), std::runtime_error);
}

}  // namespace
}  // namespace toguz
