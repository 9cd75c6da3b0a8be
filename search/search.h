// Monte-Carlo tree search over a batched evaluator, as a step machine: the caller alternates
// `gather` (walk down, hand out the leaves to evaluate) and `provide` (walk back up), so that one
// thread can step many searches and evaluate all their leaves in one batch.
//
// Selection is PUCT (Silver et al. 2017, with the growing exploration rate of AlphaZero) or, at the
// root and below, Gumbel AlphaZero (Danihelka et al. 2022). A Search belongs to one thread at a
// time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "core/game.h"
#include "search/evaluator.h"
#include "search/tree.h"

namespace toguz {

enum class Selection : std::uint8_t { Puct, Gumbel };

struct SearchParams {
  Selection selection = Selection::Puct;
  // PUCT: c(n) = cpuct + cpuctLog * log((n + cpuctBase + 1) / cpuctBase).
  float cpuct = 1.25f;
  float cpuctLog = 1.0f;
  float cpuctBase = 5000.0f;
  // An unvisited child counts as the parent's value less this times sqrt(visited prior mass).
  float fpuReduction = 0.2f;
  // Gumbel: sigma(q) = (cVisit + max visits) * cScale * q, q in [0, 1].
  float gumbelVisit = 50.0f;
  float gumbelScale = 1.0f;
  // Each leaf in flight counts as this much lost on its path until it returns.
  float virtualLoss = 1.0f;
  // Weight of the expected margin in the value that selection maximises (in giveaway: of fewer
  // balls); balls are divided by the variant's total. Breaks ties among won or lost lines.
  float marginWeight = 0.0f;
};

// What makes one search differ from another at the same root.
struct SearchLimits {
  int nodes = 100;  // visits of the root at the end, those of a reused tree included
  // 0: one thread searches. Else gather and provide may be called by several threads at once, each
  // under flight numbers of its own, and the tree never has more nodes than this (nothing is
  // gathered beyond). PUCT only. Such a search does not repeat to the bit.
  std::size_t sharedNodes = 0;
  bool noise = false;       // root exploration noise: Dirichlet for PUCT, Gumbel for Gumbel
  float noiseAlpha = 1.1f;  // Dirichlet parameter of each move
  float noiseWeight = 0.25f;
};

struct RootMove {
  std::uint8_t pit = 0;
  std::uint32_t visits = 0;
  float prior = 0;    // without noise
  float winLoss = 0;  // for the side to move at the root; the parent's own value if unvisited
  float margin = 0;   // the same
};

class Search {
 public:
  Search(const Rules& rules, const SearchParams& params, std::uint64_t seed);
  void reseed(std::uint64_t seed) { rng_ = Rng(seed); }

  // Makes `game`'s position the root. The game must not be over. Drops the tree.
  void setRoot(const Game& game);
  // The game went on by these pits: keeps the subtree they lead to where there is one. `game` is
  // after them. Keeping takes time, see Tree::reroot; once `abandon` says true nothing is kept.
  void advance(const Game& game, std::span<const std::uint8_t> pits,
               const std::function<bool()>& abandon = {});
  void advance(const Game& game, int pit) {
    const auto one = static_cast<std::uint8_t>(pit);
    advance(game, {&one, 1});
  }
  const Rules& rules() const { return rules_; }

  // Starts a search at the root.
  void begin(const SearchLimits& limits);
  // Writes up to leaves.size() positions to evaluate and returns how many. Finished positions are
  // backed up on the way and take no evaluation, at most kMaxFinished of them a call. 0 when the
  // limit is reached (see done), when all further leaves wait for positions already handed out, or
  // when nothing but finished positions was met. Each non-empty gather must be answered by one
  // `provide` in the same order. Several gathers may be open at a time, each under a flight number
  // of its own (0..kMaxFlights-1), and be answered in any order. Gumbel gathers one leaf at a time:
  // its halving must not rank moves by half-known values.
  static constexpr int kMaxFlights = 256;
  static constexpr int kMaxFinished = 1024;
  int gather(std::span<Position> leaves, int flight = 0);
  void provide(std::span<const Evaluation> evaluations, int flight = 0);
  bool done() const;
  bool waiting() const { return inFlight() > 0; }  // for evaluations
  // Walks backed up since construction: the simulations that speed is counted in. Not while threads
  // share the search.
  std::uint64_t simulations() const;

  // Asks for what the next gather reads first to be brought near.
  void prefetch() const { tree_.node(Tree::kRoot).prefetch(); }

  // Runs a whole search on `evaluator`, `batch` leaves at a time.
  void run(const SearchLimits& limits, Evaluator& evaluator, int batch = 1);

  // After a search; rootMoves, rootVisits, rootValue, bestMove, principalVariation and nodesInTree
  // also during a shared one, by one of its threads. Moves in the order of pits.
  std::span<const RootMove> rootMoves();
  std::uint32_t rootVisits() const;
  // The priors that the walks from the root use, noise included, in the order of rootMoves().
  std::span<const float> rootPriors() const;
  Value rootValue();  // mean over all visits
  // The value of playing by policyTarget(): for Gumbel, where even bad moves are visited, the mean
  // under the improved policy; for PUCT the mean over visits.
  Value policyValue();
  // Visit shares (PUCT) or the improved policy (Gumbel), by pit; sums to 1. The training target.
  std::array<float, kMaxPits> policyTarget();
  // The move to play: most visits with ties by value (PUCT), the survivor of the halving (Gumbel).
  int bestMove();
  // Samples by visits^(1/temperature) for PUCT; Gumbel explores by its noise, so it plays its best.
  int sampleMove(float temperature, Rng& rng);
  // From the best move on, or from `firstPit`, a legal one, whether visited or not.
  std::vector<std::uint8_t> principalVariation(int maxLength = 20,
                                               std::optional<int> firstPit = std::nullopt);
  std::size_t nodesInTree() const { return tree_.size(); }

