// What a match says about strength. Games come in pairs, the same opening with sides swapped, whose
// two results are not independent: the pair is the unit of variance (the pentanomial model of
// Fishtest and fastchess). Free functions without state.
//
// Degenerate counts (all wins, all draws, a single pair) keep every figure finite: in tests and on
// the normalised scale empty cells have the weight 0.001, as in Fishtest and fastchess; an estimate
// of strength then adds half a result at either end, since n results alike do not make an error of
// 0.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace toguz {

// Results of A.
struct Tally {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;

  std::int64_t games() const { return wins + draws + losses; }
  // A draw is half a win; 0.5 when no game was played.
  double score() const {
    return games() == 0 ? 0.5
                        : (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) /
                              static_cast<double>(games());
  }
  bool operator==(const Tally&) const = default;
};

// Pairs in which A made 0, 1/2, 1, 1 1/2 and 2 points.
using PairCounts = std::array<std::int64_t, 5>;

// Elo difference of a share of the points, on the logistic scale; the share is held within
// [1e-6, 1 - 1e-6] (about 2,400 Elo).
double eloOfScore(double score);
double scoreOfElo(double elo);

struct StrengthEstimate {
  double score = 0.5;
  double elo = 0;
  double eloError = 0;  // half the width of the 95% interval
  double los = 0.5;     // likelihood that A is the stronger
};

// From the pairs; from the single games where no pair is complete. The score is always that of
// all games.
StrengthEstimate estimateStrength(const Tally& tally, const PairCounts& pairs);

// Two scales of strength. Logistic: from the expected score. Normalised: the mean's distance from
// 1/2 in standard deviations of one game, times 800 / ln 10; it says how many games a difference
// takes to show, whatever the share of draws (Van den Bergh, "Normalized Elo").
enum class EloScale : std::uint8_t { Logistic, Normalised };

// Of A, from pairs; 0 without any.
double normalisedElo(const PairCounts& pairs);

// A sequential probability ratio test of H0: elo = elo0 against H1: elo = elo1 (Wald 1945).
struct SprtSettings {
  double elo0 = 0;
  double elo1 = 10;
  EloScale scale = EloScale::Logistic;
  double alpha = 0.05;  // chance of H1 when H0 is true
  double beta = 0.05;   // chance of H0 when H1 is true

  double lowerBound() const;  // log(beta / (1 - alpha))
  double upperBound() const;  // log((1 - beta) / alpha)
};

enum class SprtVerdict : std::uint8_t { None, H0, H1 };
const char* text(SprtVerdict verdict);  // "none", "H0", "H1"

// Log-likelihood ratio of the generalised test (Michel van den Bergh, "A practical introduction to
// the GSPRT"; Fishtest and fastchess use the same): for each hypothesis the likeliest distribution
// over the cells that has its expected score. From pairs or from single games; 0 without data. With
// many games it is close to n (s1 - s0) (2 mean - s0 - s1) / (2 variance), but that formula cannot
// be used: in the first few pairs its variance is near 0 and the first pair would decide.
double sprtLlr(const SprtSettings& settings, const PairCounts& pairs);
double sprtLlr(const SprtSettings& settings, const Tally& tally);
SprtVerdict sprtVerdict(const SprtSettings& settings, double llr);

}  // namespace toguz
