// A game under way: the position and the history that repetition and the ply cap need.
// Value type; not for sharing between threads. Checks every move (Error names what is wrong).
#pragma once

#include <vector>

#include "core/outcome.h"

namespace toguz {

class Game {
 public:
  static constexpr int kDefaultPlyCap = 600;

  explicit Game(const Rules& rules = Rules(), int plyCap = kDefaultPlyCap);
  // From any sound position (TOGUZ_CHECKed); the ply count starts at 0 there.
  Game(const Rules& rules, const Position& start, int plyCap = kDefaultPlyCap);

  const Rules& rules() const { return rules_; }
  int plyCap() const { return plyCap_; }
  const Position& start() const { return positions_.front(); }
  const Position& position() const { return positions_.back(); }
  // positions()[i] is the position before ply i; the last one is the current.
  const std::vector<Position>& positions() const { return positions_; }
  const std::vector<std::uint8_t>& moves() const { return moves_; }  // 0-based pits
  int ply() const { return static_cast<int>(moves_.size()); }

  bool over() const { return outcome_.over(); }
  const Outcome& outcome() const { return outcome_; }
  // No bit set once the game is over.
  PitMask legal() const { return over() ? 0 : legal_; }

  // Plays a 0-based pit. Throws UsageError if it is not legal or the game is over.
  Sowing play(int pit);
  void undo();  // takes the last move back; there must be one

  // Times the current position has occurred, itself included. Kazans only grow, so only the
  // positions since the last change of a kazan are looked at.
  int occurrences() const;
  // Index of the first position with the current kazans: history before it cannot repeat.
  int lastKazanChange() const;

 private:
  void refresh();

  Rules rules_;
  int plyCap_;
  std::vector<Position> positions_;
  std::vector<std::uint8_t> moves_;
  PitMask legal_ = 0;
  Outcome outcome_;
};

}  // namespace toguz