 private:
  struct Step {
    NodeIndex node;
    std::uint32_t edge;
  };
  static constexpr std::uint32_t kNoBranch = ~std::uint32_t{0};
  struct Leaf {  // in flight
    NodeIndex node;
    std::uint32_t parent;  // the branch that leads to it, if several walks are in one flight
  };
  // Walks of one flight that take the same edge, and what they brought, from the first player's
  // view.
  struct Branch {
    NodeIndex node;
    std::uint32_t edge;
    std::uint32_t parent;
    std::uint32_t walks;
    float winLoss;
    float margin;
  };
  struct Flight {             // the leaves of one gather
    std::vector<Step> steps;  // of the walk under way
    std::vector<Leaf> leaves;
    std::vector<Branch> branches;
    bool many = false;              // gathered as branches
    std::uint64_t simulations = 0;  // backed up so far; stays when the flight ends
    void add(std::uint32_t branch, float winLoss, float margin) {
      if (branch == kNoBranch) return;
      branches[branch].winLoss += winLoss;
      branches[branch].margin += margin;
    }
  };
  enum class Descent : std::uint8_t { Leaf, BackedUp, Collision };

  template <class R>
  Descent descend(const R& rules, Flight& flight);
  // `counted`: the walk's visits and virtual losses are on its nodes already.
  void backUp(std::span<const Step> path, NodeIndex leaf, bool counted, Flight& flight);
  // Returns how many of the walks met a leaf that waits already, or no room; those are taken back.
  template <bool kShared, class R>
  std::uint32_t spread(const R& rules, NodeIndex at, std::uint32_t walks, std::uint32_t parent,
                       Flight& flight);
  template <bool kShared>
  void settle(Flight& flight);
  template <bool kShared>
  void settleFinished(const Value& value, std::uint32_t walks, std::uint32_t branch,
                      Flight& flight);
  template <bool kShared, class R>
  void gatherMany(const R& rules, std::size_t wanted, Flight& flight);
  template <bool kShared>
  void provideMany(std::span<const Evaluation> evaluations, Flight& flight);
  void countLoss(Node& node, std::uint32_t edge, std::int32_t walks) const {
    const float loss = params_.virtualLoss * static_cast<float>(walks);
    node.addVisits(walks);
    node.edgeVisits[edge] += static_cast<std::uint32_t>(walks);
    node.winLossSum -= loss;
    node.edgeWinLossSum[edge] -= loss;
  }
  template <bool kShared, class R>
  NodeIndex addChild(const R& rules, NodeIndex parent, std::uint32_t edge,
                     std::span<const Step> path);
  bool thirdOccurrence(const Position& position, std::span<const Step> path) const;
  std::uint32_t select(const Node& node, bool atRoot) const {
    if (params_.selection == Selection::Puct) return selectPuct(node, atRoot);
    return atRoot ? selectGumbelRoot(node) : selectGumbel(node);
  }
  std::uint32_t selectPuct(const Node& node, bool atRoot) const;
  std::uint32_t selectGumbelRoot(const Node& node) const;
  std::uint32_t selectGumbel(const Node& node) const;
  float utility(float winLossSum, float marginSum, float visits) const {
    return (winLossSum + marginScale_ * marginSum) / visits;
  }
  float valueOf(const Edge& edge) const {
    return utility(edge.winLossSum, edge.marginSum, static_cast<float>(edge.visits));
  }
  float exploration(std::uint32_t visits) const {  // c(n) * sqrt(n)
    return visits < kExplorationTable ? explorationTable_[visits] : computeExploration(visits);
  }
  float computeExploration(std::uint32_t visits) const;
  Node copyOf(NodeIndex at);  // as it is at one moment
  bool shared() const { return limits_.sharedNodes > 0; }
  int inFlight() const {
    return std::atomic_ref<int>(const_cast<int&>(inFlight_)).load(std::memory_order_relaxed);
  }
  void addInFlight(int more) {
    std::atomic_ref<int>(inFlight_).fetch_add(more, std::memory_order_relaxed);
  }
  void prepareRoot();

  Rules rules_;
  SearchParams params_;
  SearchLimits limits_;
  Rng rng_;
  Tree tree_;
  std::vector<Position> history_;  // before the root, since the last change of a kazan
  int rootPly_ = 0;
  int plyCap_ = Game::kDefaultPlyCap;
  float marginScale_ = 0;                     // marginWeight a ball, signed by the variant's aim
  std::array<float, kMaxPits> rootPrior_{};   // by edge, with noise
  std::array<float, kMaxPits> rootGumbel_{};  // by edge; 0 without noise
  std::vector<std::uint32_t> consideredVisits_;
  std::vector<Flight> flights_;
  int inFlight_ = 0;  // leaves over all flights
  std::vector<RootMove> rootMoves_;
  static constexpr std::uint32_t kExplorationTable = 4096;
  std::array<float, kExplorationTable> explorationTable_{};
};

}  // namespace toguz
