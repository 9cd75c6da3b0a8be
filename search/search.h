// Monte-Carlo tree search over a batched evaluator, as a step machine: the caller alternates
// `gather` (walk down, hand out the leaves to evaluate) and `provide` (walk back up), so that one
// thread can step many searches and evaluate all their leaves in one batch.
//
// Selection is PUCT (Silver et al. 2017, with the growing exploration rate of AlphaZero) or, at the
// root and below, Gumbel AlphaZero (Danihelka et al. 2022). A Search belongs to one thread at a
// time.
#pragma once

#include <array>
#include <cstdint>
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
  int nodes = 100;          // visits of the root at the end, those of a reused tree included
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
  // The game went on by `pit`: keeps that move's subtree where there is one. `game` is after it.
  void advance(const Game& game, int pit);
  const Rules& rules() const { return rules_; }

  // Starts a search at the root.
  void begin(const SearchLimits& limits);
  // Writes up to leaves.size() positions to evaluate and returns how many. Finished positions are
  // backed up on the way and take no evaluation, at most kMaxFinished of them a call. 0 when the
  // limit is reached (see done), when all further leaves wait for positions already handed out, or
  // when nothing but finished positions was met. Each non-empty gather must be answered by one
  // `provide` in the same order. Several gathers may be open at a time, each under a flight number
  // of its own (0..kMaxFlights-1), and be answered in any order: threads may share a search if they
  // hold a lock over each call and evaluate outside it. Gumbel gathers one leaf at a time: its
  // halving must not rank moves by half-known values.
  static constexpr int kMaxFlights = 256;
  static constexpr int kMaxFinished = 1024;
  int gather(std::span<Position> leaves, int flight = 0);
  void provide(std::span<const Evaluation> evaluations, int flight = 0);
  bool done() const;
  bool waiting() const { return inFlight_ > 0; }  // for evaluations
  // Walks backed up since construction: the simulations that speed is counted in.
  std::uint64_t simulations() const { return simulations_; }

  // Runs a whole search on `evaluator`, `batch` leaves at a time.
  void run(const SearchLimits& limits, Evaluator& evaluator, int batch = 1);

  // After a search. Moves in the order of pits.
  std::span<const RootMove> rootMoves();
  std::uint32_t rootVisits() const;
  // The priors that the walks from the root use, noise included, in the order of rootMoves().
  std::span<const float> rootPriors() const;
  Value rootValue() const;  // mean over all visits
  // The value of playing by policyTarget(): for Gumbel, where even bad moves are visited, the mean
  // under the improved policy; for PUCT the mean over visits.
  Value policyValue() const;
  // Visit shares (PUCT) or the improved policy (Gumbel), by pit; sums to 1. The training target.
  std::array<float, kMaxPits> policyTarget();
  // The move to play: most visits with ties by value (PUCT), the survivor of the halving (Gumbel).
  int bestMove();
  // Samples by visits^(1/temperature) for PUCT; Gumbel explores by its noise, so it plays its best.
  int sampleMove(float temperature, Rng& rng);
  std::vector<std::uint8_t> principalVariation(int maxLength = 20);
  std::size_t nodesInTree() const { return tree_.size(); }

 private:
  struct Step {
    NodeIndex node;
    std::uint32_t edge;
  };
  struct Walk {  // one leaf in flight
    std::uint32_t firstStep;
    std::uint32_t steps;
    NodeIndex leaf;
  };
  struct Flight {  // the leaves of one gather
    std::vector<Step> steps;
    std::vector<Walk> walks;
  };
  enum class Descent : std::uint8_t { Leaf, BackedUp, Collision };

  template <class R>
  Descent descend(const R& rules, Flight& flight);
  template <class R>
  NodeIndex addChild(const R& rules, NodeIndex parent, std::uint32_t edge,
                     std::span<const Step> path);
  bool thirdOccurrence(const Position& position, std::span<const Step> path) const;
  std::uint32_t selectPuct(const Node& node, bool atRoot) const;
  std::uint32_t selectGumbelRoot(const Node& node) const;
  std::uint32_t selectGumbel(const Node& node) const;
  float utility(float winLossSum, float marginSum, float visits) const {
    return (winLossSum + marginScale_ * marginSum) / visits;
  }
  float valueOf(const Edge& edge) const {
    return utility(edge.winLossSum, edge.marginSum, static_cast<float>(edge.visits));
  }
  float exploration(std::uint32_t visits) const;  // c(n) * sqrt(n)
  void backUp(std::span<const Step> path, NodeIndex leaf, bool wasInFlight);
  void prepareRoot();

  Rules rules_;
  SearchParams params_;
  SearchLimits limits_;
  Rng rng_;
  Tree tree_;
  std::vector<Position> history_;  // before the root, since the last change of a kazan
  int rootPly_ = 0;
  int plyCap_ = Game::kDefaultPlyCap;
  float marginScale_ = 0;  // marginWeight a ball, signed by the variant's aim
  std::uint64_t simulations_ = 0;
  std::array<float, kMaxPits> rootPrior_{};   // by edge, with noise
  std::array<float, kMaxPits> rootGumbel_{};  // by edge; 0 without noise
  std::vector<std::uint32_t> consideredVisits_;
  std::vector<Flight> flights_;
  int inFlight_ = 0;  // leaves over all flights
  std::vector<RootMove> rootMoves_;
  static constexpr std::uint32_t kExplorationTable = 256;
  mutable std::array<float, kExplorationTable> explorationTable_{};  // 0 = not yet computed
};

}  // namespace toguz
