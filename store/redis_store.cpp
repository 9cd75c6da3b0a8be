#include "store/redis_store.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "store/redis_scripts.h"
#include "store/report_json.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kGroup = "learner";
constexpr const char* kConsumer = "learner";
constexpr auto kClaimEvery = std::chrono::seconds(30);
// Idle for so long in somebody else's hands, a batch is taken from him (milliseconds).
constexpr const char* kOthersIdle = "60000";
// For workers that have just read the head that named it.
constexpr const char* kOldModelSeconds = "60";
constexpr const char* kKeptModelSeconds = "900";
constexpr std::size_t kHandledAtOnce = 500;

std::string secondsToMs(double seconds) {
  return std::to_string(static_cast<std::int64_t>(seconds * 1000));
}

// The time in an entry's id, "MILLISECONDS-N", in seconds.
double timeOf(const std::string& entry) {
  std::int64_t ms = 0;
  return parseInt(entry.substr(0, entry.find('-')), ms) ? static_cast<double>(ms) / 1000 : 0;
}

std::map<std::string, std::string> pairsOf(const RedisReply& reply) {
  std::map<std::string, std::string> pairs;
  for (std::size_t i = 0; i + 1 < reply.items.size(); i += 2)
    pairs[reply.items[i].text] = reply.items[i + 1].text;
  return pairs;
}

