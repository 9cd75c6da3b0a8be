// A position: the board, both kazans, both tuzdiks and the side to move. 32 bytes, trivially
// copyable, with every unused byte zero, so that equality and hashing may treat it as four words.
//
// Ring squares: first player's pits 1..N are squares 0..N-1, the second player's N..2N-1; sowing
// goes up the index modulo 2N. A "pit" in code is 0-based from its owner's left; text is 1-based.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/rules.h"

namespace toguz {

struct alignas(32) Position {
  static constexpr int kSquares = 24;  // room in `board`; squares from 2N on are always 0
  // Stands for "no tuzdik": a square that always holds 0.
  static constexpr std::uint8_t kNoSquare = 23;

  std::array<std::uint8_t, kSquares> board{};
  std::array<std::uint8_t, 2> kazan{};
  // Ring square that each player owns as a tuzdik (it lies on the other side), or kNoSquare.
  std::array<std::uint8_t, 2> tuzdik{kNoSquare, kNoSquare};
  Side side = Side::First;
  std::array<std::uint8_t, 3> zero{};

  static Position start(const RuleSet& rules);

  int pit(const RuleSet& rules, Side owner, int pit) const {
    return board[static_cast<unsigned>(index(owner) * rules.pits + pit)];
  }
  bool hasTuzdik(Side owner) const {
    return tuzdik[static_cast<unsigned>(index(owner))] != kNoSquare;
  }
  // Number 1..N of the opponent's pit that `owner` owns; 0 for none.
  int tuzdikNumber(const RuleSet& rules, Side owner) const;
  int ballsOnBoard() const;

  std::array<std::uint64_t, 4> words() const {
    return std::bit_cast<std::array<std::uint64_t, 4>>(*this);
  }
  std::uint64_t hash() const;
  bool operator==(const Position& other) const { return words() == other.words(); }

  // The same position with the players' names exchanged: every rule treats the two alike.
  Position swapped(const RuleSet& rules) const;
  // Null if sound under the rules; else what is wrong, in words (balls not conserved, a tuzdik
  // where none may be, ...).
  const char* fault(const RuleSet& rules) const;
};
static_assert(sizeof(Position) == 32);

}  // namespace toguz
