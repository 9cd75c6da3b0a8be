// The rules of a game, as data: one parameterised core serves every variant and every historical
// switch. Hot code is instantiated for the named variants (FixedRules, all parameters known at
// compile time) and once for anything else (DynamicRules); `withRules` picks at run time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

inline constexpr int kMaxPits = 9;  // pits a side, over all variants

// Raised whenever the same moves would make another game: games of another version are of no use.
inline constexpr std::uint16_t kRulesVersion = 1;

enum class Side : std::uint8_t { First = 0, Second = 1 };
constexpr Side opponent(Side side) {
  return side == Side::First ? Side::Second : Side::First;
}
constexpr int index(Side side) {
  return static_cast<int>(side);
}

struct RuleSet {
  std::uint8_t pits = 9;   // N, pits a side: 2..9
  std::uint8_t balls = 9;  // B, balls a pit at the start; N*B*2 <= 162
  bool tuzdik = true;
  bool barLastPit = true;  // pit N may not become a tuzdik
  // Giveaway: fewest balls win, and a move that raises the mover's kazan is compulsory.
  bool giveaway = false;
  bool leftoversToStuck = false;    // Gering 2010: balls left go to the player who is stuck
  bool sowOrigin = true;            // the first ball of two or more goes back into its pit
  bool captureSinglesOnly = false;  // even captures only on a pit that held one ball
  bool stopAtMajority = true;

  constexpr int total() const { return 2 * pits * balls; }
  // The least number of balls that is more than half of all.
  constexpr int majority() const { return total() / 2 + 1; }
  bool operator==(const RuleSet&) const = default;
};

inline constexpr RuleSet kStandard{};
inline constexpr RuleSet kGiveaway{.giveaway = true};
inline constexpr RuleSet kBestemshe{.pits = 5, .balls = 5, .tuzdik = false};
inline constexpr RuleSet kSeven{.pits = 7, .balls = 7};

// A rule set with its name. Cheap to copy.
class Rules {
 public:
  enum class Kind : std::uint8_t { Standard, Giveaway, Bestemshe, Seven, Dynamic };

  Rules() : Rules(kStandard) {}
  explicit Rules(const RuleSet& set);

  // "standard", "giveaway", "giveaway2010", "bestemshe", "seven"; each may be followed by switches,
  // as "standard,tuzdik=false,stop_at_majority=false". Throws UsageError naming the nearest name.
  static Rules named(std::string_view name);
  static std::vector<std::string> names();

  const RuleSet& set() const { return set_; }
  Kind kind() const { return kind_; }
  // The text that `named` reads back to these rules.
  std::string name() const;
  bool operator==(const Rules& other) const { return set_ == other.set_; }

 private:
  RuleSet set_;
  Kind kind_;
};

template <RuleSet S>
struct FixedRules {
  static constexpr RuleSet set() { return S; }
};

struct DynamicRules {
  RuleSet rules;
  const RuleSet& set() const { return rules; }
};

// Calls f with a rules object whose set() is a compile-time constant where the variant is one of
// the named ones. All four instantiations and the dynamic one must compile.
template <class F>
decltype(auto) withRules(const Rules& rules, F&& f) {
  switch (rules.kind()) {
    case Rules::Kind::Standard:
      return f(FixedRules<kStandard>{});
    case Rules::Kind::Giveaway:
      return f(FixedRules<kGiveaway>{});
    case Rules::Kind::Bestemshe:
      return f(FixedRules<kBestemshe>{});
    case Rules::Kind::Seven:
      return f(FixedRules<kSeven>{});
    case Rules::Kind::Dynamic:
      break;
  }
  return f(DynamicRules{rules.set()});
}

}  // namespace toguz
