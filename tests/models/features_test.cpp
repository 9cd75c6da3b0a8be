#include "models/features.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/models/support.h"

namespace toguz {
namespace {

using test::randomPositions;

std::vector<FeatureRow> encode(const Rules& rules, const Position& position,
                               FeatureSet set = FeatureSet::Rows2) {
  std::vector<FeatureRow> rows(static_cast<std::size_t>(activeRows(rules.set(), set)));
  encodeFeatures(rules, set, position, rows);
  return rows;
}

// What the side's move from a pit makes at once.
int outcomeByPlaying(const Rules& rules, Position position, Side mover, int pit) {
  position.side = mover;
  if (position.pit(rules.set(), mover, pit) == 0) return 0;
  Sowing sowing;
  play(rules, position, pit, &sowing);
  return sowing.madeTuzdik ? 14 : 1 + std::min<int>(sowing.captured / 2, 12);
}

int replyByPlaying(const Rules& rules, const Position& position, int pit) {
  const RuleSet& s = rules.set();
  if (position.pit(s, position.side, pit) == 0) return 0;
  const Position next = play(rules, position, pit);
  if (endOfPosition(DynamicRules{s}, next) != EndReason::None) return 15;
  std::vector<int> all, captures;
  for (int reply = 0; reply < s.pits; ++reply) {
    all.push_back(outcomeByPlaying(rules, next, next.side, reply));
    if (all.back() > 1) captures.push_back(all.back());
  }
  if (s.giveaway && !captures.empty()) return *std::min_element(captures.begin(), captures.end());
  return *std::max_element(all.begin(), all.end());
}

// The same rows found the plain way: counts read off, and each move really played.
std::vector<FeatureRow> encodeByPlaying(const Rules& rules, const Position& position) {
  const RuleSet& s = rules.set();
  const int n = s.pits;
  std::vector<int> rows;
  const std::array<Side, 2> order{position.side, opponent(position.side)};
  int base = 0;
  for (const Side owner : order)
    for (int pit = 0; pit < n; ++pit, base += kCountClasses) {
      const int square = index(owner) * n + pit;
      const bool tuzdik = position.tuzdik[0] == square || position.tuzdik[1] == square;
      rows.push_back(base + (tuzdik ? 40 : std::min(position.pit(s, owner, pit), 39)));
    }
  for (const Side owner : order) {
    const int kazan = position.kazan[static_cast<std::size_t>(index(owner))];
    rows.push_back(base + std::min(kazan, s.majority()));
    base += s.majority() + 1;
  }
  for (const Side mover : order)
    for (int pit = 0; pit < n; ++pit, base += kOutcomeClasses)
      rows.push_back(base + outcomeByPlaying(rules, position, mover, pit));
  EXPECT_EQ(base, featureRows(s, FeatureSet::Rows1));
  for (int pit = 0; pit < n; ++pit, base += kOutcomeClasses)
    rows.push_back(base + replyByPlaying(rules, position, pit));
  EXPECT_EQ(base, featureRows(s, FeatureSet::Rows2));
  return {rows.begin(), rows.end()};
}

class Features : public testing::TestWithParam<std::string> {};

TEST_P(Features, AgreeWithPlayingEachMove) {
  const Rules rules = Rules::named(GetParam());
  for (const Position& position : randomPositions(rules, 4000, 11))
    ASSERT_EQ(encode(rules, position), encodeByPlaying(rules, position));
}

TEST_P(Features, AreTheSameForBothNamesOfThePlayers) {
  const Rules rules = Rules::named(GetParam());
  for (const Position& position : randomPositions(rules, 4000, 12))
    ASSERT_EQ(encode(rules, position), encode(rules, position.swapped(rules.set())));
}

TEST_P(Features, StayInTheirGroups) {
  const Rules rules = Rules::named(GetParam());
  for (const Position& position : randomPositions(rules, 1000, 13)) {
    const std::vector<FeatureRow> rows = encode(rules, position);
    ASSERT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    ASSERT_EQ(std::set<FeatureRow>(rows.begin(), rows.end()).size(), rows.size());
    ASSERT_LT(rows.back(), featureRows(rules.set(), FeatureSet::Rows2));
    const std::vector<FeatureRow> first = encode(rules, position, FeatureSet::Rows1);
    ASSERT_TRUE(std::equal(first.begin(), first.end(), rows.begin())) << "rows-2 adds to rows-1";
  }
}

// Piles larger than games reach, where a sowing goes round the ring several times.
TEST_P(Features, AgreeWithPlayingOnWildPositions) {
  const Rules rules = Rules::named(GetParam());
  const RuleSet& s = rules.set();
  Rng rng(14);
  for (int i = 0; i < 4000; ++i) {
    Position position;
    position.side = rng.chance(0.5) ? Side::First : Side::Second;
    if (s.tuzdik)
      for (unsigned owner = 0; owner < 2; ++owner)
        if (rng.chance(0.6))
          position.tuzdik[owner] =
              static_cast<std::uint8_t>((1 - owner) * s.pits + rng.below(s.pits - 1u));
    if (position.hasTuzdik(Side::First) && position.hasTuzdik(Side::Second) &&
        position.tuzdik[0] % s.pits == position.tuzdik[1] % s.pits)
      position.tuzdik[0] = Position::kNoSquare;
    int left = s.total();
    while (left > 0) {
      const unsigned square = rng.below(2u * s.pits);
      const int balls =
          std::min<int>(left, static_cast<int>(1 + rng.below(rng.chance(0.1) ? 150 : 12)));
      left -= balls;
      if (square == position.tuzdik[0] || square == position.tuzdik[1] || rng.chance(0.2))
        position.kazan[rng.below(2)] += static_cast<std::uint8_t>(balls);
      else
        position.board[square] = static_cast<std::uint8_t>(position.board[square] + balls);
    }
    ASSERT_EQ(position.fault(s), nullptr);
    ASSERT_EQ(encode(rules, position), encodeByPlaying(rules, position));
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Features, testing::ValuesIn(test::variantsAndSwitches()),
                         [](const auto& named) {
                           std::string name = named.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); },
                               '_');
                           return name;
                         });

