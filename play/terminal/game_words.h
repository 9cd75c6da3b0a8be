// What happens in a game, in English sentences for a person who plays it. Nothing here knows a
// rule: the sentences come from positions, moves and outcomes. Free functions and a value type: any
// thread may use them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/game.h"

namespace toguz {

// How the players are called: "you" and "the engine" where one side alone is the reader's, else
// "the first player" and "the second player".
class Address {
 public:
  explicit Address(std::optional<Side> reader = std::nullopt) : reader_(reader) {}

  std::string who(Side side) const;    // "you"
  std::string whose(Side side) const;  // "your"
  // The verb's form with `who`: "play" for you, else "plays"; "have" and "has".
  std::string verb(Side side, const std::string& plain) const;
  bool isReader(Side side) const { return reader_ == side; }

 private:
  std::optional<Side> reader_;
};

std::string capitalised(std::string text);
std::string ballsText(int count);  // "1 ball", "12 balls"
// "3", "3 and 7", "3, 7 and 9": the pits of a mask, numbered from 1.
std::string pitsText(PitMask pits, const char* conjunction = "and");

// "You play 76(10): from pit 7 to pit 6 across, taking 10 balls." `pit` is 0-based and legal.
std::string describeMove(const Rules& rules, const Position& before, int pit,
                         const Address& address);

// Reads a move as a person types it, `7` or `76`, and returns its 0-based pit. Throws UsageError
// with a sentence that says why it cannot be played.
int readMove(const Game& game, std::string_view text, const Address& address);

// In giveaway, where some pits may not be played because others must: which may. Else empty.
std::string compulsionText(const Game& game, const Address& address);

// Why and how the game ended, and the final kazans. It must be over.
std::string describeEnd(const Game& game, const Address& address);
std::string kazansText(int first, int second, const Address& address);

// "Toguz Kumalak", "Bestemshe", ...
std::string gameName(const Rules& rules);

}  // namespace toguz
