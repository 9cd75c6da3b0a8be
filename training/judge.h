// The evaluator of a run. It plays each new candidate against the playing engine and promotes it by
// a sequential test (the gate), and rates candidates in a pool of built-in players and past
// networks, so that a run has one rating curve. Its matches are without noise, in colour-swapped
// opening pairs, and take a bounded share of the run's time.
//
// One thread at a time; `best` and `rating` may be read from any.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/ratings.h"
#include "selfplay/published.h"
#include "training/reporter.h"
#include "training/run_directory.h"

namespace toguz {

class MatchFarm;

class Judge {
 public:
  struct Setup {
    const Config* config = nullptr;
    const RunDirectory* directory = nullptr;
    Reporter* reporter = nullptr;
    const std::atomic<bool>* stop = nullptr;
    // Where the run's workers play games of its matches too; null: all are played here. The outcome
    // is the same. Outlives the judge.
    MatchFarm* farm = nullptr;
  };

  // Takes up best.tzn and rating.json where they exist.
  explicit Judge(const Setup& setup);

  // The gate. Returns whether the candidate was promoted (written to best.tzn). The first candidate
  // of a run is promoted unopposed. Nothing is decided if `stop` is set on the way.
  bool gate(const std::shared_ptr<const Published>& candidate);
  // Makes the candidate the playing engine without a match.
  void promote(const std::shared_ptr<const Published>& candidate);
  // Plays the candidate against the pool and fits all ratings again.
  void rate(const std::shared_ptr<const Published>& candidate);

  std::shared_ptr<const Published> best() const;
  std::optional<Rating> lastRating() const;
  // The highest generation number in best.tzn or the rating table; 0 without either.
  std::uint32_t newestGeneration() const;
  double gateSeconds() const { return gateSeconds_.load(); }
  double ratingSeconds() const { return ratingSeconds_.load(); }
  // Games of matches that workers of the farm have played, in this sitting.
  std::uint64_t farmedGames() const { return farmedGames_.load(); }
  void setSeconds(double gate, double rating) {
    gateSeconds_ = gate;
    ratingSeconds_ = rating;
  }

 private:
  struct Contestant;
  static Contestant contestant(const std::shared_ptr<const Published>& published, int nodes);

  MatchOptions matchOptions(int games, std::uint64_t seed) const;
  // Here or on the farm.
  MatchResult play(const Contestant& a, const Contestant& b, MatchOptions options);
  std::size_t playerIndex(const std::string& name);
  void playRated(const Contestant& candidate, std::size_t candidateIndex,
                 const Contestant& opponent, std::size_t opponentIndex, int games);
  void loadRatings();
  void saveRatings() const;

  const Config& config_;
  const RunDirectory& directory_;
  Reporter& reporter_;
  const std::atomic<bool>& stop_;
  MatchFarm* const farm_;
  const Rules rules_;

  mutable std::mutex mutex_;
  std::shared_ptr<const Published> best_;
  std::optional<Rating> lastRating_;

  std::vector<std::string> players_;  // "random" first: the anchor
  std::vector<PairResult> results_;
  nlohmann::json curve_ = nlohmann::json::array();
  std::shared_ptr<const Published> lastRated_;
  std::uint64_t matches_ = 0;
  std::atomic<std::uint64_t> farmedGames_{0};
  std::atomic<double> gateSeconds_{0}, ratingSeconds_{0};
};

}  // namespace toguz
