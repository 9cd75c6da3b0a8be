// Matches whose games workers play: the farm by itself, with an exchange and workers made up here,
// and under the judge.
#include "training/farm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <sstream>
#include <thread>

#include "arena/player_factories.h"
#include "base/error.h"
#include "base/file.h"
#include "base/rng.h"
#include "tests/training/records.h"
#include "training/farmed_match.h"
#include "training/judge.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using Results = std::vector<std::pair<std::string, std::string>>;

const std::function<bool()> kNever = [] { return false; };

std::shared_ptr<const Published> published(const Rules& rules, std::uint32_t generation) {
  Model model = randomModel(rules, {.width = 16, .blocks = 1}, generation);
  Rng rng(generation);
  for (Tensor& tensor : model.tensors)
    if (tensor.name.starts_with("head."))
      for (float& w : tensor.data) w = static_cast<float>(0.3 * rng.normal());
  return publish(std::move(model), generation, 10 * generation);
}

TEST(MatchFarm, WithoutWorkersThereIsNoRoom) {
  MatchFarm farm;
  farm.beginMatch({});
  EXPECT_EQ(farm.room(), 0);
  EXPECT_FALSE(farm.post("a").has_value());
  farm.setWorkers(3);
  EXPECT_EQ(farm.room(), 3 * MatchFarm::kTasksPerWorker);
  farm.setWorkers(1000);
  EXPECT_EQ(farm.room(), MatchFarm::kMostTasks);
  farm.setWorkers(1);
  EXPECT_TRUE(farm.post("a").has_value());
  EXPECT_TRUE(farm.post("b").has_value());
  EXPECT_FALSE(farm.post("c").has_value());
  farm.setWorkers(-1);
  EXPECT_EQ(farm.room(), 0);
  farm.endMatch();
}

