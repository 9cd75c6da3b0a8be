#include "core/rules.h"

#include "base/error.h"
#include "base/text.h"

namespace toguz {
namespace {

struct Named {
  const char* name;
  RuleSet set;
};
constexpr RuleSet kGiveaway2010{.giveaway = true, .leftoversToStuck = true};
constexpr Named kNamed[] = {{"standard", kStandard},
                            {"giveaway", kGiveaway},
                            {"giveaway2010", kGiveaway2010},
                            {"bestemshe", kBestemshe},
                            {"seven", kSeven}};

struct Switch {
  const char* name;
  bool RuleSet::*field;
};
constexpr Switch kSwitches[] = {{"tuzdik", &RuleSet::tuzdik},
                                {"bar_last_pit", &RuleSet::barLastPit},
                                {"sow_origin", &RuleSet::sowOrigin},
                                {"capture_singles_only", &RuleSet::captureSinglesOnly},
                                {"stop_at_majority", &RuleSet::stopAtMajority},
                                {"giveaway", &RuleSet::giveaway},
                                {"leftovers_to_stuck", &RuleSet::leftoversToStuck}};

Rules::Kind kindOf(const RuleSet& set) {
  if (set == kStandard) return Rules::Kind::Standard;
  if (set == kGiveaway) return Rules::Kind::Giveaway;
  if (set == kBestemshe) return Rules::Kind::Bestemshe;
  if (set == kSeven) return Rules::Kind::Seven;
  return Rules::Kind::Dynamic;
}

}  // namespace

Rules::Rules(const RuleSet& set) : set_(set), kind_(kindOf(set)) {
  TOGUZ_CHECK(set.pits >= 2 && set.pits <= kMaxPits && set.balls >= 1 && set.total() <= 162,
              "a board of a size that positions cannot hold");
}

std::vector<std::string> Rules::names() {
  std::vector<std::string> names;
  for (const Named& named : kNamed) names.emplace_back(named.name);
  return names;
}

Rules Rules::named(std::string_view text) {
  const std::vector<std::string> parts = split(text, ',');
  const Named* base = nullptr;
  for (const Named& named : kNamed)
    if (parts[0] == named.name) base = &named;
  if (!base)
    throw UsageError("unknown variant '" + parts[0] + "'; did you mean '" +
                     nearest(parts[0], names()) +
                     "'? (known: standard, giveaway, giveaway2010, "
                     "bestemshe, seven)");
  RuleSet set = base->set;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string key = parts[i].substr(0, equals);
    bool value = false;
    const Switch* found = nullptr;
    std::vector<std::string> known;
    for (const Switch& s : kSwitches) {
      known.emplace_back(s.name);
      if (key == s.name) found = &s;
    }
    if (!found)
      throw UsageError("unknown rule switch '" + key + "' in variant '" + std::string(text) +
                       "'; did you mean '" + nearest(key, known) + "'?");
    if (equals == std::string::npos || !parseBool(parts[i].substr(equals + 1), value))
      throw UsageError("rule switch '" + key + "' in variant '" + std::string(text) +
                       "' wants =true or =false");
    for (std::size_t k = 1; k < i; ++k)
      if (parts[k].substr(0, parts[k].find('=')) == key)
        throw UsageError("rule switch '" + key + "' is given twice in variant '" +
                         std::string(text) + "'");
    set.*(found->field) = value;
  }
  return Rules(set);
}

std::string Rules::name() const {
  const Named* base = nullptr;
  for (const Named& named : kNamed) {
    if (named.set == set_) return named.name;
    // The plainest variant of the same board; switches say the rest.
    if (!base && named.set.pits == set_.pits && named.set.balls == set_.balls) base = &named;
  }
  TOGUZ_CHECK(base != nullptr, "rules on a board that no named variant has");
  std::string text = base->name;
  for (const Switch& s : kSwitches)
    if (base->set.*(s.field) != set_.*(s.field))
      text += std::string(",") + s.name + (set_.*(s.field) ? "=true" : "=false");
  return text;
}

}  // namespace toguz
