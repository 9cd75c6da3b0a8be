#include "training/exchange.h"

#include <unistd.h>

#include <algorithm>

#include "base/machine.h"
#include "store/batch.h"
#include "training/row.h"

namespace toguz {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kReceiveAtOnce = 64;  // batches
constexpr milliseconds kReceiveWait{200};
constexpr std::size_t kCommitGames = 4096;
constexpr milliseconds kCommitTime{1000}, kHeadTime{1000}, kRenewTime{3000}, kLookTime{2000},
    kDrainTime{5000};
constexpr double kOpenSeconds = 60;  // to reach the store at the start

}  // namespace

Exchange::Exchange(std::unique_ptr<RunStore> store, const Config& config, RunIdentity& identity,
                   Run run)
    : config_(config),
      rules_(config.rules()),
      identity_(identity),
      run_(std::move(run)),
      store_(std::move(store)),
      name_(store_->name()),
      local_(name_.find("://") == std::string::npos),
      backoff_(randomWorkerId()) {
  description_.id = identity.run();
  description_.variant = rules_.name();
  description_.rules = kRulesVersion;
  description_.config = configToml(config);
  description_.configHash = gameConfigHash(config);
  description_.backlogBytes = static_cast<std::uint64_t>(config.store.backlogMb * 1e6);
  // The folder of a run is locked by its learner: whoever comes from the same one comes after it.
  // A copy of the folder is another one.
  owner_ = hostName() + ", " + identity.folder().string() + ", learner " +
           identity.learner().substr(0, 16);
}

void Exchange::open(const std::atomic<bool>& stop) {
  const auto start = steady_clock::now();
  const auto late = [&](double seconds) {
    return duration<double>(steady_clock::now() - start).count() > seconds;
  };
  while (!stop) {
    try {
      lead();
      publish(false);
      return;
    } catch (const StoreDenied&) {
      throw;
    } catch (const StoreHeld& error) {
      if (late(2 * RunStore::kLeaseSeconds))
        throw Error(name_ +
                    " is led by another learner that is alive; end that one first, or "
                    "choose another run name in the address");
      tell(error.what(), "");
    } catch (const StoreUnavailable& error) {
      if (late(kOpenSeconds)) throw;
      tell(error.what(), "; trying for a minute");
    }
    sleepUnless(stop, backoff_.next());
  }
}

// Each trouble once, until all is well again.
void Exchange::tell(const std::string& trouble, const char* consequence) {
  // Held by another learner, the seconds left are no news.
  const std::string matter = trouble.substr(0, trouble.find("; waiting"));
  if (matter == told_) return;
  run_.warn(trouble + consequence);
  told_ = matter;
}

void Exchange::lead() {
  store_->lead(description_, owner_);
  leading_ = true;
  published_.reset();
  taken_ = {};  // it will be delivered again
  nextRenew_ = nextHead_ = {};
  if (!told_.empty()) run_.say("in touch with " + name_);
  told_.clear();
  backoff_.reset();
}

bool Exchange::anybodyThere() {
  return !local_ || !published_ || workers_ > 0;
}

void Exchange::look() {
  StoreStatus status;
  try {
    status = store_->status();
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const Error& error) {  // somebody has written over what the learner keeps there
    throw StoreUnavailable(error.what());
  }
  workers_ = static_cast<int>(status.workers.size());
  run_.seen(status);
  if (!run_.farm) return;
  const auto plays = [](const WorkerSeen& worker) { return worker.report.playsMatches; };
  run_.farm->setWorkers(
      static_cast<int>(std::count_if(status.workers.begin(), status.workers.end(), plays)));
}

void Exchange::farm() {
  if (!run_.farm) return;
  const MatchFarm::Orders orders = run_.farm->takeOrders();
  if (orders.drop) store_->dropTasks();
  for (const auto& model : orders.models)
    store_->keepModel(model->hash, [&] { return serializeModel(model->model); });
  if (!orders.post.empty()) store_->postTasks(orders.post);
  if (orders.awaited) run_.farm->deliver(store_->taskResults());
}

void Exchange::publish(bool ended) {
  const ModelOnOffer model = run_.playing();
  Head head{.model = model.hash,
            .generation = model.generation,
            .step = model.step,
            .configHash = description_.configHash,
            .progress = run_.progress(),
            .ended = ended};
  const auto now = steady_clock::now();
  if (published_ && !ended && now < nextModel_) {  // its progress alone
    head.model = published_->model;
    head.generation = published_->generation;
    head.step = published_->step;
  }
  if (published_ && *published_ == head) return;
  if (!ended && !anybodyThere()) return;
  if (published_ && published_->model == head.model) {
    store_->publish(head, {});
  } else {
    identity_.addModel(head.model, head.generation, head.step);
    store_->publish(head, model.file());
    nextModel_ = now + std::chrono::duration_cast<steady_clock::duration>(
                           duration<double>(config_.store.publishSeconds));
  }
  published_ = head;
}