TEST(FeaturesStart, StartPositionByHand) {
  const Rules rules;
  const std::vector<FeatureRow> rows = encode(rules, Position::start(kStandard));
  ASSERT_EQ(rows.size(), 47u);
  for (unsigned i = 0; i < 18; ++i) EXPECT_EQ(rows[i], i * 41 + 9);
  EXPECT_EQ(rows[18], 738);       // no balls in the mover's kazan
  EXPECT_EQ(rows[19], 738 + 83);  // nor in the opponent's
  // Pit 1's nine balls end on its own side (pit 9); each of pits 2..9 reaches a pit of nine on the
  // other side, makes ten of it and takes them: class 1 + 5.
  EXPECT_EQ(rows[20], 904 + 1);
  for (unsigned i = 1; i < 9; ++i) EXPECT_EQ(rows[20 + i], 904 + 16 * i + 6);
  // After pit 1 the mover's pits are 1, 10, .., 10, and the nines of the opponent's pits 3 to 9
  // make elevens there; his pit 2 makes two of the one and takes it: class 1 + 1. After pit 7,
  // which takes the tens of pit 6, the ten of his pit 1 ends on a nine and takes ten: class 1 + 5,
  // no more.
  EXPECT_EQ(rows[38], 1192 + 2);
  EXPECT_EQ(rows[38 + 6], 1192 + 16 * 6 + 6);
}

TEST(FeaturesStart, GroupsAddUpToTheRows) {
  for (const std::string& variant : test::variantsAndSwitches())
    for (const FeatureSet set : {FeatureSet::Rows1, FeatureSet::Rows2}) {
      const RuleSet s = Rules::named(variant).set();
      const std::vector<int> groups = featureGroups(s, set);
      EXPECT_EQ(static_cast<int>(groups.size()), activeRows(s, set));
      EXPECT_EQ(std::accumulate(groups.begin(), groups.end(), 0), featureRows(s, set));
    }
}

TEST(FeaturesStart, SmallBoardsTakeTheGeneralPath) {
  const Rules rules(RuleSet{.pits = 2, .balls = 3});
  for (const Position& position : randomPositions(rules, 500, 15))
    ASSERT_EQ(encode(rules, position), encodeByPlaying(rules, position));
}

TEST(FeaturesDeathTest, RoomOfTheWrongSizeIsAFault) {
  std::vector<FeatureRow> rows(37);
  EXPECT_DEATH(encodeFeatures(Rules(), FeatureSet::Rows1, Position::start(kStandard), rows),
               "rows");
}

}  // namespace
}  // namespace toguz
