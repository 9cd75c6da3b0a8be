// Ratings of many players from games that are chosen for what they tell.
//
// Players are named by their strings; results are kept by those names in a file, so that a league
// can be stopped, gone on with, and joined by more players another day: what was played still
// counts, and ratings of different days share one scale. A model file that has changed since its
// results were made is another player: what its name stood for is kept as "NAME#HASH". The first
// player is the anchor, rated 0.
// One thread at a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/ratings.h"

namespace toguz {

struct LeagueOptions {
  Rules rules;
  int openingPlies = 6;
  std::uint64_t seed = 1;
  int concurrency = 1;
  int gamesAStep = 20;  // played between two players before the next pairing is chosen; even
  const std::atomic<bool>* stop = nullptr;
};

struct Standing {
  std::string player;
  Rating rating;
  double games = 0;
  double score = 0;  // share of the points
};

// The ladder of fixed players that ratings are hung on, weakest first; `random` is its foot. At its
// top the engine for `rules` in the folder `engines` (models/pretrained), if there is one: its
// policy alone, and 100 visits.
std::vector<std::string> ladderPlayers(const Rules& rules, const std::filesystem::path& engines);

// The two players whose game tells most: of those never met, neighbours in the list first (which
// ties all to the anchor); then where the outcome is open and the difference is least sure. `fit`
// is of all players by `results`.
std::pair<std::size_t, std::size_t> nextPairing(const std::vector<PairResult>& results,
                                                const RatingFit& fit);

class League {
 public:
  // Two players at least, each once. Reads `file` where it exists (empty: kept in memory alone).
  // Throws UsageError for a player that is none, a file of another variant or that is damaged.
  League(std::vector<std::string> players, const LeagueOptions& options,
         std::filesystem::path file = {});

  // Plays one step and saves; false if stopped in the middle (nothing of the step counts then).
  bool step();
  double gamesPlayed() const;               // among these players, those of the file included
  std::vector<Standing> standings() const;  // strongest first
  // The pairing of the last step, as text.
  const std::string& lastStep() const { return lastStep_; }

 private:
  void load();
  void save() const;
  PairResult& resultOf(std::size_t a, std::size_t b);

  std::vector<std::string> players_;
  LeagueOptions options_;
  std::filesystem::path file_;
  std::vector<std::unique_ptr<PlayerFactory>> factories_;
  std::vector<PairResult> results_;                  // first < second
  nlohmann::json others_ = nlohmann::json::array();  // of the file, between players not here
  std::map<std::string, std::string> hashes_;        // of model files, by player
  std::uint64_t steps_ = 0;
  std::string lastStep_;
};

std::string standingsText(const std::vector<Standing>& standings);
nlohmann::ordered_json standingsJson(const std::vector<Standing>& standings);

}  // namespace toguz
