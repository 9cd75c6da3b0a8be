// The built-in alpha-beta player: a conventional yardstick that needs no training. Iterative
// deepening, principal variation search, captures searched on past the horizon, a transposition
// table that verifies the whole position, moves ordered by table, gain, killers and history.
//
// The evaluation is the kazan difference and nothing else (reversed in giveaway, where fewer balls
// win); won, lost and drawn positions are exact, nearer wins and farther losses preferred. A
// position that recurs on the search path counts as a draw. An AlphaBeta belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "core/game.h"

namespace toguz {

struct AlphaBetaLimits {
  int depth = 0;          // plies searched in full; 0: no limit of depth (AlphaBeta::kMaxDepth)
  double movetimeMs = 0;  // 0: no limit of time; one of the two must be set
};

struct AlphaBetaResult {
  int pit = 0;    // 0-based
  int score = 0;  // for the side to move: balls ahead (in giveaway: behind), or a proven end
  int depth = 0;  // last depth of which at least the first move was searched in full
  std::uint64_t nodes = 0;  // positions looked at
  double seconds = 0;
  std::vector<std::uint8_t> pv;  // 0-based pits, `pit` first; may be cut short by the table

  bool provenWin() const;
  bool provenLoss() const;
};

class AlphaBeta {
 public:
  static constexpr int kMaxDepth = 64;
  // A win n plies on scores kWin - n, a loss -(kWin - n).
  static constexpr int kWin = 20000;
  static constexpr int kProven = kWin - 1000;

  struct Options {
    int tableBits = 18;  // 2^bits entries of 32 bytes; 0: no table
    // Plies of captures past the horizon; 0: none. Measured at 1 ms a move against none: standard
    // +24 +/- 23 Elo at 4, +25 at 8; giveaway +2 +/- 24 at 4, -48 +/- 28 at 8.
    int quiescenceDepth = 4;
  };

  explicit AlphaBeta(const Rules& rules) : AlphaBeta(rules, Options()) {}
  AlphaBeta(const Rules& rules, const Options& options);
  ~AlphaBeta();
  AlphaBeta(AlphaBeta&&) noexcept;
  AlphaBeta& operator=(AlphaBeta&&) noexcept;

  // Forgets everything learnt: what follows is as with a fresh object.
  void newGame();
  // The best move in `game`, which must not be over. Equal best moves are drawn from `rng`. With a
  // depth alone the result depends only on the searches since newGame and on `rng`.
  AlphaBetaResult search(const Game& game, const AlphaBetaLimits& limits, Rng& rng);

 private:
  struct Memory;
  Rules rules_;
  Options options_;
  std::unique_ptr<Memory> memory_;
};

inline bool AlphaBetaResult::provenWin() const {
  return score >= AlphaBeta::kProven;
}
inline bool AlphaBetaResult::provenLoss() const {
  return score <= -AlphaBeta::kProven;
}

}  // namespace toguz
