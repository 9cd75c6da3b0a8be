// What the search knows of a network: nothing but this interface.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "search/value.h"

namespace toguz {

struct Evaluation {
  // Probability of each pit of the side to move; 0 on every illegal pit, the rest summing to 1.
  std::array<float, kMaxPits> policy{};
  float winLoss = 0;  // P(win) - P(loss) for the side to move
  float draw = 0;     // P(draw)
  float margin = 0;   // expected final balls ahead, for the side to move

  Value value(Side sideToMove) const { return Value::forSide(sideToMove, winLoss, margin); }
};

// Evaluates batches of positions of one variant. An object belongs to one thread at a time; make
// one a thread. None of the positions may be finished.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // positions.size() == out.size(); any size from 1 up.
  virtual void evaluate(std::span<const Position> positions, std::span<Evaluation> out) = 0;
};

// Uniform policy, level value: the evaluator of tests.
class UniformEvaluator final : public Evaluator {
 public:
  explicit UniformEvaluator(const Rules& rules) : rules_(rules) {}
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override;

 private:
  Rules rules_;
};

}  // namespace toguz
