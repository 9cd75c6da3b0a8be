// A run in local files: the store of every run, without any daemon, in the folder "store" of the
// run's own. Processes of one machine meet here, or of several over a shared file system that
// renames atomically.
//
//   run.json              RunDescription           inbox/WORKER-SEQUENCE.tzb   batches
//   head.json             Head                     models/SHA256.tzn           model files
//   learner.json          the learner's report     workers/WORKER.json         reports
//   tasks/ID.json         content; while it is taken ID.json.taken-UNTIL (ms since 1970)
//   results/ID.json       results
//
// Every file is written whole (base/file.h); when something was written is its file's time. A batch
// is confirmed by the learner's taking its file away. The lease is the run folder's own lock, held
// by the learner (training/run_directory.h).
#pragma once

#include <filesystem>
#include <map>
#include <set>

#include "store/local_files.h"
#include "store/run_store.h"

namespace toguz {

class LocalStore final : public RunStore {
 public:
  // Of the run in `folder`, which need not be there yet.
  explicit LocalStore(const std::filesystem::path& folder);

  std::string name() const override;
  std::optional<RunDescription> description() override;
  std::optional<Head> head() override;
  std::optional<std::string> model(const Sha256& hash) override;
  Taken append(const std::string& run, WorkerId worker, std::uint64_t sequence,
               std::string_view batch) override;
  // Knows of what this object appended, and of what lay in the inbox when it first did.
  std::optional<std::uint64_t> confirmed(WorkerId worker) override;
  void report(const WorkerReport& report) override;
  void leave(WorkerId worker) override;
  std::optional<Task> takeTask(std::chrono::seconds lease) override;
  void finishTask(const std::string& id, std::string_view result) override;
  void lead(const RunDescription& run, const std::string& owner) override;
  void renew(const LearnerReport& report) override;
  void resign() override;
  void publish(const Head& head, std::string_view model) override;
  void keepModel(const Sha256& hash, const std::function<std::string()>& bytes) override;
  std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds wait) override;
  void acknowledge(std::span<const Handled> handled) override;
  void postTasks(std::span<const Task> tasks) override;
  std::vector<std::pair<std::string, std::string>> taskResults() override;
  void dropTasks() override;
  StoreStatus status() override;

 private:
  // What a worker has appended here.
  struct Sent {
    std::uint64_t inbox = 0;  // the inode of the folder: another one never held these batches
    std::set<std::uint64_t> waiting;
    std::uint64_t highest = 0, confirmed = 0;
  };

  std::filesystem::path modelFile(const Sha256& hash) const;
  void checkLed();
  void scanInbox();
  Sent& sentBy(WorkerId worker);
  void removeOld(const std::string& part, double seconds, const std::string& keep = "");
  std::vector<std::string> filesOfTask(const std::string& id) const;

  const std::filesystem::path folder_;  // RUN/store

  // run.json as last read, and the file it was read from.
  std::optional<RunDescription> run_;
  std::optional<local::FileInfo> runFile_;
  // The batches in the inbox at the last look, by the names of their files.
  std::map<std::string, local::FileInfo> inbox_;
  std::map<WorkerId, Sent> sent_;

  // Of the learner.
  std::string led_;                 // the run's id
  std::set<std::string> received_;  // and not yet acknowledged
  std::set<std::string> finished_;  // tasks whose results were handed out
  std::chrono::steady_clock::time_point nextSweep_{};
};

}  // namespace toguz
