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
    flight.steps.clear();
    flight.walks.clear();
  }
  inFlight_ = 0;
}

void Search::advance(const Game& game, int pit) {
  TOGUZ_CHECK(inFlight_ == 0, "advancing with leaves in flight");
  NodeIndex child = kNoNode;
  if (!tree_.empty()) {
    const Node& root = tree_.node(Tree::kRoot);
    if (root.state == Node::State::Expanded && (root.legal >> pit & 1u)) {
      const int at = std::popcount(root.legal & ((1u << pit) - 1u));
      child = tree_.edgesOf(root)[static_cast<std::size_t>(at)].child;
    }
  }
  if (child == kNoNode || tree_.node(child).state != Node::State::Expanded ||
      !(tree_.node(child).position == game.position()))
    return setRoot(game);
  tree_.reroot(child);
  const auto& positions = game.positions();
  history_.assign(positions.begin() + game.lastKazanChange(), positions.end() - 1);
  rootPly_ = game.ply();
}

void Search::begin(const SearchLimits& limits) {
  TOGUZ_CHECK(!tree_.empty(), "a search without a root");
  TOGUZ_CHECK(limits.nodes >= 1, "a search of no nodes");
  TOGUZ_CHECK(inFlight_ == 0, "a new search with leaves in flight");
  // The halving counts fresh visits: a tree that brings its own cannot be gone on with.
  if (params_.selection == Selection::Gumbel && tree_.node(Tree::kRoot).visits > 1) {
    const Node root = tree_.node(Tree::kRoot);
    tree_.clear();
    Node& fresh = tree_.node(tree_.add(root.position));
    fresh.legal = root.legal;
  }
  limits_ = limits;
  constexpr int kAhead = 4096;
  tree_.reserveMore(static_cast<std::size_t>(std::min(limits.nodes, kAhead)) + 1);
  if (tree_.node(Tree::kRoot).state == Node::State::Expanded) prepareRoot();
}

