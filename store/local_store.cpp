#include "store/local_store.h"

#include <algorithm>
#include <thread>

#include "base/text.h"
#include "store/report_json.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPoll{75};
constexpr auto kSweepEvery = std::chrono::minutes(1);
constexpr double kOldModelSeconds = 600;
constexpr double kOldFileSeconds = 3600;
constexpr std::string_view kBatch = ".tzb";
constexpr const char* kParts[] = {"inbox", "models", "workers", "tasks", "results"};

// So that the names of a worker's batches sort by their sequence.
std::string batchName(WorkerId worker, std::uint64_t sequence) {
  const std::string digits = std::to_string(sequence);
  return hex64(worker) + "-" + std::string(20 - digits.size(), '0') + digits + std::string(kBatch);
}

double secondsSince(double time) {
  return std::max(0.0, local::now() - time);
}

// What `read` makes of the file's text; nothing if the file is not there.
template <class Read>
auto parsed(const std::filesystem::path& path, const Read& read, const char* remedy)
    -> std::optional<decltype(read(std::string()))> {
  const auto text = local::read(path);
  if (!text) return std::nullopt;
  try {
    return read(*text);
  } catch (const DamagedText& error) {
    throw DamagedText(path.string() + " holds " + error.what() + "; " + remedy);
  } catch (const Error& error) {
    throw Error(path.string() + " holds " + error.what() + "; " + remedy);
  }
}

}  // namespace

LocalStore::LocalStore(const std::filesystem::path& folder) : folder_(folder / "store") {}

std::string LocalStore::name() const {
  return folder_.parent_path().string();
}

std::filesystem::path LocalStore::modelFile(const Sha256& hash) const {
  return folder_ / "models" / (hexText(hash) + ".tzn");
}

std::optional<RunDescription> LocalStore::description() {
  const auto path = folder_ / "run.json";
  const auto file = local::infoOf(path);
  if (file && file == runFile_) return run_;
  runFile_.reset();
  run_ = parsed(path, runDescriptionFrom, "remove it and start the learner anew");
  if (run_) runFile_ = file;
  return run_;
}

std::optional<Head> LocalStore::head() {
  try {
    return parsed(folder_ / "head.json", headFrom, "remove it: the learner writes it again");
  } catch (const DamagedText& error) {
    throw StoreUnavailable(error.what());
  }
}

std::optional<std::string> LocalStore::model(const Sha256& hash) {
  auto bytes = local::read(modelFile(hash));
  if (bytes && sha256(*bytes) != hash)
    throw StoreUnavailable(modelFile(hash).string() + " is damaged; waiting for the next model");
  return bytes;
}

void LocalStore::scanInbox() {
  std::map<std::string, local::FileInfo> now;
  for (const std::string& name : local::list(folder_ / "inbox")) {
    if (!name.ends_with(kBatch)) continue;  // not yet whole
    const auto known = inbox_.find(name);
    if (known != inbox_.end())
      now.insert(*known);
    else if (const auto file = local::infoOf(folder_ / "inbox" / name))
      now.emplace(name, *file);
  }
  inbox_ = std::move(now);
}

LocalStore::Sent& LocalStore::sentBy(WorkerId worker) {
  Sent& sent = sent_[worker];
  const auto inbox = local::infoOf(folder_ / "inbox");
  if (!inbox || sent.inbox == inbox->inode) return sent;
  // The first look, or a store that was set up anew: what waited in the old one is not archived.
  sent.inbox = inbox->inode;
  sent.waiting.clear();
  sent.highest = sent.confirmed;
  const std::string prefix = hex64(worker) + "-";
  for (const std::string& name : local::list(folder_ / "inbox")) {
    std::int64_t sequence = 0;
    if (!name.starts_with(prefix) || !name.ends_with(kBatch) ||
        !parseInt(name.substr(prefix.size(), name.size() - prefix.size() - kBatch.size()),
                  sequence))
      continue;
    sent.waiting.insert(static_cast<std::uint64_t>(sequence));
    sent.highest = std::max(sent.highest, static_cast<std::uint64_t>(sequence));
  }
  return sent;
}

RunStore::Taken LocalStore::append(const std::string& run, WorkerId worker, std::uint64_t sequence,
                                   std::string_view batch) {
  TOGUZ_CHECK(batch.size() <= kMaxBatchBytes, "a batch larger than stores take");
  const auto known = description();
  if (!known) return Taken::NoRun;
  if (known->id != run)
    throw Error(name() + " holds another run now; its workers must be started anew");
  const std::string file = batchName(worker, sequence);
  scanInbox();
  std::uint64_t others = 0;
  for (const auto& [name, info] : inbox_)
    if (name != file) others += info.bytes;
  if (others > 0 && others + batch.size() > known->backlogBytes) return Taken::Full;

  Sent& sent = sentBy(worker);
  local::write(folder_ / "inbox" / file, batch);
  sent.waiting.insert(sequence);
  sent.highest = std::max(sent.highest, sequence);
  return Taken::Yes;
}

std::optional<std::uint64_t> LocalStore::confirmed(WorkerId worker) {
  Sent& sent = sentBy(worker);
  while (!sent.waiting.empty() &&
         !local::infoOf(folder_ / "inbox" / batchName(worker, *sent.waiting.begin()))) {
    // Only a learner takes batches away; a folder that is gone as a whole confirms nothing.
    const auto inbox = local::infoOf(folder_ / "inbox");
    if (!inbox || inbox->inode != sent.inbox) return sent.confirmed;
    sent.waiting.erase(sent.waiting.begin());
  }
  sent.confirmed = sent.waiting.empty() ? sent.highest : *sent.waiting.begin() - 1;
  return sent.confirmed;
}

