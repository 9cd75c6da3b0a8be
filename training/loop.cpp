#include "training/loop.h"

#include <pthread.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <thread>

#include "arena/player.h"
#include "base/error.h"
#include "base/file.h"
#include "base/machine.h"
#include "store/report_json.h"
#include "training/exchange.h"
#include "training/run.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;

// The threads of a run. The first exception in any of them ends all and is thrown by `join`.
class Crew {
 public:
  Crew(std::atomic<bool>& stop, std::function<void()> onStop)
      : stop_(stop), onStop_(std::move(onStop)) {}
  ~Crew() {
    end();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  // `name`, 15 letters at most, is what system tools (top -H, perf) show.
  void add(const char* name, std::function<void()> work) {
    threads_.emplace_back([this, name, work = std::move(work)] {
      pthread_setname_np(pthread_self(), name);
      try {
        work();
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        end();
      }
    });
  }
  void end() {
    stop_ = true;
    onStop_();
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool>& stop_;
  std::function<void()> onStop_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

class Loop {
 public:
  Loop(const TrainOptions& options, const std::atomic<bool>& stop)
      : userStop_(stop),
        stopAfter_(options.stopAfter),
        onOpened_(options.onOpened),
        workers_(options.workers.value_or(options.config.selfplay.workers)),
        ownGames_(options.workers != 0),
        away_(!options.store.empty()),
        run_(options, ending_) {
    const std::string address = options.store.empty() ? options.directory.string() : options.store;
    if (!options.config.run.deterministic)
      exchange_.emplace(openStore(address), run_.config(), run_.identity(), exchangeRun());
  }

  TrainEnd run() {
    run_.reporter().flush();
    if (onOpened_) onOpened_();
    if (run_.budgetSpent()) {
      if (!run_.judge().best()) run_.judge().promote(run_.candidate());
      run_.reporter().say("the run's budget is spent already; give it more: " +
                          moreBudget(run_.config()));
      run_.reporter().flush();
      return TrainEnd::BudgetSpent;
    }
    if (exchange_) {
      opening_ = true;
      RunIdentity& identity = run_.identity();
      if (!away_ && !identity.store().empty())
        run_.reporter().warn("this run met its workers at " + identity.store() +
                             " before, and now does in its folder; to meet them there stop it and "
                             "give --store " +
                             identity.store());
      identity.setStore(away_ ? exchange_->storeName() : "");
      exchange_->open(userStop_);
      opening_ = false;
      if (!ownGames_)
        run_.reporter().say("this process plays no games: start toguz selfplay --store " +
                            exchange_->storeName());
      run_.reporter().flush();
    }
    if (run_.config().run.deterministic)
      runInLockStep();
    else
      runTogether();
    run_.reporter().endProgress();
    const bool finished = run_.budgetSpent() && !userStop_;
    if (exchange_) exchange_->close(finished);
    if (!run_.config().gate.enabled || !run_.judge().best()) {
      run_.judge().promote(run_.candidate());
    } else if (finished) {
      ending_ = false;  // the last candidate's match may run to its end
      watched([this] { run_.judge().gate(run_.candidate()); });
    }
    run_.writeTrainMetrics();
    run_.checkpoint();
    run_.reporter().flush();
    return finished ? TrainEnd::BudgetSpent : TrainEnd::Stopped;
  }

 private:
  Exchange::Run exchangeRun() {
    Exchange::Run run;
    run.wantsGames = [this] { return run_.wantsGames(); };
    run.knows = [this](std::uint64_t id) { return run_.knowsGame(id); };
    run.add = [this](GameRecord&& game) { run_.deliver(std::move(game), false); };
    run.flush = [this] { run_.flushGames(); };
    run.playing = [this] {
      const auto published = run_.playing();
      return ModelOnOffer{published->hash, published->generation, published->step,
                          [published] { return serializeModel(published->model); }};
    };
    run.progress = [this] { return run_.progress(); };
    run.report = [this] {
      LearnerReport report;
      report.step = run_.step();
      report.generation = run_.newest()->generation;
      report.games = run_.gamesAdded();
      return report;
    };
    run.seen = [this](const StoreStatus& status) { seen(status); };
    run.farm = &run_.farm();
    run.say = [this](const std::string& line) { run_.reporter().say(line), showIfOpening(); };
    run.warn = [this](const std::string& line) { run_.reporter().warn(line), showIfOpening(); };
    return run;
  }

  // The exchange is opened on the main thread, which else shows what is said.
  void showIfOpening() {
    if (opening_) run_.reporter().flush();
  }

  Progress::Fields progressFields() {
    Progress::Fields fields = run_.progressFields();
    if (const int others = othersPlaying_) fields.emplace_back("workers", std::to_string(others));
    return fields;
  }

  // Who plays for the run, for its dashboard: the sums with the metrics, the rest in a file.
  void seen(const StoreStatus& status) {
    othersPlaying_ = static_cast<int>(status.workers.size());
    if (status.workers.empty() && !anybodySeen_) return;
    anybodySeen_ = true;
    if (run_.elapsed() < nextSeen_) return;
    nextSeen_ = run_.elapsed() + kMetricsSeconds;
    const LearnerReport learner = exchange_->report();
    nlohmann::ordered_json json = toJson(status);
    json["learner"] = toJson(learner);
    writeFileAtomically(run_.directory().workers(), json.dump(1) + "\n");
    nlohmann::ordered_json fields = {{"kind", "workers"}, {"elapsed", run_.elapsed()}};
    for (const char* name : {"workers_alive", "games_per_minute", "simulations_per_second",
                             "backlog_batches", "backlog_bytes", "oldest_seconds", "tasks"})
      fields[name] = json[name];
    fields["remote_games"] = learner.remoteGames;
    fields["lag_seconds"] = learner.lagSeconds;
    fields["duplicates"] = learner.duplicates;
    fields["rejected"] = json["learner"]["rejected"];
    fields["match_games"] = run_.judge().farmedGames();
    run_.reporter().metric(std::move(fields));
  }

  bool over() const {
    return userStop_ || run_.budgetSpent() || (stopAfter_ && run_.step() >= *stopAfter_);
  }

  // Does `work` while the user's stop is watched.
  void watched(const std::function<void()>& work) {
    std::atomic<bool> done{false};
    std::thread watcher([&] {
      while (!done) {
        if (userStop_) ending_ = true;
        std::this_thread::sleep_for(milliseconds(50));
      }
    });
    try {
      work();
    } catch (...) {
      done = true;
      watcher.join();
      throw;
    }
    done = true;
    watcher.join();
  }

  void runTogether() {
    const auto workers =
        static_cast<std::uint32_t>(!ownGames_     ? 0
                                   : workers_ > 0 ? static_cast<std::size_t>(workers_)
                                                  : usableCores().size());
    Crew crew(ending_, [this] { run_.bucket().close(); });
    std::vector<WorkerSetup> setups;
    for (std::uint32_t w = 0; w < workers; ++w)
      setups.push_back(run_.workerSetup(w, workers, ending_));
    for (const WorkerSetup& setup : setups) crew.add("selfplay", [&setup] { runWorker(setup); });
    crew.add("trainer", [this] { trainUntilEnd(); });
    crew.add("judge", [this] { judgeUntilEnd(); });
    crew.add("exchange", [this] {
      while (!ending_) exchange_->turn(ending_);
    });

    const double flushEvery = run_.config().store.flushSeconds;
    double nextFlush = run_.elapsed() + flushEvery;
    while (!ending_ && !over()) {
      std::this_thread::sleep_for(milliseconds(100));
      run_.reporter().flush();
      run_.reporter().progress(run_.elapsed(), run_.progress(), progressFields());
      if (run_.elapsed() >= nextFlush) {
        run_.flushGames();
        nextFlush = run_.elapsed() + flushEvery;
      }
    }
    crew.end();
    crew.join();
  }

  void trainUntilEnd() {
    const RunConfig& config = run_.config().run;
    const int batch = run_.config().training.batch;
    double nextCheckpoint = run_.elapsed() + config.checkpointSeconds;
    double nextMetrics = run_.elapsed() + kMetricsSeconds;
    while (!ending_ && !over()) {
      if (run_.readyToTrain()) {
        if (run_.bucket().spendWithin(batch, milliseconds(200))) run_.trainStep();
      } else {
        std::this_thread::sleep_for(milliseconds(50));
      }
      if (run_.elapsed() >= nextCheckpoint) {
        run_.checkpoint();
        nextCheckpoint = run_.elapsed() + config.checkpointSeconds;
      }
      if (run_.elapsed() >= nextMetrics) {
        run_.writeTrainMetrics();
        nextMetrics = run_.elapsed() + kMetricsSeconds;
      }
    }
  }

  void judgeUntilEnd() {
    const Config& config = run_.config();
    Judge& judge = run_.judge();
    double nextGate = 0, nextRating = 0;
    while (!ending_) {
      const auto candidate = run_.newest();
      const double now = run_.elapsed();
      const bool fresh = candidate->generation > 0;
      if (fresh && config.gate.enabled && now >= nextGate &&
          judge.gateSeconds() <= config.gate.share * now) {
        if (judge.gate(candidate)) run_.followBest();
        nextGate = run_.elapsed() + config.gate.everySeconds;
      }
      if (fresh && config.rating.share > 0 && now >= nextRating && !ending_ &&
          judge.ratingSeconds() <= config.rating.share * now) {
        judge.rate(candidate);
        nextRating = run_.elapsed() + config.rating.everySeconds;
      }
      std::this_thread::sleep_for(milliseconds(100));
    }
  }

  void runInLockStep() {
    const RunConfig& config = run_.config().run;
    double nextCheckpoint = run_.elapsed() + config.checkpointSeconds;
    watched([&] {
      while (!ending_ && !over()) {
        if (run_.readyToTrain() && run_.bucket().canSpend(run_.config().training.batch)) {
          TOGUZ_CHECK(run_.bucket().spend(run_.config().training.batch), "tokens that were there");
          run_.trainStep();
        } else {
          run_.playRound(ending_);
        }
        run_.reporter().flush();
        run_.reporter().progress(run_.elapsed(), run_.progress(), run_.progressFields());
        if (run_.elapsed() >= nextCheckpoint) {
          run_.checkpoint();
          nextCheckpoint = run_.elapsed() + config.checkpointSeconds;
        }
      }
    });
  }

  static constexpr double kMetricsSeconds = 10;

  const std::atomic<bool>& userStop_;
  const std::optional<std::uint64_t> stopAfter_;
  const std::function<void()> onOpened_;
  std::atomic<bool> opening_{false};
  std::atomic<int> othersPlaying_{0};
  bool anybodySeen_ = false;  // of the exchange's thread, as the next
  double nextSeen_ = 0;
  const int workers_;
  const bool ownGames_;
  const bool away_;  // others are met elsewhere than in the run's folder
  std::atomic<bool> ending_{false};
  TrainingRun run_;
  std::optional<Exchange> exchange_;  // not in lock-step runs
};

}  // namespace

std::string moreBudget(const Config& config) {
  const RunConfig& run = config.run;
  std::string text;
  if (run.maxSteps > 0) text += " --set run.max_steps=" + std::to_string(6 * run.maxSteps);
  if (run.minutes > 0) {
    char minutes[32];
    std::snprintf(minutes, sizeof minutes, "%g", 6 * run.minutes);
    text += std::string(" --set run.minutes=") + minutes;
  }
  return text.empty() ? text : text.substr(1);
}

TrainEnd train(const TrainOptions& options, const std::atomic<bool>& stop) {
  // What would only be met minutes into the run is looked at before it starts.
  for (const std::string& opponent : options.config.rating.opponents) {
    try {
      parsePlayer(opponent, options.config.rules());
    } catch (const Error& error) {
      throw UsageError(std::string("rating.opponents: ") + error.what());
    }
  }
  return Loop(options, stop).run();
}

}  // namespace toguz
