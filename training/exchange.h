// The learner's side of the store: publishes models, takes in the games that other processes play,
// and confirms them once they are on the disk. It rides out whatever the store does; the run goes
// on meanwhile with the games it plays itself. One thread, but for `report`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/game_record.h"
#include "store/backoff.h"
#include "store/run_store.h"
#include "training/config.h"
#include "training/farm.h"
#include "training/run_identity.h"

namespace toguz {

// A model as others shall play with it.
struct ModelOnOffer {
  Sha256 hash{};
  std::uint32_t generation = 0;
  std::uint64_t step = 0;
  std::function<std::string()> file;  // its bytes
};

class Exchange {
 public:
  // What it needs of the run; called on the exchange's thread.
  struct Run {
    std::function<bool()> wantsGames;          // false: training is behind, let them wait
    std::function<bool(std::uint64_t)> knows;  // the game of that id
    std::function<void(GameRecord&&)> add;     // throws UnsoundGame
    std::function<void()> flush;               // on return the games are on the disk
    std::function<ModelOnOffer()> playing;     // what self-play should play with
    std::function<double()> progress;
    std::function<LearnerReport()> report;  // step, generation, games
    std::function<void(const std::string&)> say, warn;
    std::function<void(const StoreStatus&)> seen;  // every few seconds
    MatchFarm* farm = nullptr;                     // games of matches for the workers
  };

  Exchange(std::unique_ptr<RunStore> store, const Config& config, RunIdentity& identity, Run run);

  // Takes the run in the store; waits while another learner's lease runs out, or (a minute) while
  // the store cannot be reached. Throws what then is still in the way.
  void open(const std::atomic<bool>& stop);
  // One round: up to a few tenths of a second.
  void turn(const std::atomic<bool>& stop);
  // Confirms what is taken in and gives the run back; with `ended` workers are told to go home.
  void close(bool ended);

  const std::string& storeName() const { return name_; }
  // The figures of this moment. Any thread.
  LearnerReport report() const;

 private:
  struct Taken {
    std::vector<Handled> handled;
    std::size_t games = 0;
    double oldestSeconds = 0;
    std::chrono::steady_clock::time_point since{};
  };

  void lead();
  void publish(bool ended);
  void take(const Delivery& delivery);
  void take(GameRecord&& game, WorkerId worker);
  void tell(const std::string& trouble, const char* consequence);
  std::string fault(const GameRecord& game) const;  // "" if it is one of this run's
  void reject(const std::string& reason, const std::string& what);
  void commit();
  void renew();
  bool anybodyThere();
  void look();  // at who is there and what waits
  void farm();
  void unavailable(const StoreUnavailable& error, const std::atomic<bool>& stop);

  const Config& config_;
  const Rules rules_;
  RunIdentity& identity_;
  const Run run_;
  const std::unique_ptr<RunStore> store_;
  const std::string name_;
  const bool local_;  // files: publishes to those who are there alone
  RunDescription description_;
  std::string owner_;

  bool leading_ = false;
  std::optional<Head> published_;
  Taken taken_;
  Backoff backoff_;
  std::string told_;  // what is the matter with the store
  int workers_ = 0;   // seen last
  std::chrono::steady_clock::time_point nextRenew_{}, nextHead_{}, nextModel_{}, nextLook_{};
  std::chrono::steady_clock::time_point rateSince_{};
  std::uint64_t rateGames_ = 0;

  mutable std::mutex mutex_;
  LearnerReport report_;
};

}  // namespace toguz
