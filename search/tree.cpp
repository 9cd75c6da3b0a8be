#include "search/tree.h"

#include <bit>

#include "base/error.h"

namespace toguz {
namespace {

// All but the edges, which count from `expand` on.
void initialise(Node& node, const Position& position) {
  node.position = position;
  node.visits = 0;
  node.value = Value();
  node.winLossSum = node.marginSum = 0;
  node.legal = 0;
  node.edges = 0;
  node.state = Node::State::New;
  node.locked = 0;
}

}  // namespace

Node Node::copy() const {
  Node other;
  initialise(other, position);
  other.visits = visits;
  other.value = value;
  other.winLossSum = winLossSum;
  other.marginSum = marginSum;
  other.legal = legal;
  other.edges = edges;
  other.state = state;
  other.prior = prior;
  other.edgeVisits = edgeVisits;
  other.edgeWinLossSum = edgeWinLossSum;
  other.edgeMarginSum = edgeMarginSum;
  other.child = child;
  return other;
}

NodeIndex Tree::add(const Position& position) {
  nodes_.reserveMore(1);
  const NodeIndex at = nodes_.append(1);
  initialise(nodes_[at], position);
  return at;
}

NodeIndex Tree::addShared(const Position& position) {
  const NodeIndex at = nodes_.appendShared(1);
  if (at == nodes_.kFull) return kNoNode;
  initialise(nodes_[at], position);
  return at;
}

void Tree::expand(Node& node, std::span<const float> policy) {
  node.child.fill(kNoNode);
  node.edgeVisits.fill(0);
  node.edgeWinLossSum.fill(0);
  node.edgeMarginSum.fill(0);
  node.prior.fill(0);
  std::size_t edge = 0;
  for (PitMask rest = node.legal; rest; rest &= rest - 1)
    node.prior[edge++] = policy[static_cast<std::size_t>(std::countr_zero(rest))];
  node.edges = static_cast<std::uint8_t>(edge);
  node.state = Node::State::Expanded;
}

bool Tree::reroot(NodeIndex root, const std::function<bool()>& abandon) {
  constexpr std::size_t kAskEach = 1024;
  spare_.clear();
  // The two take turns: what was set aside for one is wanted for the other.
  spare_.reserve(nodes_.capacity());
  spare_[spare_.append(1)] = nodes_[root];
  // Breadth first: each copied node, when reached, appends its children.
  for (std::size_t i = 0; i < spare_.size(); ++i) {
    if (abandon && i % kAskEach == 0 && abandon()) return false;
    Node& node = spare_[i];
    TOGUZ_CHECK(node.state != Node::State::Waiting, "rerooting with leaves in flight");
    for (std::size_t e = 0; e < node.edges; ++e) {
      if (node.child[e] == kNoNode) continue;
      const NodeIndex copy = spare_.append(1);
      spare_[copy] = nodes_[node.child[e]];
      node.child[e] = copy;
    }
  }
  nodes_.swap(spare_);
  return true;
}

}  // namespace toguz