void LocalStore::report(const WorkerReport& report) {
  if (!description()) return;
  local::write(folder_ / "workers" / (hex64(report.id) + ".json"), toJson(report).dump());
}

void LocalStore::leave(WorkerId worker) {
  local::remove(folder_ / "workers" / (hex64(worker) + ".json"));
}

void LocalStore::lead(const RunDescription& run, const std::string&) {
  const auto known = description();
  if (known && known->id != run.id)
    throw Error(folder_.string() + " holds another run (" + known->id + "; this one is " + run.id +
                "): choose another folder, or remove that one");
  // The folders first: where there is a description, there is an inbox.
  for (const char* part : kParts) local::makeFolder(folder_ / part);
  if (known != run) local::write(folder_ / "run.json", toJson(run).dump(2) + "\n");
  led_ = run.id;
  received_.clear();
  nextSweep_ = {};
}

void LocalStore::checkLed() {
  const auto known = description();
  if (!known || known->id != led_)
    throw StoreUnavailable(name() + " has lost the run; setting it up again");
}

void LocalStore::removeOld(const std::string& part, double seconds, const std::string& keep) {
  for (const std::string& name : local::list(folder_ / part)) {
    if (name == keep) continue;
    const auto file = local::infoOf(folder_ / part / name);
    // What a killed process was writing is left in temporary files, in every folder.
    const bool removable = part == "models" || part == "workers" || name.ends_with(".tmp");
    if (file && removable && secondsSince(file->changed) > seconds)
      local::remove(folder_ / part / name);
  }
}

void LocalStore::renew(const LearnerReport& report) {
  checkLed();
  local::write(folder_ / "learner.json", toJson(report).dump());
  if (steady_clock::now() < nextSweep_) return;
  nextSweep_ = steady_clock::now() + kSweepEvery;
  for (const char* part : {"inbox", "workers", "tasks", "results"})
    removeOld(part, kOldFileSeconds);
  if (const auto current = head())
    removeOld("models", kOldModelSeconds, modelFile(current->model).filename().string());
}

void LocalStore::resign() {
  led_.clear();
}

void LocalStore::publish(const Head& head, std::string_view model) {
  checkLed();
  std::optional<Head> before;
  try {
    before = this->head();
  } catch (const Error&) {  // it is written anew, if the disk takes it
  }
  if (!model.empty())
    local::write(modelFile(head.model), model);
  else if (!local::infoOf(modelFile(head.model)))
    throw StoreUnavailable(name() + " has lost the model in use");
  // Who has read the old head may still be about to fetch its model.
  if (before && before->model != head.model) local::touch(modelFile(before->model));
  local::write(folder_ / "head.json", toJson(head).dump());
  removeOld("models", kOldModelSeconds, modelFile(head.model).filename().string());
}

void LocalStore::keepModel(const Sha256& hash, const std::function<std::string()>& bytes) {
  if (!local::touch(modelFile(hash))) local::write(modelFile(hash), bytes());
}

std::vector<Delivery> LocalStore::receive(std::size_t most, milliseconds wait) {
  const auto until = steady_clock::now() + wait;
  for (;;) {
    checkLed();
    scanInbox();
    std::vector<std::pair<double, std::string>> fresh;
    for (const auto& [name, file] : inbox_)
      if (!received_.contains(name)) fresh.emplace_back(file.changed, name);
    std::sort(fresh.begin(), fresh.end());
    if (fresh.size() > most) fresh.resize(most);
    std::vector<Delivery> out;
    for (const auto& [time, name] : fresh) {
      Delivery delivery{name, "", secondsSince(time)};
      // What is too large for a batch is handed on as one that will not decode.
      if (inbox_[name].bytes <= kMaxBatchBytes) {
        auto bytes = local::read(folder_ / "inbox" / name);
        if (!bytes) continue;
        delivery.bytes = std::move(*bytes);
      }
      out.push_back(std::move(delivery));
    }
    for (const Delivery& delivery : out) received_.insert(delivery.id);
    const auto left = until - steady_clock::now();
    if (!out.empty() || left <= left.zero()) return out;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(left, kPoll));
  }
}

void LocalStore::acknowledge(std::span<const Handled> handled) {
  checkLed();
  for (const Handled& one : handled) {
    local::remove(folder_ / "inbox" / one.id);
    inbox_.erase(one.id);
    received_.erase(one.id);
  }
}

StoreStatus LocalStore::status() {
  StoreStatus status;
  status.run = description();
  status.head = head();
  const auto learner = folder_ / "learner.json";
  if (const auto file = local::infoOf(learner)) {
    status.learner = parsed(learner, learnerReportFrom, "remove it: the learner writes it again");
    status.learnerSecondsAgo = secondsSince(file->changed);
  }
  for (const std::string& name : local::list(folder_ / "workers")) {
    const auto path = folder_ / "workers" / name;
    const auto file = local::infoOf(path);
    if (!file || !name.ends_with(".json") || secondsSince(file->changed) > kAliveSeconds) continue;
    try {
      if (auto report = parsed(path, workerReportFrom, ""))
        status.workers.push_back({std::move(*report), secondsSince(file->changed)});
    } catch (const StoreUnavailable&) {
      throw;
    } catch (const Error&) {  // damaged, or of a later version: it is for show alone
    }
  }
  scanInbox();
  status.backlogBatches = inbox_.size();
  for (const auto& [name, file] : inbox_) {
    status.backlogBytes += file.bytes;
    status.oldestSeconds = std::max(status.oldestSeconds, secondsSince(file.changed));
  }
  for (const std::string& file : local::list(folder_ / "tasks"))
    if (!file.ends_with(".tmp")) ++status.tasks;
  return status;
}

}  // namespace toguz
