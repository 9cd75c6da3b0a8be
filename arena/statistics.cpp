#include "arena/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace toguz {
namespace {

constexpr double kEmptyCell = 1e-3;
// Normalised Elo a standard deviation of one game: 800 / ln 10.
constexpr double kNormalisedUnit = 347.43558552260146;

struct Moments {
  double count = 0;
  double mean = 0.5;
  double variance = 0;  // of one observation
};

// Cells hold equally spaced scores from 0 to 1.
template <std::size_t N>
Moments moments(const std::array<double, N>& cells) {
  Moments m;
  m.count = std::accumulate(cells.begin(), cells.end(), 0.0);
  if (m.count <= 0) return m;
  m.mean = 0;
  for (std::size_t i = 0; i < N; ++i)
    m.mean += cells[i] * static_cast<double>(i) / static_cast<double>(N - 1);
  m.mean /= m.count;
  for (std::size_t i = 0; i < N; ++i) {
    const double off = static_cast<double>(i) / static_cast<double>(N - 1) - m.mean;
    m.variance += cells[i] * off * off;
  }
  m.variance /= m.count;
  return m;
}

std::array<double, 5> cells(const PairCounts& pairs) {
  std::array<double, 5> out;
  std::transform(pairs.begin(), pairs.end(), out.begin(),
                 [](std::int64_t n) { return static_cast<double>(n); });
  return out;
}

std::array<double, 3> cells(const Tally& tally) {
  return {static_cast<double>(tally.losses), static_cast<double>(tally.draws),
          static_cast<double>(tally.wins)};
}

// Scores of the cells.
template <std::size_t N>
double scoreOf(std::size_t i) {
  return static_cast<double>(i) / static_cast<double>(N - 1);
}

// The distribution likeliest to give the cells' shares among those in which the expectation of
// `values` is 0: p_i = share_i / (1 + x value_i), where x makes it so. All cells are filled, and
// values of both signs are among them.
template <std::size_t N>
std::array<double, N> likeliest(const std::array<double, N>& shares,
                                const std::array<double, N>& values) {
  double low = -1.0 / *std::max_element(values.begin(), values.end());
  double high = -1.0 / *std::min_element(values.begin(), values.end());
  for (int i = 0; i < 64; ++i) {
    const double x = (low + high) / 2;
    double sum = 0;  // falls as x grows
    for (std::size_t k = 0; k < N; ++k) sum += shares[k] * values[k] / (1 + x * values[k]);
    (sum > 0 ? low : high) = x;
  }
  std::array<double, N> p;
  for (std::size_t k = 0; k < N; ++k) p[k] = shares[k] / (1 + (low + high) / 2 * values[k]);
  return p;
}

// ... of expected score `score`.
template <std::size_t N>
std::array<double, N> likeliestOfScore(const std::array<double, N>& shares, double score) {
  std::array<double, N> values;
  for (std::size_t i = 0; i < N; ++i) values[i] = scoreOf<N>(i) - score;
  return likeliest(shares, values);
}

// ... whose mean lies `t` standard deviations above 1/2. The condition is not linear in the
// distribution; it is solved by taking its tangent at the last one found (Van den Bergh,
// "Normalized Elo"; Fishtest's MLE_t_value).
template <std::size_t N>
std::array<double, N> likeliestOfDeviation(const std::array<double, N>& shares, double t) {
  std::array<double, N> p;
  p.fill(1.0 / static_cast<double>(N));
  for (int iteration = 0; iteration < 20; ++iteration) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < N; ++i) mean += p[i] * scoreOf<N>(i);
    for (std::size_t i = 0; i < N; ++i)
      variance += p[i] * (scoreOf<N>(i) - mean) * (scoreOf<N>(i) - mean);
    const double sigma = std::sqrt(variance);
    std::array<double, N> values;
    for (std::size_t i = 0; i < N; ++i) {
      const double off = (mean - scoreOf<N>(i)) / sigma;
      values[i] = scoreOf<N>(i) - 0.5 - t * sigma * (1 + off * off) / 2;
    }
    const auto next = likeliest(shares, values);
    double change = 0;
    for (std::size_t i = 0; i < N; ++i) change = std::max(change, std::abs(next[i] - p[i]));
    p = next;
    if (change < 1e-9) break;
  }
  return p;
}

