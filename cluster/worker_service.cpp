#include "cluster/worker_service.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "arena/farmed_game.h"
#include "base/machine.h"
#include "base/progress.h"
#include "cluster/game_sender.h"
#include "store/backoff.h"
#include "training/config.h"

namespace toguz {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTurn{200};
constexpr double kHeadSeconds = 2, kReportSeconds = 3;
// With a call under way when it is told to end, ten seconds in all.
constexpr double kHandInSeconds = 4;
constexpr milliseconds kHandInAnswer{1500};
constexpr std::chrono::seconds kTaskLease{30};
constexpr std::size_t kMatchNetworks = 3;

// The next id for each game of one thread; a new range of them when one is used up.
class GameIds {
 public:
  std::uint64_t next() {
    if (used_ == kGameIdsPerWorker) base_ = firstGameId(randomWorkerId()), used_ = 0;
    return base_ + used_++;
  }

 private:
  std::uint64_t base_ = firstGameId(randomWorkerId());
  std::uint64_t used_ = 0;
};

class Service {
 public:
  Service(const WorkerServiceOptions& options, const std::atomic<bool>& stop)
      : options_(options), stop_(stop), store_(openStore(options.store)), backoff_(id_) {}

  WorkerServiceResult run() {
    if (!join()) return {};
    if (head_.ended) return {.runEnded = true};
    options_.say("playing for " + store_->name() + ": " + run_.variant + ", generation " +
                 std::to_string(head_.generation) + ", " + std::to_string(threads_) + " threads");
    sender_.emplace(
        GameSender::Options{.run = run_.id, .worker = id_, .spoolGames = options_.spoolGames});
    startPlayers();
    try {
      while (!stop_ && !head_.ended && !changed_ && !failed()) turn();
    } catch (...) {
      endPlayers();
      throw;
    }
    endPlayers();
    if (failure_) std::rethrow_exception(failure_);
    handIn();
    WorkerServiceResult result;
    result.runEnded = head_.ended;
    result.settingsChanged = changed_;
    result.games = counters_.games;
    result.lostGames = sender_->unsentGames();
    return result;
  }

 private:
  // Not again while the same is the matter.
  void sayOnce(const std::string& matter, const std::string& line) {
    if (matter == said_) return;
    options_.say(line);
    said_ = matter;
  }

  // Waits until there is a run with a model. False if stopped before.
  bool join() {
    while (!stop_) {
      try {
        const auto run = store_->description();
        const auto head = run ? store_->head() : std::nullopt;
        if (head && adopt(*run, *head)) {
          store_->report(firstReport());  // a user who may not write had better know now
          backoff_.reset();
          return true;
        }
        sayOnce("no run", store_->name() +
                              ": no run here yet; waiting for its learner (toguz train --store)");
        sleepUnless(stop_, milliseconds(1000));
      } catch (const StoreDenied&) {
        throw;
      } catch (const StoreUnavailable& error) {
        sayOnce(error.what(), std::string(error.what()) + "; trying again");
        sleepUnless(stop_, backoff_.next());
      }
    }
    return false;
  }

  bool adopt(const RunDescription& run, const Head& head) {
    if (run.rules != kRulesVersion)
      throw Error(store_->name() + " is a run by version " + std::to_string(run.rules) +
                  " of the rules, this program plays version " + std::to_string(kRulesVersion) +
                  "; update the older of the two");
    config_ = Config{};
    try {
      mergeToml(config_, run.config, "line");
      checkConfig(config_);
    } catch (const Error& error) {
      throw Error(store_->name() + ": this worker does not understand the run's configuration (" +
                  error.what() + "); it is of another version than the learner: update the older");
    }
    config_.selfplay.device = options_.device;
    rules_ = config_.rules();
    threads_ = options_.threads > 0 ? options_.threads : static_cast<int>(usableCores().size());
    run_ = run;
    if (!follow(head)) return false;
    head_ = head;
    return true;
  }

  // Takes up the head's model. False if the store has lost it.
  bool follow(const Head& head) {
    if (head.model == model_) return true;
    const auto bytes = store_->model(head.model);
    if (!bytes) return false;
    Model model = parseModel(
        *bytes, "the model " + hexText(head.model).substr(0, 12) + " of " + store_->name());
    if (!(model.rules == rules_))
      throw Error(store_->name() + ": the model is for " + model.rules.name() + ", the run plays " +
                  rules_.name());
    networks_.publish(options_.makeHandle(
        received(std::move(model), head.model, head.generation, head.step), config_.selfplay));
    model_ = head.model;
    return true;
  }

