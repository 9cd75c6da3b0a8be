// Choosing: which edge a walk follows, and what a finished search says of its root.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "search/gumbel.h"
#include "search/search.h"

namespace toguz {
namespace {

// ln(y) for y >= 1 from the four operations alone, so that a search comes out the same under every
// maths library and compiler: y = m * 2^e with m in [1, 2), ln m = 2 atanh((m - 1) / (m + 1)).
double portableLog(double y) {
  const auto bits = std::bit_cast<std::uint64_t>(y);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  const double z = (m - 1) / (m + 1), z2 = z * z;
  double series = 0, power = z;
  for (int k = 1; k <= 15; k += 2, power *= z2) series += power / k;
  return 2 * series + exponent * 0.69314718055994530942;
}

}  // namespace

float Search::computeExploration(std::uint32_t n) const {
  const double growth = portableLog(1.0 + static_cast<double>(n) / params_.cpuctBase);
  return (params_.cpuct + params_.cpuctLog * static_cast<float>(growth)) *
         std::sqrt(static_cast<float>(n > 1 ? n - 1 : 1));
}

Node Search::copyOf(NodeIndex at) {
  Node& node = tree_.node(at);
  if (!shared()) return node;
  const NodeLock<true> lock(node);
  return node.copy();
}

std::uint32_t Search::selectPuct(const Node& node, bool atRoot) const {
  // One lane an edge. The arithmetic of a lane is that of a plain loop, so every build selects
  // alike.
  constexpr int kLanes = 16;
  using Floats = float __attribute__((vector_size(4 * kLanes)));
  using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
  static_assert(offsetof(Node, edgeMarginSum) + sizeof(Floats) <= sizeof(Node));
  static_assert(kMaxPits <= kLanes);
  // The lanes past kMaxPits hold other figures, which as floats may be slow to reckon with.
  const auto load = [](const auto& values, auto& vector) {
    constexpr Ints kLane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    Ints bits;
    std::memcpy(&bits, values.data(), sizeof bits);
    bits &= kLane < kMaxPits;
    std::memcpy(&vector, &bits, sizeof vector);
  };
  Floats prior, winLoss, margin;
  Ints count;
  load(node.prior, prior);
  load(node.edgeVisits, count);
  load(node.edgeWinLossSum, winLoss);
  load(node.edgeMarginSum, margin);

  float visitedMass = 0;
  for (std::size_t i = 0; i < node.edges; ++i)
    visitedMass += node.edgeVisits[i] ? node.prior[i] : 0.0f;
  const float parent = utility(node.winLossSum, node.marginSum, static_cast<float>(node.visits));
  const float reduction = atRoot && limits_.noise ? 0.0f : params_.fpuReduction;
  const float unvisited = parent - reduction * std::sqrt(visitedMass);
  if (atRoot) {
    prior = Floats{};
    std::memcpy(&prior, rootPrior_.data(), sizeof rootPrior_);
  }
  const Floats visits = __builtin_convertvector(count, Floats);
  const Ints visited = count != 0;
  const Floats one = Floats{} + 1.0f;
  const Floats q =
      visited ? (winLoss + marginScale_ * margin) / (visited ? visits : one) : Floats{} + unvisited;
  const Floats score = q + exploration(node.visits) * prior / (1.0f + visits);

  alignas(64) std::array<float, kLanes> scores;
  std::memcpy(scores.data(), &score, sizeof score);
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < node.edges; ++i)
    if (scores[i] > scores[best]) best = i;
  return best;
}

namespace {

template <class ValueOf>
GumbelNode gumbelNode(const Node& node, ValueOf&& valueOf) {
  GumbelNode view;
  view.size = node.edges;
  view.ownValue = 0.5f * (1.0f + node.value.winLoss(node.position.side));
  for (std::size_t i = 0; i < node.edges; ++i) {
    view.prior[i] = node.prior[i];
    view.visits[i] = node.edgeVisits[i];
    if (node.edgeVisits[i]) view.value[i] = 0.5f * (1.0f + valueOf(node.edge(i)));
  }
  return view;
}

}  // namespace

