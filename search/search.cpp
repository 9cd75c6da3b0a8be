#include "search/search.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "search/gumbel.h"

namespace toguz {

Search::Search(const Rules& rules, const SearchParams& params, std::uint64_t seed)
    : rules_(rules), params_(params), rng_(seed), flights_(1) {
  const float aim = rules.set().giveaway ? -1.0f : 1.0f;
  marginScale_ = aim * params.marginWeight / static_cast<float>(rules.set().total());
  for (std::uint32_t n = 0; n < kExplorationTable; ++n)
    explorationTable_[n] = computeExploration(n);
}

void Search::setRoot(const Game& game) {
  TOGUZ_CHECK(!game.over(), "a search from a finished game");
  TOGUZ_CHECK(game.rules() == rules_, "a search over a game of other rules");
  tree_.clear();
  tree_.reserveMore(1);
  Node& root = tree_.node(tree_.add(game.position()));
  root.legal = static_cast<std::uint16_t>(game.legal());
  const auto& positions = game.positions();
  history_.assign(positions.begin() + game.lastKazanChange(), positions.end() - 1);
  rootPly_ = game.ply();
  plyCap_ = game.plyCap();
  for (Flight& flight : flights_) {
    flight.leaves.clear();
    flight.branches.clear();
  }
  inFlight_ = 0;
  limits_.sharedNodes = 0;
}

void Search::advance(const Game& game, std::span<const std::uint8_t> pits,
                     const std::function<bool()>& abandon) {
  TOGUZ_CHECK(!waiting(), "advancing with leaves in flight");
  NodeIndex at = tree_.empty() ? kNoNode : Tree::kRoot;
  for (const std::uint8_t pit : pits) {
    if (at == kNoNode) break;
    const Node& node = tree_.node(at);
    if (node.state != Node::State::Expanded || !(node.legal >> pit & 1u)) {
      at = kNoNode;
      break;
    }
    at = node.child[static_cast<std::size_t>(std::popcount(node.legal & ((1u << pit) - 1u)))];
  }
  if (at == kNoNode || tree_.node(at).state != Node::State::Expanded ||
      !(tree_.node(at).position == game.position()) || !tree_.reroot(at, abandon))
    return setRoot(game);
  const auto& positions = game.positions();
  history_.assign(positions.begin() + game.lastKazanChange(), positions.end() - 1);
  rootPly_ = game.ply();
}

void Search::begin(const SearchLimits& limits) {
  TOGUZ_CHECK(!tree_.empty(), "a search without a root");
  TOGUZ_CHECK(limits.nodes >= 1, "a search of no nodes");
  TOGUZ_CHECK(!waiting(), "a new search with leaves in flight");
  // The halving counts fresh visits: a tree that brings its own cannot be gone on with.
  if (params_.selection == Selection::Gumbel && tree_.node(Tree::kRoot).visits > 1) {
    const Node root = tree_.node(Tree::kRoot);
    tree_.clear();
    Node& fresh = tree_.node(tree_.add(root.position));
    fresh.legal = root.legal;
  }
  limits_ = limits;
  if (shared()) {
    TOGUZ_CHECK(params_.selection == Selection::Puct, "threads share a search by PUCT alone");
    tree_.reserve(limits.sharedNodes);
    flights_.resize(kMaxFlights);
  } else {
    constexpr int kAhead = 4096;
    tree_.reserveMore(static_cast<std::size_t>(std::min(limits.nodes, kAhead)) + 1);
  }
  if (tree_.node(Tree::kRoot).state == Node::State::Expanded) prepareRoot();
}

void Search::prepareRoot() {
  const Node& root = tree_.node(Tree::kRoot);
  rootGumbel_.fill(0);
  rootPrior_ = root.prior;
  if (params_.selection == Selection::Gumbel) {
    if (limits_.noise)
      for (std::size_t i = 0; i < root.edges; ++i)
        rootGumbel_[i] = static_cast<float>(rng_.gumbel());
    consideredVisits_ = consideredVisits(root.edges, std::max(1, limits_.nodes - 1));
  } else if (limits_.noise && root.edges > 1) {
    std::array<double, kMaxPits> noise{};
    dirichlet(rng_, limits_.noiseAlpha, {noise.data(), root.edges});
    for (std::size_t i = 0; i < root.edges; ++i)
      rootPrior_[i] = (1 - limits_.noiseWeight) * root.prior[i] +
                      limits_.noiseWeight * static_cast<float>(noise[i]);
  }
}

bool Search::thirdOccurrence(const Position& position, std::span<const Step> path) const {
  int earlier = 0;
  for (std::size_t i = path.size(); i-- > 0;) {
    const Position& before = tree_.node(path[i].node).position;
    if (before.kazan != position.kazan) return false;
    if (before == position && ++earlier == 2) return true;
  }
  for (std::size_t i = history_.size(); i-- > 0;) {
    if (history_[i].kazan != position.kazan) return false;
    if (history_[i] == position && ++earlier == 2) return true;
  }
  return false;
}

template <bool kShared, class R>
NodeIndex Search::addChild(const R& rules, NodeIndex parent, std::uint32_t edge,
                           std::span<const Step> path) {
  const Node& from = tree_.node(parent);
  PitMask rest = from.legal;
  for (std::uint32_t skip = edge; skip > 0; --skip) rest &= rest - 1;
  const Position position = play(rules, from.position, std::countr_zero(rest));

  EndReason reason = endOfPosition(rules, position);
  if (reason == EndReason::None && thirdOccurrence(position, path)) reason = EndReason::Repetition;
  const int depth = static_cast<int>(path.size());
  if (reason == EndReason::None && rootPly_ + depth >= plyCap_) reason = EndReason::PlyCap;

  const NodeIndex at = kShared ? tree_.addShared(position) : tree_.add(position);
  if (at == kNoNode) return at;
  Node& node = tree_.node(at);
  if (reason != EndReason::None) {
    node.state = Node::State::Finished;
    node.value = Value::exact(outcomeOf(rules.set(), position, reason));
  } else {
    node.legal = static_cast<std::uint16_t>(legalMoves(rules, position));
  }
  tree_.node(parent).child[edge] = at;
  return at;
}

// One leaf at a time.

template <class R>
Search::Descent Search::descend(const R& rules, Flight& flight) {
  std::vector<Step>& path = flight.steps;
  path.clear();
  NodeIndex at = Tree::kRoot;
  for (;;) {
    const Node& node = tree_.node(at);
    if (node.state == Node::State::Finished) {
      backUp(path, at, false, flight);
      return Descent::BackedUp;
    }
    if (node.state == Node::State::Waiting) return Descent::Collision;
    if (node.state == Node::State::New) break;
    const std::uint32_t edge = select(node, at == Tree::kRoot);
    path.push_back({at, edge});
    const NodeIndex child = node.child[edge];
    if (child != kNoNode) tree_.node(child).prefetch();
    at = child != kNoNode ? child : addChild<false>(rules, at, edge, path);
  }
  // A leaf to evaluate. Its path counts it, as a loss, from now on.
  for (const Step& step : path) countLoss(tree_.node(step.node), step.edge, 1);
  Node& leaf = tree_.node(at);
  leaf.state = Node::State::Waiting;
  leaf.addVisits(1);
  flight.leaves.push_back({at, kNoBranch});
  return Descent::Leaf;
}

void Search::backUp(std::span<const Step> path, NodeIndex at, bool counted, Flight& flight) {
  Node& leaf = tree_.node(at);
  const Value value = leaf.value;
  leaf.winLossSum += value.winLoss(leaf.position.side);
  leaf.marginSum += value.margin(leaf.position.side);
  const float loss = counted ? params_.virtualLoss : 0.0f;
  const std::int32_t visit = counted ? 0 : 1;
  leaf.addVisits(visit);
  for (const Step& step : path) {
    Node& node = tree_.node(step.node);
    const float winLoss = value.winLoss(node.position.side);
    const float margin = value.margin(node.position.side);
    node.addVisits(visit);
    node.winLossSum += winLoss + loss;
    node.marginSum += margin;
    node.edgeVisits[step.edge] += static_cast<std::uint32_t>(visit);
    node.edgeWinLossSum[step.edge] += winLoss + loss;
    node.edgeMarginSum[step.edge] += margin;
  }
  ++flight.simulations;
}

// Many leaves at once: `walks` walks go through a node together and part where it selects
// different moves, one selection after the other, as they would have on their own. Each node is
// held once on the way down and once on the way up, however many walks pass: with threads on one
// tree the nodes near the root would else be what they wait for.

template <bool kShared, class R>
std::uint32_t Search::spread(const R& rules, NodeIndex at, std::uint32_t walks,
                             std::uint32_t parent, Flight& flight) {
  Node& node = tree_.node(at);
  std::array<std::uint32_t, kMaxPits> tally{};
  std::array<NodeIndex, kMaxPits> children;
  std::size_t edges = 0;
  bool finished = false;
  {
    const NodeLock<kShared> lock(node);
    switch (node.state) {
      case Node::State::Finished:
        node.addVisits(static_cast<std::int32_t>(walks));
        node.winLossSum += static_cast<float>(walks) * node.value.winLoss(node.position.side);
        node.marginSum += static_cast<float>(walks) * node.value.margin(node.position.side);
        finished = true;
        break;
      case Node::State::Waiting:
        return walks;
      case Node::State::New:
        node.state = Node::State::Waiting;
        node.addVisits(1);
        flight.leaves.push_back({at, parent});
        return walks - 1;
      case Node::State::Expanded:
        break;
    }
    for (std::uint32_t walk = 0; !finished && walk < walks; ++walk) {
      const std::uint32_t edge = select(node, at == Tree::kRoot);
      ++tally[edge];
      countLoss(node, edge, 1);
    }
    edges = finished ? 0 : node.edges;
    for (std::uint32_t edge = 0; edge < edges; ++edge) {
      if (tally[edge] == 0) continue;
      if (node.child[edge] == kNoNode) {
        flight.steps.push_back({at, edge});
        addChild<kShared>(rules, at, edge, flight.steps);
        flight.steps.pop_back();
      }
      children[edge] = node.child[edge];
      if (children[edge] != kNoNode) tree_.node(children[edge]).prefetch();
    }
  }
  if (finished) {
    settleFinished<kShared>(node.value, walks, parent, flight);
    return 0;
  }
  std::uint32_t lost = 0;
  for (std::uint32_t edge = 0; edge < edges; ++edge) {
    if (tally[edge] == 0) continue;
    const auto branch = static_cast<std::uint32_t>(flight.branches.size());
    flight.branches.push_back({at, edge, parent, tally[edge], 0, 0});
    flight.steps.push_back({at, edge});
    const std::uint32_t back =
        children[edge] == kNoNode
            ? tally[edge]  // no room for the child
            : spread<kShared>(rules, children[edge], tally[edge], branch, flight);
    flight.steps.pop_back();
    if (back == 0) continue;
    const NodeLock<kShared> lock(node);
    countLoss(node, edge, -static_cast<std::int32_t>(back));
    flight.branches[branch].walks -= back;
    lost += back;
  }
  return lost;
}

// An outcome is known at once, and the next walk must see it: where lines end, walks would else
// follow the prior.
template <bool kShared>
void Search::settleFinished(const Value& value, std::uint32_t walks, std::uint32_t branch,
                            Flight& flight) {
  const auto n = static_cast<float>(walks);
  for (; branch != kNoBranch; branch = flight.branches[branch].parent) {
    flight.branches[branch].walks -= walks;
    Node& node = tree_.node(flight.branches[branch].node);
    const std::uint32_t edge = flight.branches[branch].edge;
    const float winLoss = n * (value.winLoss(node.position.side) + params_.virtualLoss);
    const float margin = n * value.margin(node.position.side);
    const NodeLock<kShared> lock(node);
    node.winLossSum += winLoss;
    node.marginSum += margin;
    node.edgeWinLossSum[edge] += winLoss;
    node.edgeMarginSum[edge] += margin;
  }
  flight.simulations += walks;
}

template <bool kShared>
void Search::settle(Flight& flight) {
  // Children come after their parents.
  for (std::size_t i = flight.branches.size(); i-- > 0;) {
    const Branch& branch = flight.branches[i];
    if (branch.walks == 0) continue;
    Node& node = tree_.node(branch.node);
    const float sign = node.position.side == Side::First ? 1.0f : -1.0f;
    const float winLoss =
        sign * branch.winLoss + params_.virtualLoss * static_cast<float>(branch.walks);
    const float margin = sign * branch.margin;
    {
      const NodeLock<kShared> lock(node);
      node.winLossSum += winLoss;
      node.marginSum += margin;
      node.edgeWinLossSum[branch.edge] += winLoss;
      node.edgeMarginSum[branch.edge] += margin;
    }
    flight.add(branch.parent, branch.winLoss, branch.margin);
  }
  flight.branches.clear();
}

template <bool kShared, class R>
void Search::gatherMany(const R& rules, std::size_t wanted, Flight& flight) {
  flight.steps.clear();
  const std::uint64_t before = flight.simulations;
  while (flight.leaves.size() < wanted && flight.simulations - before < kMaxFinished) {
    const std::uint32_t visits = tree_.node(Tree::kRoot).visitsNow();
    const auto limit = static_cast<std::uint32_t>(limits_.nodes);
    if (visits >= limit) break;
    const auto walks = static_cast<std::uint32_t>(
        std::min<std::size_t>(wanted - flight.leaves.size(), limit - visits));
    // Nodes must not move under the walks; each adds one at most.
    if constexpr (!kShared) tree_.reserveMore(walks);
    if (spread<kShared>(rules, Tree::kRoot, walks, kNoBranch, flight) > 0) break;
  }
  if (flight.leaves.empty()) flight.branches.clear();
}

template <bool kShared>
void Search::provideMany(std::span<const Evaluation> evaluations, Flight& flight) {
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    Node& leaf = tree_.node(flight.leaves[i].node);
    const Value value = evaluations[i].value(leaf.position.side);
    {
      const NodeLock<kShared> lock(leaf);
      leaf.value = value;
      leaf.winLossSum += value.winLoss(leaf.position.side);
      leaf.marginSum += value.margin(leaf.position.side);
      tree_.expand(leaf, evaluations[i].policy);
      if (flight.leaves[i].node == Tree::kRoot) prepareRoot();
    }
    flight.add(flight.leaves[i].parent, value.winLoss(Side::First), value.margin(Side::First));
  }
  flight.simulations += evaluations.size();
  settle<kShared>(flight);
}