template <std::size_t N>
double llr(const SprtSettings& settings, std::array<double, N> counts) {
  if (std::accumulate(counts.begin(), counts.end(), 0.0) <= 0) return 0;
  for (double& count : counts) count = std::max(count, kEmptyCell);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::array<double, N> shares;
  for (std::size_t i = 0; i < N; ++i) shares[i] = counts[i] / total;
  const auto of = [&](double elo) {
    if (settings.scale == EloScale::Logistic) return likeliestOfScore(shares, scoreOfElo(elo));
    // A pair is two games: its mean lies sqrt(2) times as many of its deviations off.
    const double games = N == 5 ? std::sqrt(2.0) : 1.0;
    return likeliestOfDeviation(shares, elo / kNormalisedUnit * games);
  };
  const auto p0 = of(settings.elo0), p1 = of(settings.elo1);
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += counts[i] * std::log(p1[i] / p0[i]);
  return sum;
}

}  // namespace

double normalisedElo(const PairCounts& pairs) {
  std::array<double, 5> counts = cells(pairs);
  for (double& count : counts) count = std::max(count, kEmptyCell);
  const Moments m = moments(counts);
  if (m.count <= 5 * kEmptyCell) return 0;
  return (m.mean - 0.5) / std::sqrt(2 * m.variance) * kNormalisedUnit;
}

double eloOfScore(double score) {
  const double s = std::clamp(score, 1e-6, 1 - 1e-6);
  return 400.0 * std::log10(s / (1.0 - s));
}

double scoreOfElo(double elo) {
  return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0));
}

StrengthEstimate estimateStrength(const Tally& tally, const PairCounts& pairs) {
  StrengthEstimate estimate;
  if (tally.games() == 0) return estimate;
  const bool paired = std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0}) > 0;
  const auto of = [&](auto counts) {
    const Moments m = moments(counts);
    if (m.variance > 0) return m;
    // All results alike, as when the openings decide: that is no certainty. Half a result at either
    // end stands for what was not seen yet.
    counts.front() += 0.5;
    counts.back() += 0.5;
    return moments(counts);
  };
  const Moments m = paired ? of(cells(pairs)) : of(cells(tally));
  const double deviation = std::sqrt(m.variance / m.count);
  estimate.score = tally.score();
  // A score of exactly 0 or 1 has no Elo: there the mean of the filled cells stands for it.
  const bool extreme = estimate.score <= 0 || estimate.score >= 1;
  const double centre = extreme ? m.mean : estimate.score;
  estimate.elo = eloOfScore(centre);
  estimate.eloError =
      (eloOfScore(centre + 1.959964 * deviation) - eloOfScore(centre - 1.959964 * deviation)) / 2;
  estimate.los = 0.5 * std::erfc(-(centre - 0.5) / (deviation * std::sqrt(2.0)));
  return estimate;
}

double SprtSettings::lowerBound() const {
  return std::log(beta / (1 - alpha));
}
double SprtSettings::upperBound() const {
  return std::log((1 - beta) / alpha);
}

const char* text(SprtVerdict verdict) {
  switch (verdict) {
    case SprtVerdict::None:
      return "none";
    case SprtVerdict::H0:
      return "H0";
    case SprtVerdict::H1:
      return "H1";
  }
  return "none";
}

double sprtLlr(const SprtSettings& settings, const PairCounts& pairs) {
  return llr(settings, cells(pairs));
}
double sprtLlr(const SprtSettings& settings, const Tally& tally) {
  return llr(settings, cells(tally));
}

SprtVerdict sprtVerdict(const SprtSettings& settings, double llr) {
  if (llr <= settings.lowerBound()) return SprtVerdict::H0;
  if (llr >= settings.upperBound()) return SprtVerdict::H1;
  return SprtVerdict::None;
}

}  // namespace toguz