void Exchange::turn(const std::atomic<bool>& stop) {
  try {
    if (!leading_) lead();
    const auto now = steady_clock::now();
    if (now >= nextHead_) {
      publish(false);
      nextHead_ = steady_clock::now() + kHeadTime;
    }
    if (now >= nextRenew_) renew();
    if (now >= nextLook_) {
      look();
      nextLook_ = now + kLookTime;
    }
    farm();
    if (run_.wantsGames()) {
      for (const Delivery& delivery : store_->receive(kReceiveAtOnce, kReceiveWait)) take(delivery);
    } else {
      sleepUnless(stop, milliseconds(50));
    }
    if (taken_.games >= kCommitGames ||
        (!taken_.handled.empty() && steady_clock::now() - taken_.since >= kCommitTime))
      commit();
  } catch (const StoreUnavailable& error) {
    unavailable(error, stop);
  }
}

void Exchange::unavailable(const StoreUnavailable& error, const std::atomic<bool>& stop) {
  leading_ = false;
  if (run_.farm) {
    run_.farm->storeLost();
    run_.farm->setWorkers(0);
  }
  tell(error.what(), "; the run goes on, and tries again");
  sleepUnless(stop, backoff_.next());
}

std::string Exchange::fault(const GameRecord& game) const {
  if (game.origin.rules != kRulesVersion || !(game.rules == rules_)) return "other rules";
  if (!identity_.knowsConfig(game.origin.config)) return "other settings";
  if (!identity_.knowsModel(game.origin.model)) return "unknown model";
  return "";
}

void Exchange::reject(const std::string& reason, const std::string& what) {
  std::uint64_t count;
  {
    const std::lock_guard lock(mutex_);
    count = ++report_.rejected[reason];
  }
  if (count == 1) run_.warn("refused a record from " + name_ + " (" + reason + "): " + what);
}

void Exchange::take(const Delivery& delivery) {
  Handled handled{.id = delivery.id, .bytes = delivery.bytes.size()};
  if (taken_.handled.empty()) taken_.since = steady_clock::now();
  std::optional<GameBatch> batch;
  try {
    batch = decodeBatch(delivery.bytes);
  } catch (const Error& error) {
    reject("damaged", error.what());
  }
  if (batch && batch->run != description_.id) {
    // Its numbers are of no meaning here.
    reject("another run", "from worker " + hex64(batch->worker) + ", of run " + batch->run);
  } else if (batch) {
    handled.worker = batch->worker;
    handled.sequence = batch->sequence;
    for (GameRecord& game : batch->games) take(std::move(game), batch->worker);
  }
  taken_.oldestSeconds = std::max(taken_.oldestSeconds, delivery.ageSeconds);
  taken_.handled.push_back(std::move(handled));
}

void Exchange::take(GameRecord&& game, WorkerId worker) {
  const std::uint64_t id = game.id;
  const auto which = [&] { return "game " + hex64(id) + " from worker " + hex64(worker); };
  if (const std::string fault = this->fault(game); !fault.empty()) return reject(fault, which());
  if (run_.knows(id)) {
    const std::lock_guard lock(mutex_);
    ++report_.duplicates;
    return;
  }
  try {
    run_.add(std::move(game));
    ++taken_.games;
  } catch (const UnsoundGame& error) {
    reject("breaks the rules", which() + ": " + error.what());
  }
}

void Exchange::commit() {
  run_.flush();
  // What was taken in counts whether or not the store hears of it.
  const Taken taken = std::exchange(taken_, {});
  {
    const std::lock_guard lock(mutex_);
    report_.remoteGames += taken.games;
    report_.lagSeconds =
        taken.oldestSeconds + duration<double>(steady_clock::now() - taken.since).count();
  }
  store_->acknowledge(taken.handled);
}

void Exchange::renew() {
  const LearnerReport now = run_.report();
  const auto time = steady_clock::now();
  LearnerReport report;
  {
    const std::lock_guard lock(mutex_);
    report_.host = hostName();
    report_.process = ::getpid();
    report_.step = now.step;
    report_.generation = now.generation;
    report_.games = now.games;
    if (rateSince_ != steady_clock::time_point{})
      report_.gamesPerMinute = 60 * static_cast<double>(report_.remoteGames - rateGames_) /
                               duration<double>(time - rateSince_).count();
    rateSince_ = time;
    rateGames_ = report_.remoteGames;
    report = report_;
  }
  store_->renew(report);
  nextRenew_ = time + kRenewTime;
}

void Exchange::close(bool ended) {
  if (run_.farm) run_.farm->setWorkers(0);
  if (!leading_) return;
  try {
    publish(ended);
    if (ended) {  // what is on its way still counts
      const auto end = steady_clock::now() + kDrainTime;
      while (steady_clock::now() < end) {
        const auto deliveries = store_->receive(kReceiveAtOnce, kReceiveWait);
        if (deliveries.empty()) break;
        for (const Delivery& delivery : deliveries) take(delivery);
      }
    }
    if (!taken_.handled.empty()) commit();
    renew();
    store_->resign();
  } catch (const StoreUnavailable& error) {
    run_.warn(std::string(error.what()) + "; what it holds will be taken in when the run goes on");
  }
  leading_ = false;
}

LearnerReport Exchange::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

}  // namespace toguz
