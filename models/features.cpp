#include "models/features.h"

#include "base/error.h"

namespace toguz {
namespace detail {

const FeatureTables& featureTables(int pits) {
  switch (pits) {
    case 2:
      return kFeatureTables<2>;
    case 3:
      return kFeatureTables<3>;
    case 4:
      return kFeatureTables<4>;
    case 5:
      return kFeatureTables<5>;
    case 6:
      return kFeatureTables<6>;
    case 7:
      return kFeatureTables<7>;
    case 8:
      return kFeatureTables<8>;
    case 9:
      return kFeatureTables<9>;
  }
  TOGUZ_CHECK(false, "pits a side outside 2..9");
  __builtin_unreachable();
}

}  // namespace detail

std::vector<int> featureGroups(const RuleSet& rules, FeatureSet set) {
  const auto pits = static_cast<std::size_t>(rules.pits);
  std::vector<int> groups(2 * pits, kCountClasses);
  groups.insert(groups.end(), 2, rules.majority() + 1);
  groups.insert(groups.end(), (set == FeatureSet::Rows2 ? 3 : 2) * pits, kOutcomeClasses);
  return groups;
}

void encodeFeatures(const Rules& rules, FeatureSet set, const Position& position,
                    std::span<FeatureRow> out) {
  TOGUZ_CHECK(out.size() == static_cast<std::size_t>(activeRows(rules.set(), set)),
              "room for another number of rows than the variant has");
  withRules(rules, [&](const auto& r) { encodeFeatures(r, set, position, out.data()); });
}

}  // namespace toguz
