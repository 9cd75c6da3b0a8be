// What the network sees: a fixed number of active rows of an embedding table, from the mover's view
// (his pits first), so that the input layer is a sum of weight rows and no one-hot vector is ever
// multiplied. Exact counts, because the last ball's square and the parity of captures hang on them.
//
// Feature set "rows-1", for N pits a side; each group takes one row per item:
//   pit counts     2N groups of 41: 0..38 balls exactly, 39 = 39 or more, 40 = a tuzdik
//   kazans         2 groups of majority+1: mover's, opponent's (capped at the majority)
//   move outcomes  2N groups of 16: for each of the mover's pits, and of the opponent's as if it
//                  were his turn: 0 empty, 1 nothing captured, 2..13 an even capture of 2, 4, ..,
//                  24 or more balls, 14 a new tuzdik (15 free)
// Feature set "rows-2" adds
//   replies        N groups of 16: after each of the mover's moves what the opponent's best answer
//                  makes at once, in the classes above (1 none of his moves captures), 0 for an
//                  empty pit, 15 where he has no move or the game is over. Best is the most balls;
//                  in giveaway, where captures are compulsory and unwanted, the least of his
//                  captures.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sow.h"
#include "models/feature_set.h"

namespace toguz {

using FeatureRow = std::uint16_t;

inline constexpr int kCountClasses = 41;
inline constexpr int kTuzdikClass = 40;
inline constexpr int kOutcomeClasses = 16;
inline constexpr int kMaxActiveRows = 5 * kMaxPits + 2;

constexpr int activeRows(const RuleSet& r, FeatureSet set) {
  return 4 * r.pits + 2 + (set == FeatureSet::Rows2 ? r.pits : 0);
}
// Rows of each group, in order: activeRows() figures, of which featureRows() is the sum.
std::vector<int> featureGroups(const RuleSet& rules, FeatureSet set);
constexpr int featureRows(const RuleSet& r, FeatureSet set) {
  return 2 * r.pits * kCountClasses + 2 * (r.majority() + 1) +
         (set == FeatureSet::Rows2 ? 3 : 2) * r.pits * kOutcomeClasses;
}

// Writes activeRows() row numbers, ascending by group, each in [0, featureRows()).
template <class R>
void encodeFeatures(const R& rules, FeatureSet set, const Position& position, FeatureRow* out);
void encodeFeatures(const Rules& rules, FeatureSet set, const Position& position,
                    std::span<FeatureRow> out);

}  // namespace toguz

#include "models/features_inl.h"
