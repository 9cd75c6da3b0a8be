#include "search/tree.h"

#include <gtest/gtest.h>

#include "search/value.h"

namespace toguz {
namespace {

TEST(Value, ReadsBackFromTheSideItWasMadeForAndNegatedFromTheOther) {
  const Value value = Value::forSide(Side::Second, 0.25f, -7.0f);
  EXPECT_FLOAT_EQ(value.winLoss(Side::Second), 0.25f);
  EXPECT_FLOAT_EQ(value.winLoss(Side::First), -0.25f);
  EXPECT_FLOAT_EQ(value.margin(Side::Second), -7.0f);
  EXPECT_FLOAT_EQ(value.margin(Side::First), 7.0f);
}

TEST(Value, ADrawIsZeroToBoth) {
  Outcome draw;
  draw.reason = EndReason::NoMoves;
  draw.result = Result::Draw;
  draw.kazan = {81, 81};
  for (const Side side : {Side::First, Side::Second}) {
    EXPECT_EQ(draw.score(side), 0);
    EXPECT_EQ(Value::exact(draw).winLoss(side), 0.0f);
    EXPECT_EQ(Value::exact(draw).margin(side), 0.0f);
  }
}

TEST(Tree, ReroutingKeepsTheSubtreeAndNothingElse) {
  Tree tree;
  Position position = Position::start(kStandard);
  const std::array<float, kMaxPits> policy{0.5f, 0.3f, 0.2f};
  const auto grow = [&](NodeIndex at) {
    tree.node(at).legal = 0b111;
    tree.expand(tree.node(at), policy);
    for (std::uint32_t e = 0; e < 3; ++e) {
      position.kazan[0]++;
      const NodeIndex child = tree.add(position);
      tree.node(at).child[e] = child;
      tree.node(at).edgeVisits[e] = child;
    }
  };
  tree.add(position);
  grow(0);
  grow(2);
  grow(5);
  const Node kept = tree.node(2);
  ASSERT_EQ(tree.size(), 10u);
  EXPECT_FALSE(tree.reroot(2, [] { return true; }));
  ASSERT_EQ(tree.size(), 10u) << "given up, all is as it was";
  EXPECT_TRUE(tree.reroot(2, [] { return false; }));
  EXPECT_EQ(tree.size(), 7u);
  EXPECT_EQ(tree.node(Tree::kRoot).position, kept.position);
  const Node& root = tree.node(Tree::kRoot);
  ASSERT_EQ(root.edges, 3u);
  EXPECT_FLOAT_EQ(root.prior[1], 0.3f);
  // Edge visits were set to the child's old index: they say which subtree is where.
  EXPECT_EQ(root.edgeVisits[1], 5u);
  EXPECT_EQ(tree.node(root.child[1]).edges, 3u);
  EXPECT_EQ(tree.node(root.child[1]).edgeVisits[2], 9u);
}

}  // namespace
}  // namespace toguz