  void startPlayers() {
    for (int t = 0; t < threads_; ++t) {
      WorkerSetup setup;
      setup.rules = rules_;
      setup.plyCap = config_.game.plyCap;
      setup.config = config_.selfplay;
      setup.runSeed = static_cast<std::uint64_t>(config_.run.seed);
      setup.worker = id_;
      setup.configHash = run_.configHash;
      setup.networks = &networks_;
      setup.nextGame = [ids = GameIds()]() mutable -> std::optional<std::uint64_t> {
        return ids.next();
      };
      setup.deliver = [this](GameRecord&& game) { sender_->deliver(std::move(game)); };
      setup.progress = [this] { return progress_.load(std::memory_order_relaxed); };
      setup.stop = &ending_;
      setup.counters = &counters_;
      players_.emplace_back([this, setup] {
        pthread_setname_np(pthread_self(), "selfplay");
        guarded([&] { runWorker(setup); });
      });
    }
    if (options_.farm)
      players_.emplace_back([this] {
        pthread_setname_np(pthread_self(), "matches");
        guarded([this] { playMatches(); });
      });
  }

  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(failureMutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  // Games of matches, one at a time, beside the players: a thread with a store of its own.
  void playMatches() {
    const std::unique_ptr<RunStore> store = openStore(options_.store);
    Backoff backoff(id_ + 1);
    std::vector<std::pair<Sha256, std::shared_ptr<const NativeNetwork>>> networks;  // newest last
    const auto network = [&](const Sha256& hash) -> std::shared_ptr<const NativeNetwork> {
      for (const auto& [known, ready] : networks)
        if (known == hash) return ready;
      const auto bytes = store->model(hash);
      if (!bytes) return nullptr;
      networks.emplace_back(hash,
                            std::make_shared<NativeNetwork>(parseModel(*bytes, hexText(hash))));
      if (networks.size() > kMatchNetworks) networks.erase(networks.begin());
      return networks.back().second;
    };
    while (!ending_) {
      milliseconds wait{1000};
      try {
        if (const auto task = store->takeTask(kTaskLease)) {
          if (const auto result =
                  playFarmedGame(task->content, network, [this] { return ending_.load(); })) {
            store->finishTask(task->id, *result);
            ++matchGames_;
          }
          wait = {};
        }
        backoff.reset();
      } catch (const Error&) {  // the thread that sends games tells of it
        wait = backoff.next();
      }
      sleepUnless(ending_, wait);
    }
  }

  bool failed() {
    const std::lock_guard lock(failureMutex_);
    return failure_ != nullptr;
  }

  void endPlayers() {
    ending_ = true;
    sender_->close();
    for (std::thread& player : players_) player.join();
    players_.clear();
  }

  // One round of the talk with the store.
  void turn() {
    showProgress();
    try {
      const auto sent = sender_->send(*store_, false);
      if (sent == GameSender::Sent::Anew) return;
      if (sent == GameSender::Sent::NoRun) {
        sayOnce("lost", store_->name() + " has lost the run; playing on until its learner is back");
        sender_->resend();
        sleepUnless(stop_, backoff_.next());
        return;
      }
      const double now = seconds();
      if (now >= nextHead_) {
        const auto head = store_->head();
        if (head && head->configHash != run_.configHash) {
          changed_ = true;
          return;
        }
        if (head && *head != head_ && follow(*head)) {
          head_ = *head;
          progress_ = head->progress;
        }
        nextHead_ = now + kHeadSeconds;
      }
      if (now >= nextReport_) {
        store_->report(makeReport(now));
        nextReport_ = now + kReportSeconds;
      }
      if (sent == GameSender::Sent::LearnerBehind) {
        sayOnce("behind", "the learner is behind: games wait here until it has room");
        sleepUnless(stop_, backoff_.next());
        return;
      }
      if (sender_->full())
        return sayOnce("full", std::to_string(sender_->spooledGames()) +
                                   " finished games wait for the learner to archive them: play "
                                   "pauses until it does (--spool)"),
               sleepUnless(stop_, kTurn);
      if (!said_.empty()) options_.say("in touch with " + store_->name()), said_.clear();
      backoff_.reset();
      sleepUnless(stop_, kTurn);
    } catch (const StoreUnavailable& error) {
      sayOnce(error.what(), std::string(error.what()) + "; playing on, " +
                                std::to_string(sender_->spooledGames()) + " games wait");
      sender_->resend();
      sleepUnless(stop_, backoff_.next());
    }
  }

  void handIn() {
    const auto end = steady_clock::now() + duration<double>(kHandInSeconds);
    store_->setAnswerTime(kHandInAnswer);
    while (steady_clock::now() < end) {
      try {
        const auto sent = sender_->send(*store_, true);
        if (sent == GameSender::Sent::All) break;
        if (sent == GameSender::Sent::Anew) continue;
        if (sent == GameSender::Sent::NoRun) sender_->resend();
      } catch (const StoreUnavailable&) {
        sender_->resend();
      }
      std::this_thread::sleep_for(milliseconds(300));
    }
    try {
      store_->leave(id_);
    } catch (const Error&) {  // it will be taken for gone anyway
    }
  }

  WorkerReport firstReport() const {
    WorkerReport report;
    report.id = id_;
    report.host = hostName();
    report.process = ::getpid();
    report.threads = threads_;
    report.generation = head_.generation;
    report.model = model_;
    report.playsMatches = options_.farm;
    return report;
  }

  WorkerReport makeReport(double now) {
    const std::uint64_t games = counters_.games, simulations = counters_.simulations;
    const double span = std::max(1e-3, now - reportedAt_);
    WorkerReport report = firstReport();
    report.seconds = now;
    report.games = games;
    report.gamesPerMinute = 60 * static_cast<double>(games - reportedGames_) / span;
    report.simulationsPerSecond = static_cast<double>(simulations - reportedSimulations_) / span;
    report.spooledGames = sender_->spooledGames();
    report.matchGames = matchGames_;
    reportedAt_ = now;
    reportedGames_ = games;
    reportedSimulations_ = simulations;
    simulationRate_ = report.simulationsPerSecond;
    gameRate_ = report.gamesPerMinute;
    return report;
  }

  void showProgress() {
    if (!options_.progress) return;
    shown_.update(seconds(), head_.progress,
                  {{"generation", std::to_string(head_.generation)},
                   {"games", countText(static_cast<double>(counters_.games))},
                   {"games/min", countText(gameRate_)},
                   {"sims/s", countText(simulationRate_)},
                   {"waiting", countText(static_cast<double>(sender_->spooledGames()))}});
  }

  double seconds() const { return duration<double>(steady_clock::now() - started_).count(); }

  const WorkerServiceOptions& options_;
  const std::atomic<bool>& stop_;
  const WorkerId id_ = randomWorkerId();
  const std::unique_ptr<RunStore> store_;
  Backoff backoff_;
  std::string said_;  // what was last told of the store, until all is well again

  bool changed_ = false;  // the run's settings; this one plays by the old
  RunDescription run_;
  Head head_;
  Sha256 model_{};
  Config config_;
  Rules rules_;
  int threads_ = 1;
  std::optional<GameSender> sender_;
  NetworkSlot networks_;
  WorkerCounters counters_;
  std::atomic<double> progress_{0};
  std::atomic<std::uint64_t> matchGames_{0};
  std::atomic<bool> ending_{false};
  std::vector<std::thread> players_;
  std::mutex failureMutex_;
  std::exception_ptr failure_;

  const steady_clock::time_point started_ = steady_clock::now();
  double nextHead_ = 0, nextReport_ = 0;
  double reportedAt_ = 0, simulationRate_ = 0, gameRate_ = 0;
  std::uint64_t reportedGames_ = 0, reportedSimulations_ = 0;
  Progress shown_ = Progress::onStandardError();
};

}  // namespace

WorkerServiceResult runWorkerService(const WorkerServiceOptions& options,
                                     const std::atomic<bool>& stop) {
  WorkerServiceResult all;
  for (;;) {
    const WorkerServiceResult part = Service(options, stop).run();
    all.runEnded = part.runEnded;
    all.games += part.games;
    all.lostGames += part.lostGames;
    if (!part.settingsChanged || stop) return all;
    options.say("the run's settings have changed: playing by the new ones");
  }
}

}  // namespace toguz
