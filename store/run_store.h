// Where the processes of one run meet: the learner that trains, and any number of workers that play
// for it, here or on other machines. Two implementations: local files in the run's folder (the
// default, no daemon), and Redis.
//
// A worker needs nothing but the store. It reads what the run is (RunDescription) and which model
// to play with (Head), fetches that by its hash, and appends batches of finished games. Delivery is
// at least once: a worker keeps each batch until the learner has confirmed it, and appends it again
// whenever it cannot be sure; the learner archives games by their ids, each once, and confirms a
// batch only when its games are on its own disk. So nothing confirmed is ever lost, whatever is
// killed, even a store that loses its memory.
//
// One object belongs to one thread; open several for several threads. Every call may throw
//   StoreUnavailable  the store cannot do it now; the same call may succeed later
//   Error             it never will: another run's data, a later version
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace toguz {

class StoreUnavailable : public Error {
 public:
  using Error::Error;
};

// It refuses this user: nothing to wait for at the start, but a password may be mended later.
class StoreDenied : public StoreUnavailable {
 public:
  using StoreUnavailable::StoreUnavailable;
};

// Another learner has the run.
class StoreHeld : public StoreUnavailable {
 public:
  using StoreUnavailable::StoreUnavailable;
};

// Random, 1 .. 2^39 - 1: a process that plays, for as long as it lives.
using WorkerId = std::uint64_t;
WorkerId randomWorkerId();
// The first of the 2^24 game ids that are this worker's alone: above all ids of the run's own
// process, which counts from its number of sittings << 40.
inline constexpr std::uint64_t firstGameId(WorkerId worker) {
  return std::uint64_t{1} << 63 | worker << 24;
}
inline constexpr std::uint64_t kGameIdsPerWorker = std::uint64_t{1} << 24;

// What the run is. Immutable but for `config`, which a resumed learner may change.
struct RunDescription {
  std::string id;  // 32 hex digits, random, made with the run
  std::string variant;
  std::uint16_t rules = 0;         // kRulesVersion of the learner
  std::string config;              // the effective configuration, TOML
  std::uint64_t configHash = 0;    // of the settings that make games
  std::uint64_t backlogBytes = 0;  // batches not yet archived that the store may hold
  bool operator==(const RunDescription&) const = default;
};

// What self-play should play with now. It moves only to models that are there already.
struct Head {
  Sha256 model{};
  std::uint32_t generation = 0;
  std::uint64_t step = 0;
  std::uint64_t configHash = 0;  // RunDescription's, which workers then read again
  double progress = 0;           // of the run's budget, [0, 1]; kept up to date within seconds
  bool ended = false;            // the budget is spent: no more games are wanted
  bool operator==(const Head&) const = default;
};

// What a worker says of itself every few seconds.
struct WorkerReport {
  WorkerId id = 0;
  std::string host;
  std::int64_t process = 0;
  int threads = 0;
  double seconds = 0;  // since it joined
  std::uint64_t games = 0;
  double gamesPerMinute = 0;  // lately
  double simulationsPerSecond = 0;
  std::uint32_t generation = 0;  // of the newest network in use
  Sha256 model{};
  std::uint64_t spooledGames = 0;  // finished but not confirmed
  bool playsMatches = false;       // takes tasks
  std::uint64_t matchGames = 0;    // tasks finished
};

// What the learner says of itself every few seconds.
struct LearnerReport {
  std::string host;
  std::int64_t process = 0;
  std::uint64_t step = 0;
  std::uint32_t generation = 0;
  std::uint64_t games = 0;        // archived, from all sources
  std::uint64_t remoteGames = 0;  // of these, from the store, in this sitting
  double gamesPerMinute = 0;      // from the store, lately
  double lagSeconds = 0;          // age of the last batch handled, from append to archive
  std::uint64_t duplicates = 0;   // games that were delivered again, in this sitting
  std::map<std::string, std::uint64_t> rejected;  // records by reason, in this sitting
};

// A batch as it came. `age`: since it was appended.
struct Delivery {
  std::string id;  // the store's name for it
  std::string bytes;
  double ageSeconds = 0;
};

// A delivery that has been archived or refused, and whose it was; worker 0 where nobody can tell.
struct Handled {
  std::string id;
  WorkerId worker = 0;
  std::uint64_t sequence = 0;
  std::size_t bytes = 0;  // of the delivery
};

// Work for whichever worker comes first (games of the gate and of ratings). Its content is the
// arena's business.
struct Task {
  std::string id;  // letters, digits and '-'; unique in the run
  std::string content;
};

struct WorkerSeen {
  WorkerReport report;
  double secondsAgo = 0;
};

struct StoreStatus {
  std::optional<RunDescription> run;
  std::optional<Head> head;
  std::optional<LearnerReport> learner;
  double learnerSecondsAgo = 0;
  std::vector<WorkerSeen> workers;  // seen within kAliveSeconds
  std::uint64_t backlogBatches = 0;
  std::uint64_t backlogBytes = 0;
  double oldestSeconds = 0;       // age of the oldest batch of the backlog
  std::uint64_t tasks = 0;        // not finished
  std::uint64_t memoryBytes = 0;  // of the store; 0 where it is a folder
};

// A worker or learner that was not heard of for so long is taken for gone.
inline constexpr double kAliveSeconds = 20;
// The largest batch that a store takes.
inline constexpr std::size_t kMaxBatchBytes = 4 << 20;

class RunStore {
 public:
  virtual ~RunStore() = default;
  // For messages: the address, without password.
  virtual std::string name() const = 0;
  // For how long the store may keep a call waiting from now on, where it is no folder.
  virtual void setAnswerTime(std::chrono::milliseconds) {}

  // ---- Workers
  // Nothing until a learner has been there.
  virtual std::optional<RunDescription> description() = 0;
  // Likewise. A damaged one is StoreUnavailable: a learner that is alive writes it anew.
  virtual std::optional<Head> head() = 0;
  // The model file of that hash, verified; nothing if the store does not have it (any more).
  virtual std::optional<std::string> model(const Sha256& hash) = 0;
  // What is not `Yes` took nothing. `Full`: the learner is behind. `NoRun`: there is no such run
  // here (now). `Anew`: the store was set up anew since this object was last told; what it held may
  // be gone, and all that is not confirmed must be sent again, in order.
  enum class Taken : std::uint8_t { Yes, Full, NoRun, Anew };
  virtual Taken append(const std::string& run, WorkerId worker, std::uint64_t sequence,
                       std::string_view batch) = 0;
  // All the worker's batches with sequences up to this one are archived or refused; 0: none known.
  // Nothing: `Taken::Anew`, likewise told once.
  virtual std::optional<std::uint64_t> confirmed(WorkerId worker) = 0;
  virtual void report(const WorkerReport& report) = 0;
  virtual void leave(WorkerId worker) = 0;

  // A task nobody has, to be finished within the lease; then others may take it.
  virtual std::optional<Task> takeTask(std::chrono::seconds lease) = 0;
  virtual void finishTask(const std::string& id, std::string_view result) = 0;

  // ---- The learner. One at a time: `lead` takes the run for `owner` (names a run folder), who
  // has it for kLeaseSeconds from each call of `lead` or `renew`.
  static constexpr double kLeaseSeconds = 15;
  // Makes the run here, or goes on with it; deliveries that were received and not acknowledged will
  // be received again. Throws StoreHeld while another learner has it, Error if the store holds
  // another run.
  virtual void lead(const RunDescription& run, const std::string& owner) = 0;
  // Throws StoreUnavailable if the run is gone from the store (lead again), Error if it was taken
  // over.
  virtual void renew(const LearnerReport& report) = 0;
  // Gives the run back, so that another learner need not wait.
  virtual void resign() = 0;
  // The model first, then the head that names it. `model` may be empty if it is there already.
  virtual void publish(const Head& head, std::string_view model) = 0;
  // A model that tasks name; kept for as long as it is kept up by this call (minutes).
  virtual void keepModel(const Sha256& hash, const std::function<std::string()>& bytes) = 0;
  // Up to about `most` batches in the order in which they were appended, first those that were
  // received before by somebody who did not acknowledge them. Waits for the first of them.
  virtual std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds wait) = 0;
  // Confirms to the workers and takes the deliveries out of the store.
  virtual void acknowledge(std::span<const Handled> handled) = 0;

  virtual void postTasks(std::span<const Task> tasks) = 0;
  // Results since the last call, each once unless the store fails in between: (task id, result).
  virtual std::vector<std::pair<std::string, std::string>> taskResults() = 0;
  virtual void dropTasks() = 0;

  // ---- Anybody
  virtual StoreStatus status() = 0;
};

// "redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN", "rediss://..." (TLS), or the path of a run folder,
// also as "file:PATH". Where the address has no password, TOGUZ_REDIS_PASSWORD of the environment
// is taken. Throws UsageError for anything else; does not connect yet.
std::unique_ptr<RunStore> openStore(const std::string& address);

}  // namespace toguz