// Nothing for a report that is damaged, or of a later version: it is for show alone.
template <class Read>
auto soundReport(const Read& read, const std::string& text) -> std::optional<decltype(read(text))> {
  try {
    return read(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

RedisStore::RedisStore(RedisAddress address)
    : redis_(std::move(address)), prefix_("toguz:{" + redis_.address().run + "}:") {}

std::optional<std::string> RedisStore::get(const std::string& name) {
  RedisReply reply = redis_.command({"GET", key(name)});
  if (reply.nil()) return std::nullopt;
  return std::move(reply.text);
}

double RedisStore::now() {
  const RedisReply time = redis_.command({"TIME"});
  std::int64_t seconds = 0, micros = 0;
  if (time.items.size() == 2) {
    parseInt(time.items[0].text, seconds);
    parseInt(time.items[1].text, micros);
  }
  return static_cast<double>(seconds) + static_cast<double>(micros) / 1e6;
}

std::optional<RunDescription> RedisStore::description() {
  const RedisReply reply = redis_.command({"HGET", key("run"), "json"});
  if (reply.nil()) return std::nullopt;
  try {
    return runDescriptionFrom(reply.text);
  } catch (const Error& error) {
    throw Error(name() + " holds " + error.what());
  }
}

std::optional<Head> RedisStore::head() {
  const auto text = get("head");
  if (!text) return std::nullopt;
  try {
    return headFrom(*text);
  } catch (const DamagedText& error) {
    throw StoreUnavailable(name() + " holds " + error.what());
  } catch (const Error& error) {
    throw Error(name() + " holds " + error.what());
  }
}

std::optional<std::string> RedisStore::model(const Sha256& hash) {
  auto bytes = get("model:" + hexText(hash));
  if (bytes && sha256(*bytes) != hash)
    throw StoreUnavailable(name() + " holds a damaged model " + hexText(hash) +
                           "; waiting for the next one");
  return bytes;
}

RunStore::Taken RedisStore::append(const std::string& run, WorkerId worker, std::uint64_t sequence,
                                   std::string_view batch) {
  const RedisReply reply = redis_.script(kAppend, {key("run"), key("games")},
                                         {run, std::to_string(worker), std::to_string(sequence),
                                          batch, std::to_string(kMaxBatchBytes), epoch_});
  const std::string& answer = reply.items.at(0).text;
  if (answer == "none") return Taken::NoRun;
  if (answer == "other")
    throw Error(name() + " holds another run now; its workers must be started anew");
  TOGUZ_CHECK(answer != "large", "a batch larger than stores take");
  epoch_ = reply.items.at(1).text;
  return answer == "yes" ? Taken::Yes : answer == "full" ? Taken::Full : Taken::Anew;
}

std::optional<std::uint64_t> RedisStore::confirmed(WorkerId worker) {
  const RedisReply reply =
      redis_.script(kConfirmed, {key("run"), key("handled")}, {std::to_string(worker)});
  const std::string epoch = std::exchange(epoch_, reply.items.at(0).text);
  if (!epoch.empty() && epoch != epoch_) return std::nullopt;
  std::int64_t sequence = 0;
  parseInt(reply.items.at(1).text, sequence);
  return static_cast<std::uint64_t>(sequence);
}

void RedisStore::report(const WorkerReport& report) {
  redis_.script(kReport, {key("run"), key("seen"), key("workers")},
                {std::to_string(report.id), toJson(report).dump()});
}

void RedisStore::leave(WorkerId worker) {
  // It stays in `seen` so that its place in `handled` is pruned like everybody's.
  redis_.command({"HDEL", key("workers"), std::to_string(worker)});
}

std::optional<Task> RedisStore::takeTask(std::chrono::seconds lease) {
  const RedisReply reply = redis_.script(kTakeTask, {key("tasks"), key("leases")},
                                         {secondsToMs(static_cast<double>(lease.count()))});
  if (reply.items.size() != 2) return std::nullopt;
  return Task{reply.items[0].text, reply.items[1].text};
}

void RedisStore::finishTask(const std::string& id, std::string_view result) {
  redis_.script(kFinishTask, {key("tasks"), key("leases"), key("results")}, {id, result});
}

void RedisStore::lead(const RunDescription& run, const std::string& owner) {
  const RedisReply reply =
      redis_.script(kLead, {key("learner"), key("run"), key("games")},
                    {owner, secondsToMs(kLeaseSeconds), run.id, toJson(run).dump(),
                     std::to_string(run.backlogBytes), kGroup, hex64(randomWorkerId())});
  const std::string& answer = reply.items.at(0).text;
  if (answer == "held")
    throw StoreHeld(name() + " has a learner already (" + reply.items.at(1).text +
                    "); waiting for it to end, or for " +
                    std::to_string(reply.items.at(2).integer / 1000 + 1) +
                    " s to pass if it was killed");
  if (answer == "other")
    throw Error(name() + " holds another run (" + reply.items.at(1).text + "; this one is " +
                run.id +
                "): choose another run name in the address, or delete that run's keys "
                "(redis-cli --scan --pattern '" +
                prefix_ + "*')");
  run_ = run.id;
  owner_ = owner;
  claimFrom_ = "0-0";
  claimIdle_ = "0";
  claimedOn_ = redis_.connections();
  nextClaim_ = steady_clock::now() + kClaimEvery;
}

namespace {

void checkLed(const std::string& answer, const std::string& store) {
  if (answer == "gone") throw StoreUnavailable(store + " has lost the run; setting it up again");
  if (answer == "taken")
    throw Error(store +
                ": another learner has taken the run over (toguz status names its host); this "
                "one ends, and what it has archived is kept in its folder");
}

}  // namespace

void RedisStore::renew(const LearnerReport& report) {
  checkLed(redis_
               .script(kRenew,
                       {key("learner"), key("run"), key("learned"), key("seen"), key("workers"),
                        key("handled")},
                       {owner_, secondsToMs(kLeaseSeconds), run_, toJson(report).dump(),
                        std::to_string(redis_.address().forgetAfter.count())})
               .text,
           name());
}

void RedisStore::resign() {
  redis_.script(kResign, {key("learner")}, {owner_});
}

void RedisStore::publish(const Head& head, std::string_view model) {
  // Whatever else the pointer holds is overwritten.
  const auto before = soundReport(headFrom, get("head").value_or(""));
  const std::string next = key("model:" + hexText(head.model));
  const std::string answer =
      redis_
          .script(kPublish,
                  {key("learner"), key("run"), key("head"), next,
                   before ? key("model:" + hexText(before->model)) : next},
                  {owner_, run_, toJson(head).dump(), model, kOldModelSeconds})
          .text;
  checkLed(answer, name());
  if (answer == "missing") throw StoreUnavailable(name() + " has lost the model in use");
}

void RedisStore::keepModel(const Sha256& hash, const std::function<std::string()>& bytes) {
  const std::string name = key("model:" + hexText(hash));
  const RedisReply left = redis_.command({"TTL", name});
  if (left.integer == -1) return;  // self-play's own
  if (left.integer >= 0)
    redis_.command({"EXPIRE", name, kKeptModelSeconds});
  else
    redis_.command({"SET", name, bytes(), "EX", kKeptModelSeconds});
}

std::vector<Delivery> RedisStore::deliveries(const RedisReply& entries) {
  std::vector<Delivery> out;
  if (entries.items.empty()) return out;
  const double time = now();
  for (const RedisReply& entry : entries.items) {
    if (entry.items.size() != 2) continue;  // deleted while it was somebody's
    Delivery delivery;
    delivery.id = entry.items[0].text;
    // Whatever else may lie in the stream is handed on as a batch that will not decode.
    const RedisReply& fields = entry.items[1];
    for (std::size_t i = 0; i + 1 < fields.items.size(); i += 2)
      if (fields.items[i].text == "b") delivery.bytes = fields.items[i + 1].text;
    delivery.ageSeconds = std::max(0.0, time - timeOf(delivery.id));
    out.push_back(std::move(delivery));
  }
  return out;
}

std::vector<Delivery> RedisStore::claim(std::size_t most) {
  const std::string count = std::to_string(most);
  const RedisReply reply = redis_.command(
      {"XAUTOCLAIM", key("games"), kGroup, kConsumer, claimIdle_, claimFrom_, "COUNT", count});
  if (reply.items.size() < 2) return {};
  claimFrom_ = reply.items[0].text == "0-0" ? "" : reply.items[0].text;
  return deliveries(reply.items[1]);
}

std::vector<Delivery> RedisStore::receive(std::size_t most, milliseconds wait) {
  try {
    // After a lost connection nobody knows what was acknowledged.
    redis_.open();
    if (redis_.connections() != claimedOn_) {
      claimFrom_ = "0-0";
      claimIdle_ = "0";
      claimedOn_ = redis_.connections();
    }
    if (claimFrom_.empty() && steady_clock::now() >= nextClaim_) {
      claimFrom_ = "0-0";
      claimIdle_ = kOthersIdle;
      nextClaim_ = steady_clock::now() + kClaimEvery;
    }
    while (!claimFrom_.empty())
      if (std::vector<Delivery> claimed = claim(most); !claimed.empty()) return claimed;

    const std::string count = std::to_string(most), block = std::to_string(wait.count());
    std::vector<std::string_view> parts = {"XREADGROUP", "GROUP", kGroup,
                                           kConsumer,    "COUNT", count};
    if (wait.count() > 0) parts.insert(parts.end(), {"BLOCK", block});
    const std::string games = key("games");
    parts.insert(parts.end(), {"STREAMS", games, ">"});
    const RedisReply reply = redis_.command(parts, wait);
    if (reply.nil() || reply.items.empty() || reply.items[0].items.size() != 2) return {};
    return deliveries(reply.items[0].items[1]);
  } catch (const RedisError& error) {
    if (error.code() != "NOGROUP") throw;
    throw StoreUnavailable(name() + " has lost the run; setting it up again");
  }
}

void RedisStore::acknowledge(std::span<const Handled> handled) {
  while (!handled.empty()) {
    const auto part = handled.first(std::min(handled.size(), kHandledAtOnce));
    handled = handled.subspan(part.size());
    std::size_t bytes = 0;
    std::map<WorkerId, std::uint64_t> last;
    for (const Handled& one : part) {
      bytes += one.bytes;
      if (one.worker) last[one.worker] = std::max(last[one.worker], one.sequence);
    }
    std::vector<std::string> arguments = {owner_, run_, kGroup,
                                          (bytes > 0 ? "-" : "") + std::to_string(bytes),
                                          std::to_string(part.size())};
    for (const Handled& one : part) arguments.push_back(one.id);
    for (const auto& [worker, sequence] : last) {
      arguments.push_back(std::to_string(worker));
      arguments.push_back(std::to_string(sequence));
    }
    checkLed(redis_
                 .script(kAcknowledge,
                         {key("learner"), key("run"), key("games"), key("handled"), key("seen")},
                         {arguments.begin(), arguments.end()})
                 .text,
             name());
  }
}

void RedisStore::postTasks(std::span<const Task> tasks) {
  for (const Task& task : tasks) {
    redis_.command({"HSET", key("tasks"), task.id, task.content});
    redis_.command({"ZADD", key("leases"), "NX", "0", task.id});
  }
}

std::vector<std::pair<std::string, std::string>> RedisStore::taskResults() {
  std::vector<std::pair<std::string, std::string>> results;
  for (auto& [id, result] : pairsOf(redis_.script(kTakeResults, {key("results")}, {})))
    results.emplace_back(id, std::move(result));
  return results;
}

void RedisStore::dropTasks() {
  redis_.command({"DEL", key("tasks"), key("leases"), key("results")});
}

StoreStatus RedisStore::status() {
  StoreStatus status;
  status.run = description();
  status.head = head();
  const double time = now();
  if (const auto learned = get("learned")) {
    const std::size_t space = learned->find(' ');
    std::int64_t at = 0;
    if (space != std::string::npos && parseInt(learned->substr(0, space), at)) {
      status.learner = soundReport(learnerReportFrom, learned->substr(space + 1));
      status.learnerSecondsAgo = std::max(0.0, time - static_cast<double>(at));
    }
  }
  const std::string since = std::to_string(static_cast<std::int64_t>(time - kAliveSeconds));
  const auto seen =
      pairsOf(redis_.command({"ZRANGEBYSCORE", key("seen"), since, "+inf", "WITHSCORES"}));
  if (!seen.empty()) {
    std::vector<std::string_view> parts = {"HMGET"};
    const std::string workers = key("workers");
    parts.push_back(workers);
    for (const auto& [worker, at] : seen) parts.push_back(worker);
    const RedisReply reports = redis_.command(parts);
    std::size_t i = 0;
    for (const auto& [worker, at] : seen) {
      if (i >= reports.items.size()) break;
      const RedisReply& report = reports.items[i++];
      if (report.nil()) continue;  // it has left
      std::int64_t when = 0;
      parseInt(at, when);
      if (const auto sound = soundReport(workerReportFrom, report.text))
        status.workers.push_back({*sound, std::max(0.0, time - static_cast<double>(when))});
    }
  }
  status.backlogBatches =
      static_cast<std::uint64_t>(redis_.command({"XLEN", key("games")}).integer);
  std::int64_t bytes = 0;
  parseInt(redis_.command({"HGET", key("run"), "bytes"}).text, bytes);
  status.backlogBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
  const RedisReply first = redis_.command({"XRANGE", key("games"), "-", "+", "COUNT", "1"});
  if (!first.items.empty() && !first.items[0].items.empty())
    status.oldestSeconds = std::max(0.0, time - timeOf(first.items[0].items[0].text));
  status.tasks = static_cast<std::uint64_t>(redis_.command({"HLEN", key("tasks")}).integer);
  const std::string memory = redis_.command({"INFO", "memory"}).text;
  if (const std::size_t at = memory.find("used_memory:"); at != std::string::npos) {
    std::int64_t used = 0;
    const std::size_t begin = at + 12;
    parseInt(memory.substr(begin, memory.find_first_of("\r\n", begin) - begin), used);
    status.memoryBytes = static_cast<std::uint64_t>(used);
  }
  return status;
}

}  // namespace toguz
