// Ratings of many players on one scale from any set of results: the maximum-likelihood fit of the
// logistic (Bradley-Terry) model, a draw counting half to each side.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace toguz {

// All games between two players, by index into the list of players.
struct PairResult {
  std::size_t first = 0;
  std::size_t second = 0;
  double games = 0;
  double score = 0;  // of `first`: wins + draws / 2, 0..games
};

struct Rating {
  double elo = 0;
  double error = 0;  // half of the 95% interval, against the anchor; 0 for the anchor itself
};

// The anchor's rating is 0. Each pair that met is given `priorGames` drawn games more, so that a
// clean sweep has a finite rating. Players without any chain of games to the anchor keep elo 0 and
// an infinite error.
struct RatingFit {
  std::vector<Rating> ratings;
  // [players][players], Elo squared: how the errors hang together. 0 for the anchor and for players
  // without a chain.
  std::vector<double> covariance;
  // Of the difference of two players' ratings.
  double variance(std::size_t a, std::size_t b) const {
    const std::size_t n = ratings.size();
    return covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[a * n + b];
  }
};
RatingFit fitLeague(std::size_t players, const std::vector<PairResult>& results, std::size_t anchor,
                    double priorGames = 1.0);
std::vector<Rating> fitRatings(std::size_t players, const std::vector<PairResult>& results,
                               std::size_t anchor, double priorGames = 1.0);

}  // namespace toguz
