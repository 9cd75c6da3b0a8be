#include "search/gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace toguz {

float mixedValue(const GumbelNode& node) {
  float priorMass = 0, weighted = 0;
  std::uint32_t total = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(node.size); ++i) {
    if (node.visits[i] == 0) continue;
    priorMass += node.prior[i];
    weighted += node.prior[i] * node.value[i];
    total += node.visits[i];
  }
  if (total == 0 || priorMass <= 0) return node.ownValue;
  const auto n = static_cast<float>(total);
  return (node.ownValue + n * weighted / priorMass) / (1 + n);
}

std::array<float, kMaxPits> improvedLogits(const GumbelNode& node, float cVisit, float cScale) {
  const float mixed = mixedValue(node);
  std::uint32_t most = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(node.size); ++i)
    most = std::max(most, node.visits[i]);
  const float scale = (cVisit + static_cast<float>(most)) * cScale;
  std::array<float, kMaxPits> logits{};
  for (unsigned i = 0; i < static_cast<unsigned>(node.size); ++i)
    logits[i] = std::log(std::max(node.prior[i], 1e-12f)) +
                scale * (node.visits[i] ? node.value[i] : mixed);
  return logits;
}

std::array<float, kMaxPits> improvedPolicy(const GumbelNode& node, float cVisit, float cScale) {
  std::array<float, kMaxPits> policy = improvedLogits(node, cVisit, cScale);
  const auto end = policy.begin() + node.size;
  const float top = *std::max_element(policy.begin(), end);
  float sum = 0;
  for (auto p = policy.begin(); p != end; ++p) sum += * p = std::exp(*p - top);
  for (auto p = policy.begin(); p != end; ++p) *p /= sum;
  return policy;
}

std::vector<std::uint32_t> consideredVisits(int moves, int simulations) {
  std::vector<std::uint32_t> schedule;
  if (moves <= 1) {
    for (int i = 0; i < simulations; ++i) schedule.push_back(static_cast<std::uint32_t>(i));
    return schedule;
  }
  const int rounds = std::bit_width(static_cast<unsigned>(moves - 1));  // ceil(log2(moves))
  std::vector<std::uint32_t> visits(static_cast<std::size_t>(moves), 0);
  int considered = moves;
  while (static_cast<int>(schedule.size()) < simulations) {
    const int extra = std::max(1, simulations / (rounds * considered));
    for (int e = 0; e < extra; ++e)
      for (int i = 0; i < considered; ++i)
        schedule.push_back(visits[static_cast<std::size_t>(i)]++);
    considered = std::max(2, considered / 2);
  }
  schedule.resize(static_cast<std::size_t>(simulations));
  return schedule;
}

}  // namespace toguz
