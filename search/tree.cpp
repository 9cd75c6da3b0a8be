#include "search/tree.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace toguz {

void Tree::clear() {
  nodes_.clear();
  edges_.clear();
}

void Tree::reserveMore(std::size_t nodes) {
  // Growth at least doubles, so that a search of unknown length still allocates seldom.
  const auto grow = [](auto& items, std::size_t more) {
    const std::size_t need = items.size() + more;
    if (need > items.capacity()) items.reserve(std::max(need, 2 * items.capacity()));
  };
  grow(nodes_, nodes);
  grow(edges_, nodes * kMaxPits);
}

NodeIndex Tree::add(const Position& position) {
  const auto at = static_cast<NodeIndex>(nodes_.size());
  nodes_.emplace_back().position = position;
  return at;
}

void Tree::expand(NodeIndex at, std::span<const float> policy) {
  Node& node = nodes_[at];
  node.firstEdge = static_cast<std::uint32_t>(edges_.size());
  node.edges = static_cast<std::uint8_t>(std::popcount(node.legal));
  for (PitMask rest = node.legal; rest; rest &= rest - 1)
    edges_.emplace_back().prior = policy[static_cast<std::size_t>(std::countr_zero(rest))];
  node.state = Node::State::Expanded;
}

void Tree::reroot(NodeIndex root) {
  spareNodes_.clear();
  spareEdges_.clear();
  spareNodes_.push_back(nodes_[root]);
  // Breadth first: each copied node, when reached, moves its edges and appends its children.
  for (std::size_t i = 0; i < spareNodes_.size(); ++i) {
    const std::uint32_t from = spareNodes_[i].firstEdge;
    const std::uint32_t count = spareNodes_[i].edges;
    TOGUZ_CHECK(spareNodes_[i].state != Node::State::Waiting, "rerooting with leaves in flight");
    spareNodes_[i].firstEdge = static_cast<std::uint32_t>(spareEdges_.size());
    for (std::uint32_t e = 0; e < count; ++e) {
      Edge edge = edges_[from + e];
      if (edge.child != kNoNode) {
        spareNodes_.push_back(nodes_[edge.child]);
        edge.child = static_cast<NodeIndex>(spareNodes_.size() - 1);
      }
      spareEdges_.push_back(edge);
    }
  }
  nodes_.swap(spareNodes_);
  edges_.swap(spareEdges_);
}

}  // namespace toguz
