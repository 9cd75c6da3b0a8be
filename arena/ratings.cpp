#include "arena/ratings.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace toguz {
namespace {

constexpr double kEloPerLogit = 173.71779276130073;  // 400 / ln 10

std::vector<bool> reachable(std::size_t players, const std::vector<PairResult>& results,
                            std::size_t anchor) {
  std::vector<bool> seen(players, false);
  seen[anchor] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const PairResult& r : results) {
      if (r.games <= 0 || seen[r.first] == seen[r.second]) continue;
      seen[r.first] = seen[r.second] = changed = true;
    }
  }
  return seen;
}

}  // namespace

RatingFit fitLeague(std::size_t players, const std::vector<PairResult>& results, std::size_t anchor,
                    double priorGames) {
  TOGUZ_CHECK(anchor < players, "an anchor that is no player");
  const std::vector<bool> seen = reachable(players, results, anchor);
  // Unknowns: every reachable player but the anchor.
  std::vector<Eigen::Index> unknown(players, -1);
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < players; ++i)
    if (seen[i] && i != anchor) unknown[i] = count++;

  Eigen::VectorXd logit = Eigen::VectorXd::Zero(count);
  const auto value = [&](std::size_t i) { return unknown[i] < 0 ? 0.0 : logit[unknown[i]]; };
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(count, count);
  // Newton's method on a concave likelihood; steps are bounded against early overshoot.
  for (int iteration = 0; iteration < 100; ++iteration) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(count);
    information.setZero();
    for (const PairResult& r : results) {
      if (r.games <= 0 || !seen[r.first]) continue;
      const double games = r.games + priorGames, score = r.score + priorGames / 2;
      const double expected = 1.0 / (1.0 + std::exp(value(r.second) - value(r.first)));
      const double slope = score - games * expected;
      const double curve = games * expected * (1.0 - expected);
      const Eigen::Index a = unknown[r.first], b = unknown[r.second];
      if (a >= 0) gradient[a] += slope, information(a, a) += curve;
      if (b >= 0) gradient[b] -= slope, information(b, b) += curve;
      if (a >= 0 && b >= 0) information(a, b) -= curve, information(b, a) -= curve;
    }
    if (count == 0) break;
    information.diagonal().array() += 1e-9;
    const Eigen::VectorXd step = information.ldlt().solve(gradient).cwiseMax(-2.0).cwiseMin(2.0);
    logit += step;
    if (step.cwiseAbs().maxCoeff() < 1e-9) break;
  }

  RatingFit fit;
  fit.ratings.resize(players);
  fit.covariance.assign(players * players, 0.0);
  const Eigen::MatrixXd covariance =
      count ? Eigen::MatrixXd(information.ldlt().solve(Eigen::MatrixXd::Identity(count, count)))
            : Eigen::MatrixXd();
  for (std::size_t i = 0; i < players; ++i) {
    Rating& rating = fit.ratings[i];
    if (!seen[i]) {
      rating.error = std::numeric_limits<double>::infinity();
    } else if (unknown[i] >= 0) {
      rating.elo = kEloPerLogit * logit[unknown[i]];
      rating.error = 1.96 * kEloPerLogit * std::sqrt(covariance(unknown[i], unknown[i]));
    }
    for (std::size_t j = 0; j < players; ++j)
      if (unknown[i] >= 0 && unknown[j] >= 0)
        fit.covariance[i * players + j] =
            kEloPerLogit * kEloPerLogit * covariance(unknown[i], unknown[j]);
  }
  return fit;
}

std::vector<Rating> fitRatings(std::size_t players, const std::vector<PairResult>& results,
                               std::size_t anchor, double priorGames) {
  return fitLeague(players, results, anchor, priorGames).ratings;
}

}  // namespace toguz