std::uint32_t Search::selectGumbelRoot(const Node& node) const {
  const GumbelNode view = gumbelNode(node, [this](const Edge& e) { return valueOf(e); });
  const auto logits = improvedLogits(view, params_.gumbelVisit, params_.gumbelScale);
  const std::size_t simulation =
      std::min<std::size_t>(node.visits - 1, consideredVisits_.size() - 1);
  const std::uint32_t wanted = consideredVisits_[simulation];
  std::uint32_t best = node.edges;
  for (std::uint32_t i = 0; i < node.edges; ++i) {
    if (node.edgeVisits[i] != wanted) continue;
    if (best == node.edges || rootGumbel_[i] + logits[i] > rootGumbel_[best] + logits[best])
      best = i;
  }
  // The schedule always has a move of the wanted count while walks end in visits; a move with the
  // most visits stands in should the root be searched past its schedule.
  if (best == node.edges) {
    best = 0;
    for (std::uint32_t i = 1; i < node.edges; ++i)
      if (node.edgeVisits[i] > node.edgeVisits[best]) best = i;
  }
  return best;
}

std::uint32_t Search::selectGumbel(const Node& node) const {
  const GumbelNode view = gumbelNode(node, [this](const Edge& e) { return valueOf(e); });
  const auto policy = improvedPolicy(view, params_.gumbelVisit, params_.gumbelScale);
  // Equation 14: the visit shares should follow the improved policy.
  std::uint32_t best = 0;
  float bestScore = -1e30f;
  for (std::uint32_t i = 0; i < node.edges; ++i) {
    const float score =
        policy[i] - static_cast<float>(node.edgeVisits[i]) / static_cast<float>(node.visits);
    if (score > bestScore) {
      bestScore = score;
      best = i;
    }
  }
  return best;
}

std::span<const float> Search::rootPriors() const {
  return {rootPrior_.data(), tree_.node(Tree::kRoot).edges};
}

std::uint32_t Search::rootVisits() const {
  return tree_.node(Tree::kRoot).visitsNow();
}

Value Search::rootValue() {
  const Node root = copyOf(Tree::kRoot);
  TOGUZ_CHECK(root.visits > 0, "the value of a root that was never searched");
  const auto n = static_cast<float>(root.visits);
  return Value::forSide(root.position.side, root.winLossSum / n, root.marginSum / n);
}

Value Search::policyValue() {
  const Node& root = tree_.node(Tree::kRoot);
  if (params_.selection == Selection::Puct || root.edges == 0) return rootValue();
  const GumbelNode view = gumbelNode(root, [this](const Edge& e) { return valueOf(e); });
  const auto policy = improvedPolicy(view, params_.gumbelVisit, params_.gumbelScale);
  const float unvisited = 2 * mixedValue(view) - 1;
  float winLoss = 0, margin = 0;
  for (std::size_t i = 0; i < root.edges; ++i) {
    const auto n = static_cast<float>(root.edgeVisits[i]);
    winLoss += policy[i] * (root.edgeVisits[i] ? root.edgeWinLossSum[i] / n : unvisited);
    margin += policy[i] * (root.edgeVisits[i] ? root.edgeMarginSum[i] / n
                                              : root.value.margin(root.position.side));
  }
  return Value::forSide(root.position.side, winLoss, margin);
}

std::span<const RootMove> Search::rootMoves() {
  const Node root = copyOf(Tree::kRoot);
  TOGUZ_CHECK(root.visits > 0, "the moves of a root that was never searched");
  const auto visits = static_cast<float>(root.visits);
  const Value own =
      Value::forSide(root.position.side, root.winLossSum / visits, root.marginSum / visits);
  rootMoves_.clear();
  PitMask rest = root.legal;
  for (std::size_t i = 0; i < root.edges; ++i) {
    const Edge edge = root.edge(i);
    RootMove move;
    move.pit = static_cast<std::uint8_t>(std::countr_zero(rest));
    rest &= rest - 1;
    move.visits = edge.visits;
    move.prior = edge.prior;
    const auto n = static_cast<float>(edge.visits);
    move.winLoss = edge.visits ? edge.winLossSum / n : own.winLoss(root.position.side);
    move.margin = edge.visits ? edge.marginSum / n : own.margin(root.position.side);
    rootMoves_.push_back(move);
  }
  return rootMoves_;
}

