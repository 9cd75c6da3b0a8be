// Choosing: which edge a walk follows, and what a finished search says of its root.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

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

float Search::exploration(std::uint32_t visits) const {
  const auto compute = [this](std::uint32_t n) {
    const double growth = portableLog(1.0 + static_cast<double>(n) / params_.cpuctBase);
    return (params_.cpuct + params_.cpuctLog * static_cast<float>(growth)) *
           std::sqrt(static_cast<float>(n > 1 ? n - 1 : 1));
  };
  if (visits >= kExplorationTable) return compute(visits);
  float& entry = explorationTable_[visits];
  if (entry == 0) entry = compute(visits);
  return entry;
}

std::uint32_t Search::selectPuct(const Node& node, bool atRoot) const {
  const auto edges = tree_.edgesOf(node);
  const auto visits = static_cast<float>(node.visits);
  const float explore = exploration(node.visits);
  float visitedMass = 0;
  for (const Edge& edge : edges)
    if (edge.visits) visitedMass += edge.prior;
  const float parent = utility(node.winLossSum, node.marginSum, visits);
  const float reduction = atRoot && limits_.noise ? 0.0f : params_.fpuReduction;
  const float unvisited = parent - reduction * std::sqrt(visitedMass);

  std::size_t best = 0;
  float bestScore = -1e30f;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const float prior = atRoot ? rootPrior_[i] : edge.prior;
    const float q = edge.visits ? valueOf(edge) : unvisited;
    const float score = q + explore * prior / (1.0f + static_cast<float>(edge.visits));
    if (score > bestScore) {
      bestScore = score;
      best = i;
    }
  }
  return node.firstEdge + static_cast<std::uint32_t>(best);
}

namespace {

template <class ValueOf>
GumbelNode gumbelNode(const Node& node, std::span<const Edge> edges, ValueOf&& valueOf) {
  GumbelNode view;
  view.size = static_cast<int>(edges.size());
  view.ownValue = 0.5f * (1.0f + node.value.winLoss(node.position.side));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    view.prior[i] = edges[i].prior;
    view.visits[i] = edges[i].visits;
    if (edges[i].visits) view.value[i] = 0.5f * (1.0f + valueOf(edges[i]));
  }
  return view;
}

}  // namespace

std::uint32_t Search::selectGumbelRoot(const Node& node) const {
  const auto edges = tree_.edgesOf(node);
  const GumbelNode view = gumbelNode(node, edges, [this](const Edge& e) { return valueOf(e); });
  const auto logits = improvedLogits(view, params_.gumbelVisit, params_.gumbelScale);
  const std::size_t simulation =
      std::min<std::size_t>(node.visits - 1, consideredVisits_.size() - 1);
  const std::uint32_t wanted = consideredVisits_[simulation];
  std::size_t best = edges.size();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].visits != wanted) continue;
    if (best == edges.size() || rootGumbel_[i] + logits[i] > rootGumbel_[best] + logits[best])
      best = i;
  }
  // The schedule always has a move of the wanted count while walks end in visits; a move with the
  // most visits stands in should the root be searched past its schedule.
  if (best == edges.size()) {
    best = 0;
    for (std::size_t i = 1; i < edges.size(); ++i)
      if (edges[i].visits > edges[best].visits) best = i;
  }
  return node.firstEdge + static_cast<std::uint32_t>(best);
}

std::uint32_t Search::selectGumbel(const Node& node) const {
  const auto edges = tree_.edgesOf(node);
  const GumbelNode view = gumbelNode(node, edges, [this](const Edge& e) { return valueOf(e); });
  const auto policy = improvedPolicy(view, params_.gumbelVisit, params_.gumbelScale);
  // Equation 14: the visit shares should follow the improved policy.
  std::size_t best = 0;
  float bestScore = -1e30f;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const float score =
        policy[i] - static_cast<float>(edges[i].visits) / static_cast<float>(node.visits);
    if (score > bestScore) {
      bestScore = score;
      best = i;
    }
  }
  return node.firstEdge + static_cast<std::uint32_t>(best);
}

std::span<const float> Search::rootPriors() const {
  return {rootPrior_.data(), tree_.node(Tree::kRoot).edges};
}

std::uint32_t Search::rootVisits() const {
  return tree_.node(Tree::kRoot).visits;
}

Value Search::rootValue() const {
  const Node& root = tree_.node(Tree::kRoot);
  TOGUZ_CHECK(root.visits > 0, "the value of a root that was never searched");
  const auto n = static_cast<float>(root.visits);
  return Value::forSide(root.position.side, root.winLossSum / n, root.marginSum / n);
}

Value Search::policyValue() const {
  const Node& root = tree_.node(Tree::kRoot);
  if (params_.selection == Selection::Puct || root.edges == 0) return rootValue();
  const auto edges = tree_.edgesOf(root);
  const GumbelNode view = gumbelNode(root, edges, [this](const Edge& e) { return valueOf(e); });
  const auto policy = improvedPolicy(view, params_.gumbelVisit, params_.gumbelScale);
  const float unvisited = 2 * mixedValue(view) - 1;
  float winLoss = 0, margin = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto n = static_cast<float>(edges[i].visits);
    winLoss += policy[i] * (edges[i].visits ? edges[i].winLossSum / n : unvisited);
    margin += policy[i] *
              (edges[i].visits ? edges[i].marginSum / n : root.value.margin(root.position.side));
  }
  return Value::forSide(root.position.side, winLoss, margin);
}

std::span<const RootMove> Search::rootMoves() {
  const Node& root = tree_.node(Tree::kRoot);
  const auto edges = tree_.edgesOf(root);
  const Value own = rootValue();
  rootMoves_.clear();
  PitMask rest = root.legal;
  for (const Edge& edge : edges) {
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
  const auto edges = tree_.edgesOf(root);
  std::array<float, kMaxPits> byEdge{};
  if (params_.selection == Selection::Gumbel) {
    byEdge = improvedPolicy(gumbelNode(root, edges, [this](const Edge& e) { return valueOf(e); }),
                            params_.gumbelVisit, params_.gumbelScale);
  } else {
    std::uint32_t total = 0;
    for (const Edge& edge : edges) total += edge.visits;
    for (std::size_t i = 0; i < edges.size(); ++i)
      byEdge[i] =
          total ? static_cast<float>(edges[i].visits) / static_cast<float>(total) : edges[i].prior;
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
    const auto logits = improvedLogits(
        gumbelNode(root, tree_.edgesOf(root), [this](const Edge& e) { return valueOf(e); }),
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

std::vector<std::uint8_t> Search::principalVariation(int maxLength) {
  std::vector<std::uint8_t> line;
  NodeIndex at = Tree::kRoot;
  while (at != kNoNode && static_cast<int>(line.size()) < maxLength) {
    const Node& node = tree_.node(at);
    if (node.state != Node::State::Expanded) break;
    const auto edges = tree_.edgesOf(node);
    std::size_t best = 0;
    if (at == Tree::kRoot) {
      const int pit = bestMove();
      best = static_cast<std::size_t>(std::popcount(node.legal & ((1u << pit) - 1u)));
    } else {
      for (std::size_t i = 1; i < edges.size(); ++i)
        if (edges[i].visits > edges[best].visits) best = i;
    }
    if (edges[best].visits == 0) break;
    PitMask rest = node.legal;
    for (std::size_t skip = best; skip > 0; --skip) rest &= rest - 1;
    line.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
    at = edges[best].child;
  }
  return line;
}

}  // namespace toguz
