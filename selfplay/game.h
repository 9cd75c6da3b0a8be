// One self-play game as a state machine: it runs until it needs a leaf evaluated, hands that leaf
// out, and goes on when the answer comes. Belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>

#include "base/rng.h"
#include "search/search.h"
#include "selfplay/config.h"
#include "selfplay/game_record.h"

namespace toguz {

class SelfPlayGame {
 public:
  // `config` must outlive the game.
  SelfPlayGame(const Rules& rules, int plyCap, const SelfPlayConfig& config);

  // How a game starts. `progress` in [0, 1] is the run's; it sets the size of full searches.
  struct Start {
    std::uint64_t id = 0;
    std::uint64_t seed = 0;        // fixes every random choice of the game
    std::uint32_t generation = 0;  // of the network that will answer
    double progress = 0;
    std::optional<Position> forkedFrom;  // instead of the variant's start
  };
  void start(const Start& start);

  // The next position to evaluate, or nothing when the game is over. After a position, `answer`
  // must follow.
  bool nextLeaf(Position& leaf);
  void answer(const Evaluation& evaluation);
  bool active() const { return active_; }
  void prefetch() const { search_.prefetch(); }                        // what nextLeaf reads first
  std::uint64_t simulations() const { return search_.simulations(); }  // over all its games

  // The finished game; ends the activity.
  GameRecord take();
  const Game& game() const { return game_; }

 private:
  enum class Kind : std::uint8_t { Opening, Forced, Cheap, Full };

  void beginMove();
  void finishMove();
  int sampleOpening();
  double temperature() const;

  const SelfPlayConfig& config_;
  Game game_;
  Search search_;
  Rng rng_;
  GameRecord record_;
  bool active_ = false;
  bool searching_ = false;
  Kind kind_ = Kind::Full;
  std::uint32_t generation_ = 0;
  int fullNodes_ = 0;
  int openingPlies_ = 0;
  std::array<int, 2> wonTurns_{};  // moves in a row at which the search was sure of that side's win
  bool won_ = false;
};

}  // namespace toguz
