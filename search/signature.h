// A number that stands for everything the search does: any change to selection, backing up, the
// rules or tree reuse changes it. Pinned by a test; the same on every build and machine.
#pragma once

#include <cstdint>

#include "core/rules.h"
#include "search/evaluator.h"

namespace toguz {

// Answers from a hash of the position by integer arithmetic and divisions alone: lively trees
// without a network.
class HashEvaluator final : public Evaluator {
 public:
  explicit HashEvaluator(const Rules& rules) : rules_(rules) {}
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override;

 private:
  Rules rules_;
};

struct Signature {
  std::uint64_t hash = 0;   // over visit counts, moves and values of every search
  std::uint64_t nodes = 0;  // walks made
};

// Plays `games` short games by search with tree reuse, `nodes` visits a move, `batch` leaves at a
// time.
Signature searchSignature(const Rules& rules, int games = 2, int nodes = 400, int batch = 1);

}  // namespace toguz
