// A worker's games on their way to the learner: a bounded spool in memory and the rules by which it
// is emptied. `deliver` is called by the threads that play; everything else by the one thread that
// owns the store.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/game_record.h"
#include "store/run_store.h"

namespace toguz {

class GameSender {
 public:
  struct Options {
    std::string run;
    WorkerId worker = 0;
    std::size_t spoolGames = 16384;  // finished and not confirmed; beyond these `deliver` waits
    std::size_t batchGames = 64;
    std::chrono::milliseconds batchTime{1500};  // a batch is sent when its first game is that old
  };
  explicit GameSender(const Options& options) : options_(options) {}

  // Takes a game; waits while the spool is full, unless `close` was called.
  void deliver(GameRecord&& game);
  // Ends every wait in `deliver`.
  void close();

  // Sends what is ready (all there is if `everything`) and drops what is confirmed. Throws as the
  // store does; nothing is lost then.
  // `Anew`: the store was set up anew; all that is not confirmed will be sent again by the next
  // call.
  enum class Sent : std::uint8_t { All, LearnerBehind, NoRun, Anew };
  Sent send(RunStore& store, bool everything);
  // Nobody knows what became of what was sent and not confirmed: it will be sent again.
  void resend();

  // Play waits for confirmations.
  bool full() const { return spooledGames() >= options_.spoolGames; }
  std::uint64_t spooledGames() const { return spooled_.load(std::memory_order_relaxed); }
  // Games that were never taken by the store, so far as is known.
  std::uint64_t unsentGames() const;
  std::uint64_t confirmedGames() const { return confirmedGames_; }

 private:
  struct Batch {
    std::uint64_t sequence = 0;
    std::size_t games = 0;
    std::string bytes;
    bool sent = false;
  };

  void pack(bool everything);
  void addBatch(std::vector<GameRecord> games);
  void confirm(std::optional<std::uint64_t> sequence);

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable room_;
  std::vector<GameRecord> games_;  // not in a batch yet
  std::chrono::steady_clock::time_point firstGame_{};
  bool closed_ = false;
  std::atomic<std::uint64_t> spooled_{0};

  // Of the sending thread.
  std::deque<Batch> batches_;  // not confirmed, in order of sequence
  std::uint64_t lastSequence_ = 0;
  std::uint64_t confirmedGames_ = 0;
};

}  // namespace toguz