int Search::gather(std::span<Position> leaves, int number) {
  TOGUZ_CHECK(number >= 0 && number < kMaxFlights, "a flight number out of range");
  if (flights_.size() <= static_cast<std::size_t>(number))
    flights_.resize(static_cast<std::size_t>(number) + 1);
  Flight& flight = flights_[static_cast<std::size_t>(number)];
  TOGUZ_CHECK(flight.leaves.empty(), "a second gather before the first was answered");
  if (params_.selection == Selection::Gumbel)
    leaves = waiting() ? leaves.first(0) : leaves.first(1);
  flight.many = shared() || leaves.size() > 1;
  withRules(rules_, [&](const auto& rules) {
    if (shared()) return gatherMany<true>(rules, leaves.size(), flight);
    if (flight.many) return gatherMany<false>(rules, leaves.size(), flight);
    if (leaves.empty()) return;
    for (int finished = 0; finished < kMaxFinished && tree_.node(Tree::kRoot).visits <
                                                          static_cast<std::uint32_t>(limits_.nodes);
         ++finished)
      if (descend(rules, flight) != Descent::BackedUp) break;
  });
  for (std::size_t i = 0; i < flight.leaves.size(); ++i)
    leaves[i] = tree_.node(flight.leaves[i].node).position;
  const auto count = static_cast<int>(flight.leaves.size());
  addInFlight(count);
  return count;
}