TEST(MatchFarm, ResultsComeInAnyOrderAndMoreThanOnce) {
  MatchFarm farm;
  farm.setWorkers(4);
  farm.beginMatch({});
  std::vector<std::string> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(farm.post("task " + std::to_string(i)).value());
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  for (const std::string& id : ids)
    EXPECT_EQ(id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-"), std::string::npos);
  const MatchFarm::Orders orders = farm.takeOrders();
  EXPECT_TRUE(orders.drop) << "what another sitting left";
  ASSERT_EQ(orders.post.size(), 8u);
  EXPECT_EQ(orders.post[3].id, ids[3]);
  EXPECT_EQ(orders.post[3].content, "task 3");
  EXPECT_TRUE(farm.takeOrders().post.empty());

  std::vector<std::thread> threads;
  std::vector<std::string> got(8);
  for (std::size_t i = 0; i < 8; ++i)
    threads.emplace_back([&, i] { got[i] = farm.wait(ids[i], kNever).value_or("nothing"); });
  for (std::size_t i = 8; i-- > 0;)
    farm.deliver(Results{{ids[i], "result " + std::to_string(i)}, {"another-1", "x"}});
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(got[i], "result " + std::to_string(i));
  farm.deliver(Results{{ids[2], "again"}});
  // All came back: there is nothing to drop.
  farm.endMatch();
  EXPECT_FALSE(farm.takeOrders().drop);
}

TEST(MatchFarm, AMatchLeavesNoTasksBehind) {
  const auto model = published(Rules(kBestemshe), 1);
  MatchFarm farm;
  farm.setWorkers(2);
  farm.takeOrders();
  farm.beginMatch({model});
  const std::string first = farm.post("a").value(), second = farm.post("b").value();
  MatchFarm::Orders orders = farm.takeOrders();
  EXPECT_FALSE(orders.drop);
  EXPECT_EQ(orders.models, (decltype(orders.models){model}));
  EXPECT_EQ(farm.takeOrders().models.size(), 1u) << "for as long as the match goes on";
  EXPECT_FALSE(farm.wait(first, [] { return true; }).has_value());
  EXPECT_FALSE(farm.wait(second, [] { return true; }).has_value());
  // Given up before the exchange has seen it: it is never posted.
  const std::string unseen = farm.post("c").value();
  EXPECT_FALSE(farm.wait(unseen, [] { return true; }).has_value());
  farm.endMatch();
  farm.beginMatch({});
  const std::string next = farm.post("d").value();
  orders = farm.takeOrders();
  EXPECT_TRUE(orders.drop);
  EXPECT_TRUE(orders.models.empty());
  ASSERT_EQ(orders.post.size(), 1u);
  EXPECT_EQ(orders.post[0].id, next);
  farm.endMatch();
}

TEST(MatchFarm, ALastWorkerThatGoesFreesAllWhoWait) {
  MatchFarm farm(seconds(3600));
  farm.setWorkers(1);
  farm.beginMatch({});
  const std::string id = farm.post("a").value();
  std::thread waiter([&] { EXPECT_FALSE(farm.wait(id, kNever).has_value()); });
  farm.takeOrders();
  farm.setWorkers(0);
  waiter.join();
  farm.endMatch();
}

TEST(MatchFarm, ATaskThatDoesNotComeBackIsGivenUp) {
  MatchFarm farm(milliseconds(30));
  farm.setWorkers(2);
  farm.beginMatch({});
  std::string lost = farm.post("a").value(), other = farm.post("b").value();
  farm.takeOrders();
  farm.deliver(Results{{other, "x"}});
  EXPECT_FALSE(farm.wait(lost, kNever).has_value());
  EXPECT_EQ(farm.wait(other, kNever), "x");
  // Others come back, so the workers are at work.
  EXPECT_GT(farm.room(), 0);
  // Nothing does: they are not.
  lost = farm.post("c").value();
  EXPECT_FALSE(farm.wait(lost, kNever).has_value());
  EXPECT_EQ(farm.room(), 0);
  EXPECT_FALSE(farm.post("d").has_value());
  farm.deliver(Results{{lost, "late"}});
  EXPECT_GT(farm.room(), 0);
  farm.endMatch();
}

TEST(MatchFarm, AStoreThatForgotIsToldAgain) {
  MatchFarm farm;
  farm.setWorkers(2);
  farm.beginMatch({});
  const std::string first = farm.post("a").value(), second = farm.post("b").value();
  farm.takeOrders();
  farm.deliver(Results{{first, "x"}});
  farm.storeLost();
  const MatchFarm::Orders orders = farm.takeOrders();
  EXPECT_TRUE(orders.drop);
  ASSERT_EQ(orders.post.size(), 1u);
  EXPECT_EQ(orders.post[0].id, second);
  EXPECT_EQ(orders.post[0].content, "b");
  farm.endMatch();
}

// An exchange and workers with a store made of memory. Faults are by the task's number.
class Field {
 public:
  struct Habits {
    int workers = 3;
    int loses = 0;        // every so manieth task is taken and never finished
    int fails = 0;        // every so manieth is answered with an error
    bool twice = false;   // each task is played by two workers
    int quitsAfter = -1;  // tasks, then nobody is there any more
  };
  Field(MatchFarm& farm, const Habits& habits) : farm_(farm), habits_(habits) {
    farm_.setWorkers(habits.workers);
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  ~Field() {
    thread_.request_stop();
    thread_.join();
    farm_.setWorkers(0);
  }
  int played() const { return played_; }

 private:
  void run(const std::stop_token& stop) {
    std::vector<Task> tasks;
    std::vector<std::shared_ptr<const Published>> models;
    Rng rng(1);
    for (int number = 0; !stop.stop_requested();) {
      const MatchFarm::Orders orders = farm_.takeOrders();
      if (orders.drop) tasks.clear();
      models.insert(models.end(), orders.models.begin(), orders.models.end());
      tasks.insert(tasks.end(), orders.post.begin(), orders.post.end());
      if (tasks.empty()) std::this_thread::sleep_for(milliseconds(1));
      Results results;
      while (!tasks.empty() && !stop.stop_requested()) {
        const Task task = tasks.back();  // the last first
        tasks.pop_back();
        ++number;
        if (habits_.quitsAfter >= 0 && number > habits_.quitsAfter) {
          farm_.setWorkers(0);
          return;
        }
        if (habits_.loses && number % habits_.loses == 0) continue;
        if (habits_.fails && number % habits_.fails == 0) {
          results.emplace_back(task.id, "{\"error\": \"no \\u001bwish\"}");
          continue;
        }
        for (int times = habits_.twice ? 2 : 1; times > 0; --times) {
          const auto result = playFarmedGame(
              task.content,
              [&](const Sha256& hash) -> std::shared_ptr<const NativeNetwork> {
                for (const auto& model : models)
                  if (model->hash == hash) return model->network;
                return nullptr;
              },
              [&] { return stop.stop_requested(); });
          if (result) results.emplace_back(task.id, *result), ++played_;
        }
      }
      std::shuffle(results.begin(), results.end(), rng);
      farm_.deliver(results);
    }
  }

  MatchFarm& farm_;
  const Habits habits_;
  std::atomic<int> played_{0};
  std::jthread thread_;
};

class FarmedMatchTest : public ::testing::Test {
 protected:
  FarmedMatchTest() {
    options_.rules = rules_;
    options_.games = 30;
    options_.openings = randomOpenings(rules_, 3, 15, 1);
  }
  FarmPlayer player(const std::shared_ptr<const Published>& model) const {
    return {{.model = model->hash, .nodes = 6}, model};
  }
  MatchResult here(const MatchOptions& options) const {
    EngineSettings settings;
    settings.nodes = 6;
    return playMatch(*makeModelFactory(a_->network, settings, "a"),
                     *makeModelFactory(b_->network, settings, "b"), options);
  }
  // Played on the farm, as it is with these habits; expects the games of `here`.
  int farmed(const Field::Habits& habits, milliseconds patience = seconds(60)) {
    MatchFarm farm(patience);
    const Field field(farm, habits);
    FarmedMatch match(farm, options_, player(a_), player(b_),
                      [this](const std::string& line) { warnings_.push_back(line); });
    MatchOptions options = options_;
    options.elsewhere = match.elsewhere();
    EXPECT_EQ(options.elsewhere->concurrency, 2 * habits.workers);
    const MatchResult result = here(options);
    const MatchResult expected = here(options_);
    EXPECT_EQ(result.games.size(), expected.games.size());
    for (std::size_t i = 0; i < std::min(result.games.size(), expected.games.size()); ++i) {
      EXPECT_EQ(result.games[i].moves, expected.games[i].moves);
      EXPECT_EQ(result.games[i].nodes, expected.games[i].nodes);
    }
    EXPECT_EQ(result.tally, expected.tally);
    EXPECT_EQ(result.pairs, expected.pairs);
    return match.farmed();
  }

  const Rules rules_ = Rules(kBestemshe);
  const std::shared_ptr<const Published> a_ = published(rules_, 1), b_ = published(rules_, 2);
  MatchOptions options_;
  std::vector<std::string> warnings_;
};

TEST_F(FarmedMatchTest, IsTheMatchPlayedHere) {
  EXPECT_EQ(farmed({}), 30);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(FarmedMatchTest, TasksPlayedTwiceCountOnce) {
  EXPECT_EQ(farmed({.twice = true}), 30);
}

TEST_F(FarmedMatchTest, LostTasksArePlayedHereOrAgain) {
  const int games = farmed({.loses = 5}, milliseconds(300));
  EXPECT_GT(games, 10);
}

TEST_F(FarmedMatchTest, WorkersThatNeverAnswerCostOnePatience) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(farmed({.loses = 1}, milliseconds(400)), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(20));
}

TEST_F(FarmedMatchTest, ErrorsAreToldOnceAndTheGamesPlayedHere) {
  EXPECT_LT(farmed({.fails = 1}), 1);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("no ?wish"));
}

TEST_F(FarmedMatchTest, WorkersThatLeaveInTheMiddle) {
  const int games = farmed({.quitsAfter = 8}, seconds(3600));
  EXPECT_LE(games, 8);
}

TEST_F(FarmedMatchTest, AStopInTheMiddle) {
  MatchFarm farm(seconds(3600));
  std::atomic<bool> stop{false};
  options_.games = 4000;
  options_.stop = &stop;
  options_.onProgress = [&](const MatchProgress& progress) {
    if (progress.gamesDone >= 6) stop = true;
  };
  const Field field(farm, {.loses = 20});
  MatchResult result;
  {
    FarmedMatch match(farm, options_, player(a_), player(b_), {});
    MatchOptions options = options_;
    options.elsewhere = match.elsewhere();
    result = here(options);
  }
  EXPECT_TRUE(result.interrupted);
  EXPECT_GE(result.gamesPlayed(), 6);
  EXPECT_LT(result.gamesPlayed(), 4000);
}

// The run's own matches: one judge with workers, one without.
class FarmedJudge : public ::testing::Test {
 protected:
  FarmedJudge() {
    config_.game.variant = "bestemshe";
    config_.gate.nodes = 6;
    config_.gate.pairsMax = 10;
    config_.rating.nodes = 6;
    config_.rating.games = 6;
    config_.rating.opponents = {"random", "alphabeta:depth=2", "alphabeta:movetime=1"};
  }
  // What a gate and ratings leave behind.
  std::string verdicts(const std::string& name, MatchFarm* farm) {
    const RunDirectory directory = RunDirectory::create(folder_.path() / name);
    Reporter reporter(directory.log(), LogLevel::Warn, directory.metrics(), directory.events(), 0);
    Judge judge({&config_, &directory, &reporter, &stop_, farm});
    std::string text;
    for (std::uint32_t generation = 1; generation <= 3; ++generation) {
      const auto candidate = published(config_.rules(), generation);
      text += judge.gate(candidate) ? "promoted " : "not promoted ";
      judge.rate(candidate);
    }
    farmedGames_ = judge.farmedGames();
    // The opponent on the clock is none that repeats.
    const auto ratings = nlohmann::json::parse(readFile(directory.rating()));
    for (const auto& result : ratings.at("results"))
      if (result.at("second") != "alphabeta:movetime=1") text += result.dump() + "\n";
    std::string line;
    for (std::istringstream metrics(readFile(directory.metrics())); std::getline(metrics, line);) {
      const auto json = nlohmann::json::parse(line);
      if (json.at("kind") == "gate")
        text += json["wins"].dump() + " " + json["losses"].dump() + " " + json["llr"].dump() + "\n";
    }
    return text;
  }

  testing::TemporaryFolder folder_;
  Config config_;
  std::atomic<bool> stop_{false};
  std::uint64_t farmedGames_ = 0;
};

TEST_F(FarmedJudge, JudgesAlike) {
  const std::string alone = verdicts("alone", nullptr);
  EXPECT_THAT(alone, HasSubstr("random"));
  EXPECT_EQ(farmedGames_, 0u);
  MatchFarm farm;
  EXPECT_EQ(verdicts("nobody", &farm), alone);
  EXPECT_EQ(farmedGames_, 0u);
  const Field field(farm, {});
  EXPECT_EQ(verdicts("farmed", &farm), alone);
  // Two gates, and of the ratings all but the games on the clock.
  EXPECT_GE(farmedGames_, 4u + 3 * 2 * 6 + 2 * 6);
  EXPECT_GE(field.played(), static_cast<int>(farmedGames_));
}

}  // namespace
}  // namespace toguz
