// The search tree in two flat arrays; children are named by index, so growth moves nothing that
// matters. No parent links: a walk keeps its own path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/value.h"

namespace toguz {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};

struct Edge {
  NodeIndex child = kNoNode;
  float prior = 0;
  std::uint32_t visits = 0;  // leaves in flight included
  // Sums over the visits, for the side to move at the edge's owner.
  float winLossSum = 0;
  float marginSum = 0;
};

struct alignas(64) Node {
  enum class State : std::uint8_t { New, Waiting, Expanded, Finished };

  Position position;
  std::uint32_t firstEdge = 0;
  std::uint32_t visits = 0;  // leaves in flight included
  // Of the node itself: the evaluator's answer, or exact where the game is finished.
  Value value;
  float winLossSum = 0;  // over all visits, for the side to move here
  float marginSum = 0;
  std::uint16_t legal = 0;
  std::uint8_t edges = 0;
  State state = State::New;
};
static_assert(sizeof(Node) == 64);

class Tree {
 public:
  static constexpr NodeIndex kRoot = 0;

  void clear();
  // Room for that many more nodes without allocation.
  void reserveMore(std::size_t nodes);
  NodeIndex add(const Position& position);
  // Gives the node one edge a set bit of its `legal`, in order, with priors by pit.
  void expand(NodeIndex node, std::span<const float> policy);
  // Makes `node` the root and drops all that is not below it.
  void reroot(NodeIndex node);

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  Node& node(NodeIndex i) { return nodes_[i]; }
  const Node& node(NodeIndex i) const { return nodes_[i]; }
  Edge& edge(std::uint32_t i) { return edges_[i]; }
  const Edge& edge(std::uint32_t i) const { return edges_[i]; }
  std::span<Edge> edgesOf(const Node& n) { return {edges_.data() + n.firstEdge, n.edges}; }
  std::span<const Edge> edgesOf(const Node& n) const {
    return {edges_.data() + n.firstEdge, n.edges};
  }

 private:
  std::vector<Node> nodes_, spareNodes_;
  std::vector<Edge> edges_, spareEdges_;
};

}  // namespace toguz
