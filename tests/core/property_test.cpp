// What must hold for every position, on random ones: those of random games and wild ones.
#include <gtest/gtest.h>

#include "core/notation.h"
#include "core/position_text.h"
#include "core/reference.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

class Properties : public testing::TestWithParam<const char*> {
 protected:
  const Rules rules_ = Rules::named(GetParam());
  const RuleSet& set_ = rules_.set();
  // Fewer where switches only combine what the named variants have.
  const int positions_ = rules_.kind() == Rules::Kind::Dynamic ? 20'000 : 100'000;
};

std::string testName(const testing::TestParamInfo<const char*>& param) {
  std::string name;
  for (const char* c = param.param; *c; ++c)
    if (std::isalnum(static_cast<unsigned char>(*c))) name += *c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Properties,
    testing::Values("standard", "giveaway", "giveaway2010", "bestemshe", "seven",
                    "standard,bar_last_pit=false", "standard,sow_origin=false",
                    "standard,capture_singles_only=true", "standard,stop_at_majority=false",
                    "standard,tuzdik=false", "seven,giveaway=true,sow_origin=false",
                    "giveaway,capture_singles_only=true,bar_last_pit=false",
                    "bestemshe,tuzdik=true,bar_last_pit=false,sow_origin=false"),
    testName);

TEST_P(Properties, EveryMoveIsTheBallByBallMove) {
  std::uint64_t tuzdiks = 0, captures = 0, moves = 0;
  forRandomPositions(rules_, positions_ / 2, 1, [&](const Position& position, PitMask legal) {
    std::vector<int> pits;
    for (PitMask rest = legal; rest; rest &= rest - 1) pits.push_back(std::countr_zero(rest));
    ASSERT_EQ(pits, legalPitsPlainly(set_, position));
    for (const int pit : pits) {
      Sowing fast, plain;
      const Position after = play(rules_, position, pit, &fast);
      ASSERT_EQ(after, playBallByBall(set_, position, pit, &plain))
          << formatPosition(rules_, position) << " pit " << pit + 1;
      ASSERT_EQ(fast.last, plain.last);
      ASSERT_EQ(fast.captured, plain.captured);
      ASSERT_EQ(fast.madeTuzdik, plain.madeTuzdik);
      ASSERT_EQ(lastSquare(set_, index(position.side) * set_.pits + pit,
                           position.pit(set_, position.side, pit)),
                plain.last);
      ASSERT_EQ(play(DynamicRules{set_}, position, pit), after);
      ++moves;
      tuzdiks += fast.madeTuzdik;
      captures += fast.captured > 0 && !fast.madeTuzdik;
    }
  });
  EXPECT_GT(moves, 20'000u);
  EXPECT_GT(captures, moves / 100);
  EXPECT_EQ(tuzdiks > 0, set_.tuzdik);
}

TEST_P(Properties, MovesKeepPositionsSound) {
  forRandomPositions(rules_, positions_, 2, [&](const Position& position, PitMask legal) {
    ASSERT_EQ(position.fault(set_), nullptr);
    for (PitMask rest = legal; rest; rest &= rest - 1) {
      const Position after = play(rules_, position, std::countr_zero(rest));
      ASSERT_EQ(after.fault(set_), nullptr) << after.fault(set_);
      ASSERT_EQ(after.side, opponent(position.side));
      ASSERT_GE(after.kazan[0], position.kazan[0]);
      ASSERT_GE(after.kazan[1], position.kazan[1]);
      for (const unsigned owner : {0u, 1u}) {
        if (position.tuzdik[owner] == Position::kNoSquare) continue;
        ASSERT_EQ(after.tuzdik[owner], position.tuzdik[owner]);
      }
    }
  });
}

TEST_P(Properties, TheRulesTreatBothSidesAlike) {
  forRandomPositions(rules_, positions_, 3, [&](const Position& position, PitMask legal) {
    const Position other = position.swapped(set_);
    ASSERT_EQ(other.swapped(set_), position);
    ASSERT_EQ(legalMoves(rules_, other), legal);
    const auto end = [&](const Position& p) {
      return withRules(rules_, [&](const auto& r) { return endOfPosition(r, p); });
    };
    for (PitMask rest = legal; rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      const Position after = play(rules_, position, pit), otherAfter = play(rules_, other, pit);
      ASSERT_EQ(otherAfter, after.swapped(set_));
      ASSERT_EQ(end(after), end(otherAfter));
      const Outcome a = outcomeOf(set_, after, end(after));
      const Outcome b = outcomeOf(set_, otherAfter, end(otherAfter));
      ASSERT_EQ(a.score(Side::First), b.score(Side::Second));
      ASSERT_EQ(a.score(Side::First), -a.score(Side::Second));
      ASSERT_EQ(a.margin(Side::First), b.margin(Side::Second));
    }
  });
}

TEST_P(Properties, TextsComeBack) {
  Rng rng(4);
  forRandomPositions(rules_, positions_, 5, [&](const Position& position, PitMask legal) {
    const int fullmove = static_cast<int>(1 + rng.below(400));
    const PositionText read = parsePosition(rules_, formatPosition(rules_, position, fullmove));
    ASSERT_EQ(read.position, position);
    ASSERT_EQ(read.fullmove, fullmove);
    if (withRules(rules_, [&](const auto& r) { return endOfPosition(r, position); }) !=
        EndReason::None)
      return;
    const int pit = randomPit(legal, rng);
    ASSERT_EQ(
        parseMove(rules_, position, formatMove(rules_, position, pit, true), {.needMark = true}),
        pit);
  });
}

TEST_P(Properties, PortableMaskIsTheMachines) {
  forRandomPositions(rules_, 2'000, 6, [&](const Position& position, PitMask) {
    ASSERT_EQ(detail::nonZeroMaskPortable(position), detail::nonZeroMask(position) & 0xffffffu);
  });
}