void Search::provide(std::span<const Evaluation> evaluations, int number) {
  Flight& flight = flights_[static_cast<std::size_t>(number)];
  TOGUZ_CHECK(evaluations.size() == flight.leaves.size(),
              "not as many evaluations as leaves were handed out");
  if (shared()) {
    provideMany<true>(evaluations, flight);
  } else if (flight.many) {
    provideMany<false>(evaluations, flight);
  } else if (!evaluations.empty()) {
    const NodeIndex at = flight.leaves.front().node;
    Node& leaf = tree_.node(at);
    leaf.value = evaluations.front().value(leaf.position.side);
    tree_.expand(leaf, evaluations.front().policy);
    backUp(flight.steps, at, true, flight);
    if (at == Tree::kRoot) prepareRoot();
  }
  addInFlight(-static_cast<int>(evaluations.size()));
  flight.leaves.clear();
}

bool Search::done() const {
  return !waiting() &&
         tree_.node(Tree::kRoot).visitsNow() >= static_cast<std::uint32_t>(limits_.nodes);
}

std::uint64_t Search::simulations() const {
  std::uint64_t sum = 0;
  for (const Flight& flight : flights_) sum += flight.simulations;
  return sum;
}

void Search::run(const SearchLimits& limits, Evaluator& evaluator, int batch) {
  std::vector<Position> leaves(static_cast<std::size_t>(std::max(1, batch)));
  std::vector<Evaluation> evaluations(leaves.size());
  begin(limits);
  while (!done()) {
    const auto count = static_cast<std::size_t>(gather(leaves));
    if (count == 0) continue;
    const std::span<Evaluation> answers(evaluations.data(), count);
    evaluator.evaluate(std::span<const Position>(leaves.data(), count), answers);
    provide(answers);
  }
}

}  // namespace toguz
