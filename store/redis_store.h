// A run in Redis (6.2 or later): games in a stream with a consumer group, everything else in a few
// keys, all named "toguz:{RUN}:...": the braces keep them on one node of a cluster.
//
//   run       hash     description (JSON), id, bytes (of the backlog)
//   head      string   Head as JSON              games     stream  w(orker) s(equence) b(atch)
//   model:H   string   a model file by SHA-256   handled   hash    worker -> confirmed sequence
//   learner   string   owner, while the lease    learned   string  the learner's report
//   workers   hash     id -> report              seen      zset    id by the time of its report
//   tasks     hash     id -> content             leases    zset    id by when it may be taken
//   results   hash     id -> result
//
// What must happen together is one Lua script. Memory is bounded: the stream by
// RunDescription::backlogBytes (workers are told `Full`), models by expiry, the rest by pruning
// workers that were not heard of for an hour (RedisAddress::forgetAfter).
#pragma once

#include "store/redis_connection.h"
#include "store/run_store.h"

namespace toguz {

class RedisStore final : public RunStore {
 public:
  explicit RedisStore(RedisAddress address);

  std::string name() const override { return redis_.address().text(); }
  void setAnswerTime(std::chrono::milliseconds time) override { redis_.setAnswerTime(time); }
  std::optional<RunDescription> description() override;
  std::optional<Head> head() override;
  std::optional<std::string> model(const Sha256& hash) override;
  Taken append(const std::string& run, WorkerId worker, std::uint64_t sequence,
               std::string_view batch) override;
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
  std::string key(const std::string& name) const { return prefix_ + name; }
  std::optional<std::string> get(const std::string& name);
  std::vector<Delivery> claim(std::size_t most);
  std::vector<Delivery> deliveries(const RedisReply& entries);
  double now();  // the server's, seconds

  RedisConnection redis_;
  const std::string prefix_;

  // Of a worker: that of the stream into which it has appended.
  std::string epoch_;

  // Of the learner.
  std::string run_, owner_;
  // Where claiming what others received goes on; empty when done for now.
  std::string claimFrom_;
  std::string claimIdle_;        // only what was received that long ago, milliseconds
  std::uint64_t claimedOn_ = 0;  // the connection on which claiming began
  std::chrono::steady_clock::time_point nextClaim_{};
};

}  // namespace toguz
