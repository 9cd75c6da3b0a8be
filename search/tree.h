// The search tree in one flat array; children are named by index. No parent links: a walk keeps its
// own path.
//
// One thread may use a tree as it likes. Several may share one after `reserve`: a NodeLock guards
// all of a node but its position, which never changes, and nodes are added with addShared.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "base/flat_array.h"
#include "search/value.h"

namespace toguz {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};

// What a node knows of one of its moves; a copy.
struct Edge {
  NodeIndex child = kNoNode;
  float prior = 0;
  std::uint32_t visits = 0;  // leaves in flight included
  // Sums over the visits, for the side to move at the edge's owner.
  float winLossSum = 0;
  float marginSum = 0;
};

// A node with its edges, one for each legal move in the order of pits: four cache lines, all of
// which can be asked for as soon as the index is known. The edges' figures lie kind by kind, so
// that a selection reads them as vectors.
struct alignas(64) Node {
  enum class State : std::uint8_t { New, Waiting, Expanded, Finished };

  Position position;
  std::uint32_t visits = 0;  // leaves in flight included
  // Of the node itself: the evaluator's answer, or exact where the game is finished.
  Value value;
  float winLossSum = 0;  // over all visits, for the side to move here
  float marginSum = 0;
  std::uint16_t legal = 0;
  std::uint8_t edges = 0;
  State state = State::New;
  std::uint8_t locked = 0;  // see NodeLock

  // By edge; beyond `edges` unspecified. See Edge.
  alignas(64) std::array<float, kMaxPits> prior;
  std::array<std::uint32_t, kMaxPits> edgeVisits;
  std::array<float, kMaxPits> edgeWinLossSum;
  std::array<float, kMaxPits> edgeMarginSum;
  std::array<NodeIndex, kMaxPits> child;

  Edge edge(std::size_t i) const {
    return {child[i], prior[i], edgeVisits[i], edgeWinLossSum[i], edgeMarginSum[i]};
  }
  // All of it but the lock.
  Node copy() const;
  // Readable without the lock.
  std::uint32_t visitsNow() const {
    return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(visits))
        .load(std::memory_order_relaxed);
  }
  void addVisits(std::int32_t more) {
    std::atomic_ref<std::uint32_t>(visits).store(visits + static_cast<std::uint32_t>(more),
                                                 std::memory_order_relaxed);
  }
  void prefetch() const {
    const auto* line = reinterpret_cast<const char*>(this);
    for (std::size_t i = 0; i < sizeof(Node); i += 64) __builtin_prefetch(line + i, 1);
  }
};
static_assert(sizeof(Node) == 256);

// Holds a node while its counts or edges are read or written: tens of nanoseconds, so a thread that
// finds it held spins. Does nothing unless the tree is shared.
template <bool kShared>
class NodeLock {
 public:
  explicit NodeLock(Node& node) : node_(node) {
    if constexpr (kShared) {
      std::atomic_ref<std::uint8_t> locked(node_.locked);
      while (locked.exchange(1, std::memory_order_acquire))
        while (locked.load(std::memory_order_relaxed)) pause();
    }
  }
  ~NodeLock() {
    if constexpr (kShared)
      std::atomic_ref<std::uint8_t>(node_.locked).store(0, std::memory_order_release);
  }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
  Node& node_;
};

class Tree {
 public:
  static constexpr NodeIndex kRoot = 0;

  void clear() { nodes_.clear(); }
  // Room for that many more nodes without allocation.
  void reserveMore(std::size_t nodes) { nodes_.reserveMore(nodes); }
  // Room for that many nodes in all; takes address space, and memory only as nodes are added.
  void reserve(std::size_t nodes) { nodes_.reserve(nodes); }
  NodeIndex add(const Position& position);
  NodeIndex addShared(const Position& position);  // kNoNode if there is no room
  // Gives the node one edge a set bit of its `legal`, in order, with priors by pit.
  void expand(Node& node, std::span<const float> policy);
  // Makes `node` the root and drops all that is not below it, which takes up to a microsecond for
  // each node kept. `abandon`, if there is one, is asked now and then; once it says true all is as
  // it was and the answer false.
  bool reroot(NodeIndex node, const std::function<bool()>& abandon = {});

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  Node& node(NodeIndex i) { return nodes_[i]; }
  const Node& node(NodeIndex i) const { return nodes_[i]; }

 private:
  FlatArray<Node> nodes_, spare_;
};

}  // namespace toguz
