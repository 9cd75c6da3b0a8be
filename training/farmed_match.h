// A match whose games the run's workers play.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/farmed_game.h"
#include "training/farm.h"

namespace toguz {

// A player of a match that may be farmed.
struct FarmPlayer {
  FarmedPlayer player;
  std::shared_ptr<const Published> model;  // null for a built-in player
};

// One match on the farm, from construction to destruction. Gives the match its `elsewhere`.
class FarmedMatch {
 public:
  // `options`: all that the games hang on. `warn` is told, once, if a worker cannot play.
  FarmedMatch(MatchFarm& farm, const MatchOptions& options, FarmPlayer a, FarmPlayer b,
              std::function<void(const std::string&)> warn);
  ~FarmedMatch() { farm_.endMatch(); }
  FarmedMatch(const FarmedMatch&) = delete;
  FarmedMatch& operator=(const FarmedMatch&) = delete;

  // Holds on to this object.
  MatchOptions::Elsewhere elsewhere();
  // Games that workers have played.
  int farmed() const { return farmed_.load(); }

 private:
  std::optional<MatchGame> play(int index, const std::function<bool()>& abandon);

  MatchFarm& farm_;
  const MatchOptions options_;
  const FarmPlayer a_, b_;
  const std::function<void(const std::string&)> warn_;
  std::vector<int> failures_;  // by game; each game is one thread's
  std::atomic<int> farmed_{0};
  std::atomic<bool> warned_{false};
};

}  // namespace toguz
