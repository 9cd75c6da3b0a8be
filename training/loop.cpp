#include "training/loop.h"

#include <pthread.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <thread>

#include "arena/player.h"
#include "base/error.h"
#include "base/machine.h"
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
        run_(options, ending_) {}

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
    if (run_.config().run.deterministic)
      runInLockStep();
    else
      runTogether();
    run_.reporter().endProgress();
    const bool finished = run_.budgetSpent() && !userStop_;
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
    const SelfPlayConfig& selfplay = run_.config().selfplay;
    const auto workers =
        static_cast<std::uint32_t>(selfplay.workers > 0 ? selfplay.workers : usableCores().size());
    Crew crew(ending_, [this] { run_.bucket().close(); });
    std::vector<WorkerSetup> setups;
    for (std::uint32_t w = 0; w < workers; ++w)
      setups.push_back(run_.workerSetup(w, workers, ending_));
    for (const WorkerSetup& setup : setups) crew.add("selfplay", [&setup] { runWorker(setup); });
    crew.add("trainer", [this] { trainUntilEnd(); });
    crew.add("judge", [this] { judgeUntilEnd(); });

    const double flushEvery = run_.config().store.flushSeconds;
    double nextFlush = run_.elapsed() + flushEvery;
    while (!ending_ && !over()) {
      std::this_thread::sleep_for(milliseconds(100));
      run_.reporter().flush();
      run_.reporter().progress(run_.elapsed(), run_.progress(), run_.progressFields());
      if (run_.elapsed() >= nextFlush) {
        run_.flushStore();
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
  std::atomic<bool> ending_{false};
  TrainingRun run_;
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
