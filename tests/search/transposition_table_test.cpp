#include "search/transposition_table.h"

#include <gtest/gtest.h>

namespace toguz {
namespace {

using Bound = TranspositionTable::Bound;

TEST(TranspositionTableTest, GivesBackWhatWasStored) {
  TranspositionTable table(4);
  const Position p = Position::start(kStandard);
  TranspositionTable::Found found;
  EXPECT_FALSE(table.probe(p, p.hash(), found));
  for (const int score : {0, 1, -1, 160, -160, 20000, -20000}) {
    table.store(p, p.hash(), {score, 63, Bound::Exact, 8});
    ASSERT_TRUE(table.probe(p, p.hash(), found));
    EXPECT_EQ(found.score, score);
    EXPECT_EQ(found.depth, 63);
    EXPECT_EQ(found.bound, Bound::Exact);
    EXPECT_EQ(found.pit, 8);
  }
}

// Equal hashes, positions that differ in one place only: every part of the position is the key.
TEST(TranspositionTableTest, EqualHashesAreNotEnough) {
  const Position p = Position::start(kStandard);
  std::vector<Position> others;
  for (int square = 0; square < 2 * kStandard.pits; ++square) {
    others.push_back(p);
    others.back().board[static_cast<std::size_t>(square)] ^= 1;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    others.push_back(p);
    others.back().kazan[side] = 2;
    others.push_back(p);
    others.back().tuzdik[side] = 0;
  }
  others.push_back(p);
  others.back().side = Side::Second;
  for (const Position& other : others) {
    TranspositionTable table(4);
    table.store(p, 7, {5, 3, Bound::Lower, 1});
    TranspositionTable::Found found;
    EXPECT_FALSE(table.probe(other, 7, found));
    EXPECT_TRUE(table.probe(p, 7, found));
  }
}

TEST(TranspositionTableTest, KeepsTheDeeperAndTheNewer) {
  TranspositionTable table(1);  // one pair
  std::vector<Position> positions(3, Position::start(kStandard));
  for (std::size_t i = 0; i < 3; ++i) positions[i].kazan[0] = static_cast<std::uint8_t>(i);
  table.store(positions[0], 0, {10, 9, Bound::Exact, 0});
  table.store(positions[1], 0, {11, 2, Bound::Exact, 1});
  table.store(positions[2], 0, {12, 1, Bound::Exact, 2});
  TranspositionTable::Found found;
  EXPECT_TRUE(table.probe(positions[0], 0, found));
  EXPECT_EQ(found.score, 10);
  EXPECT_FALSE(table.probe(positions[1], 0, found));
  EXPECT_TRUE(table.probe(positions[2], 0, found));
  EXPECT_EQ(found.score, 12);
}

TEST(TranspositionTableTest, ClearedForGood) {
  TranspositionTable table(2);
  const Position p = Position::start(kSeven);
  table.store(p, 1, {1, 1, Bound::Exact, 0});
  TranspositionTable::Found found;
  // As many as it takes for the generation number to come round.
  for (int i = 0; i < 70000; ++i) {
    table.clear();
    ASSERT_FALSE(table.probe(p, 1, found)) << i;
  }
}

}  // namespace
}  // namespace toguz