TEST(PortableMask, EveryByteValueInEveryPlace) {
  for (unsigned place = 0; place < Position::kSquares; ++place)
    for (unsigned value = 0; value < 256; ++value) {
      Position position;
      position.board[place] = static_cast<std::uint8_t>(value);
      position.board[(place + 7) % Position::kSquares] = 1;
      const std::uint32_t expected =
          (value ? 1u << place : 0u) | 1u << (place + 7) % Position::kSquares;
      ASSERT_EQ(detail::nonZeroMaskPortable(position), expected);
      ASSERT_EQ(detail::nonZeroMask(position) & 0xffffffu, expected);
    }
}

TEST(Hash, DistinguishesSideTuzdikAndKazans) {
  Position position = Position::start(kStandard);
  std::vector<Position> variants(5, position);
  variants[1].side = Side::Second;
  variants[2].tuzdik[0] = 12;
  variants[3].tuzdik[1] = 3;
  variants[4].kazan = {1, 0};
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (std::size_t j = i + 1; j < variants.size(); ++j) {
      EXPECT_FALSE(variants[i] == variants[j]);
      EXPECT_NE(variants[i].hash(), variants[j].hash());
    }
}

// Over a million positions of games and wild ones, equal hashes only for equal positions.
TEST(Hash, FullNoCollisionInAMillionPositions) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  forRandomPositions(Rules(), 1'000'000, 7, [&](const Position& position, PitMask) {
    std::uint64_t other = 0xcbf29ce484222325ULL;
    for (const std::uint64_t word : position.words()) {
      std::uint64_t mixed = other ^ word;
      other = splitmix64(mixed);
    }
    seen.emplace_back(position.hash(), other);
  });
  std::sort(seen.begin(), seen.end());
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].first != seen[i - 1].first) continue;
    ASSERT_EQ(seen[i].second, seen[i - 1].second);
  }
}

}  // namespace
}  // namespace toguz::test