std::array<float, kMaxPits> Search::policyTarget() {
  const Node& root = tree_.node(Tree::kRoot);
  std::array<float, kMaxPits> byEdge{};
  if (params_.selection == Selection::Gumbel) {
    byEdge = improvedPolicy(gumbelNode(root, [this](const Edge& e) { return valueOf(e); }),
                            params_.gumbelVisit, params_.gumbelScale);
  } else {
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < root.edges; ++i) total += root.edgeVisits[i];
    for (std::size_t i = 0; i < root.edges; ++i)
      byEdge[i] = total ? static_cast<float>(root.edgeVisits[i]) / static_cast<float>(total)
                        : root.prior[i];
  }
  std::array<float, kMaxPits> byPit{};
  std::size_t i = 0;
  for (PitMask rest = root.legal; rest; rest &= rest - 1)
    byPit[static_cast<std::size_t>(std::countr_zero(rest))] = byEdge[i++];
  return byPit;
}

int Search::bestMove() {
  const auto moves = rootMoves();
  TOGUZ_CHECK(!moves.empty(), "the best move of a root that was never expanded");
  std::array<float, kMaxPits> score{};
  if (params_.selection == Selection::Gumbel) {
    const Node& root = tree_.node(Tree::kRoot);
    const auto logits =
        improvedLogits(gumbelNode(root, [this](const Edge& e) { return valueOf(e); }),
                       params_.gumbelVisit, params_.gumbelScale);
    for (std::size_t i = 0; i < moves.size(); ++i) score[i] = logits[i] + rootGumbel_[i];
  } else {
    for (std::size_t i = 0; i < moves.size(); ++i)
      score[i] =
          moves[i].visits ? moves[i].winLoss + marginScale_ * moves[i].margin : moves[i].prior;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < moves.size(); ++i)
    if (moves[i].visits > moves[best].visits ||
        (moves[i].visits == moves[best].visits && score[i] > score[best]))
      best = i;
  return moves[best].pit;
}

int Search::sampleMove(float temperature, Rng& rng) {
  const auto moves = rootMoves();
  if (params_.selection == Selection::Gumbel || temperature <= 0.01f) return bestMove();
  std::array<double, kMaxPits> weight{};
  std::uint32_t most = 0;
  for (const RootMove& move : moves) most = std::max(most, move.visits);
  double sum = 0;
  for (std::size_t i = 0; i < moves.size(); ++i)
    sum += weight[i] = most == 0 ? moves[i].prior
                                 : std::pow(static_cast<double>(moves[i].visits) / most,
                                            1.0 / static_cast<double>(temperature));
  double left = rng.uniform() * sum;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (weight[i] > 0 && (left -= weight[i]) < 0) return moves[i].pit;
  return bestMove();
}

std::vector<std::uint8_t> Search::principalVariation(int maxLength, std::optional<int> firstPit) {
  std::vector<std::uint8_t> line;
  NodeIndex at = Tree::kRoot;
  while (at != kNoNode && static_cast<int>(line.size()) < maxLength) {
    const Node node = copyOf(at);
    if (node.state != Node::State::Expanded) break;
    std::size_t best = 0;
    if (at == Tree::kRoot) {
      const int pit = firstPit ? *firstPit : bestMove();
      best = static_cast<std::size_t>(std::popcount(node.legal & ((1u << pit) - 1u)));
    } else {
      for (std::size_t i = 1; i < node.edges; ++i)
        if (node.edgeVisits[i] > node.edgeVisits[best]) best = i;
    }
    if (node.edgeVisits[best] == 0 && !(firstPit && at == Tree::kRoot)) break;
    PitMask rest = node.legal;
    for (std::size_t skip = best; skip > 0; --skip) rest &= rest - 1;
    line.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
    at = node.child[best];
  }
  return line;
}

}  // namespace toguz
