// The parts of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by
// planning with Gumbel", ICLR 2022) that are arithmetic on one node's edges.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rules.h"

namespace toguz {

// One node's edges, as the formulas see them. Values are in [0, 1] for the side to move.
struct GumbelNode {
  int size = 0;
  std::array<float, kMaxPits> prior{};
  std::array<std::uint32_t, kMaxPits> visits{};
  std::array<float, kMaxPits> value{};  // read only where visits > 0
  float ownValue = 0;                   // the network's value of the node itself
};

// Equation 33 of the paper's appendix D: the value given to unvisited moves.
float mixedValue(const GumbelNode& node);
// log prior + sigma(completed value), by edge; sigma(q) = (cVisit + max visits) * cScale * q.
std::array<float, kMaxPits> improvedLogits(const GumbelNode& node, float cVisit, float cScale);
// Softmax of improvedLogits: the policy-improvement target.
std::array<float, kMaxPits> improvedPolicy(const GumbelNode& node, float cVisit, float cScale);

// Sequential halving as a schedule: at simulation i, only moves with exactly schedule[i] visits may
// be chosen. The number of rounds follows from the actual number of moves.
std::vector<std::uint32_t> consideredVisits(int moves, int simulations);

}  // namespace toguz