void Search::prepareRoot() {
  const Node& root = tree_.node(Tree::kRoot);
  const auto edges = tree_.edgesOf(root);
  rootGumbel_.fill(0);
  for (std::size_t i = 0; i < edges.size(); ++i) rootPrior_[i] = edges[i].prior;
  if (params_.selection == Selection::Gumbel) {
    if (limits_.noise)
      for (std::size_t i = 0; i < edges.size(); ++i)
        rootGumbel_[i] = static_cast<float>(rng_.gumbel());
    consideredVisits_ = consideredVisits(root.edges, std::max(1, limits_.nodes - 1));
  } else if (limits_.noise && edges.size() > 1) {
    std::array<double, kMaxPits> noise{};
    dirichlet(rng_, limits_.noiseAlpha, {noise.data(), edges.size()});
    for (std::size_t i = 0; i < edges.size(); ++i)
      rootPrior_[i] = (1 - limits_.noiseWeight) * edges[i].prior +
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

template <class R>
NodeIndex Search::addChild(const R& rules, NodeIndex parent, std::uint32_t edge,
                           std::span<const Step> path) {
  const Node& from = tree_.node(parent);
  PitMask rest = from.legal;
  for (std::uint32_t skip = edge - from.firstEdge; skip > 0; --skip) rest &= rest - 1;
  const Position position = play(rules, from.position, std::countr_zero(rest));

  EndReason reason = endOfPosition(rules, position);
  if (reason == EndReason::None && thirdOccurrence(position, path)) reason = EndReason::Repetition;
  const int depth = static_cast<int>(path.size());
  if (reason == EndReason::None && rootPly_ + depth >= plyCap_) reason = EndReason::PlyCap;

  tree_.reserveMore(1);
  const NodeIndex at = tree_.add(position);
  tree_.edge(edge).child = at;
  Node& node = tree_.node(at);
  if (reason != EndReason::None) {
    node.state = Node::State::Finished;
    node.value = Value::exact(outcomeOf(rules.set(), position, reason));
  } else {
    node.legal = static_cast<std::uint16_t>(legalMoves(rules, position));
  }
  return at;
}

template <class R>
Search::Descent Search::descend(const R& rules, Flight& flight) {
  std::vector<Step>& steps = flight.steps;
  const std::size_t firstStep = steps.size();
  const auto path = [&] { return std::span<const Step>(steps).subspan(firstStep); };
  NodeIndex at = Tree::kRoot;
  for (;;) {
    const Node& node = tree_.node(at);
    if (node.state == Node::State::Finished) {
      backUp(path(), at, false);
      steps.resize(firstStep);
      return Descent::BackedUp;
    }
    if (node.state == Node::State::Waiting) {
      steps.resize(firstStep);
      return Descent::Collision;
    }
    if (node.state == Node::State::New) break;
    const bool atRoot = at == Tree::kRoot;
    std::uint32_t edge;
    if (params_.selection == Selection::Gumbel)
      edge = atRoot ? selectGumbelRoot(node) : selectGumbel(node);
    else
      edge = selectPuct(node, atRoot);
    steps.push_back({at, edge});
    const NodeIndex child = tree_.edge(edge).child;
    at = child != kNoNode ? child : addChild(rules, at, edge, path());
  }
  // A leaf to evaluate. Its path counts it, as a loss, from now on.
  for (const Step& step : path()) {
    Node& node = tree_.node(step.node);
    Edge& edge = tree_.edge(step.edge);
    ++node.visits;
    ++edge.visits;
    node.winLossSum -= params_.virtualLoss;
    edge.winLossSum -= params_.virtualLoss;
  }
  Node& leaf = tree_.node(at);
  leaf.state = Node::State::Waiting;
  ++leaf.visits;
  flight.walks.push_back({static_cast<std::uint32_t>(firstStep),
                          static_cast<std::uint32_t>(steps.size() - firstStep), at});
  ++inFlight_;
  return Descent::Leaf;
}

void Search::backUp(std::span<const Step> path, NodeIndex at, bool wasInFlight) {
  Node& leaf = tree_.node(at);
  const Value value = leaf.value;
  leaf.winLossSum += value.winLoss(leaf.position.side);
  leaf.marginSum += value.margin(leaf.position.side);
  const float loss = wasInFlight ? params_.virtualLoss : 0.0f;
  const std::uint32_t visit = wasInFlight ? 0 : 1;
  leaf.visits += visit;
  for (const Step& step : path) {
    Node& node = tree_.node(step.node);
    Edge& edge = tree_.edge(step.edge);
    const float winLoss = value.winLoss(node.position.side);
    const float margin = value.margin(node.position.side);
    node.visits += visit;
    node.winLossSum += winLoss + loss;
    node.marginSum += margin;
    edge.visits += visit;
    edge.winLossSum += winLoss + loss;
    edge.marginSum += margin;
  }
  ++simulations_;
}

int Search::gather(std::span<Position> leaves, int number) {
  TOGUZ_CHECK(number >= 0 && number < kMaxFlights, "a flight number out of range");
  if (flights_.size() <= static_cast<std::size_t>(number))
    flights_.resize(static_cast<std::size_t>(number) + 1);
  Flight& flight = flights_[static_cast<std::size_t>(number)];
  TOGUZ_CHECK(flight.walks.empty(), "a second gather before the first was answered");
  if (params_.selection == Selection::Gumbel)
    leaves = inFlight_ ? leaves.first(0) : leaves.first(1);
  return withRules(rules_, [&](const auto& rules) {
    std::size_t count = 0;
    int finished = 0;
    while (count < leaves.size() && finished < kMaxFinished &&
           tree_.node(Tree::kRoot).visits < static_cast<std::uint32_t>(limits_.nodes)) {
      const Descent descent = descend(rules, flight);
      if (descent == Descent::Collision) break;
      if (descent == Descent::Leaf)
        leaves[count++] = tree_.node(flight.walks.back().leaf).position;
      else
        ++finished;
    }
    return static_cast<int>(count);
  });
}

void Search::provide(std::span<const Evaluation> evaluations, int number) {
  Flight& flight = flights_[static_cast<std::size_t>(number)];
  TOGUZ_CHECK(evaluations.size() == flight.walks.size(),
              "not as many evaluations as leaves were handed out");
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const Walk walk = flight.walks[i];
    Node& leaf = tree_.node(walk.leaf);
    leaf.value = evaluations[i].value(leaf.position.side);
    tree_.expand(walk.leaf, evaluations[i].policy);
    backUp({flight.steps.data() + walk.firstStep, walk.steps}, walk.leaf, true);
    if (walk.leaf == Tree::kRoot) prepareRoot();
  }
  inFlight_ -= static_cast<int>(evaluations.size());
  flight.steps.clear();
  flight.walks.clear();
}

bool Search::done() const {
  return inFlight_ == 0 &&
         tree_.node(Tree::kRoot).visits >= static_cast<std::uint32_t>(limits_.nodes);
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
