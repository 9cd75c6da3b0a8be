#include "play/terminal/game_words.h"

#include <cctype>

#include "base/error.h"
#include "core/notation.h"

namespace toguz {
namespace {

constexpr Side kSides[] = {Side::First, Side::Second};

PitMask filled(const Game& game) {
  return withRules(game.rules(), [&](const auto& r) { return filledPits(r, game.position()); });
}

bool compelled(const Game& game) {
  return game.rules().set().giveaway && !game.over() && game.legal() != filled(game);
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string whyNot(const Game& game, int pit, const Address& address) {
  const Position& position = game.position();
  const RuleSet& set = game.rules().set();
  const Side side = position.side;
  const std::string name = "pit " + std::to_string(pit + 1);
  if (position.tuzdikNumber(set, opponent(side)) == pit + 1)
    return name + " is " + address.whose(opponent(side)) + " tuzdik and cannot be played";
  if (position.pit(set, side, pit) == 0) return name + " is empty";
  if (compelled(game)) return compulsionText(game, address) + "; " + name + " takes none";
  return name + " cannot be played";
}

}  // namespace

std::string Address::who(Side side) const {
  if (!reader_) return side == Side::First ? "the first player" : "the second player";
  return isReader(side) ? "you" : "the engine";
}

std::string Address::whose(Side side) const {
  return isReader(side) ? "your" : who(side) + "'s";
}

std::string Address::verb(Side side, const std::string& plain) const {
  if (isReader(side)) return plain;
  return plain == "have" ? "has" : plain + "s";
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string ballsText(int count) {
  return std::to_string(count) + (count == 1 ? " ball" : " balls");
}

std::string pitsText(PitMask pits, const char* conjunction) {
  std::string text;
  for (PitMask rest = pits; rest; rest &= rest - 1) {
    const bool last = (rest & (rest - 1)) == 0;
    if (!text.empty()) text += last ? std::string(" ") + conjunction + " " : ", ";
    text += std::to_string(std::countr_zero(rest) + 1);
  }
  return text;
}

std::string describeMove(const Rules& rules, const Position& before, int pit,
                         const Address& address) {
  Sowing sowing;
  const Position after = play(rules, before, pit, &sowing);
  const Side mover = before.side;
  const auto gain = [&](Side side) {
    const auto i = static_cast<unsigned>(index(side));
    return after.kazan[i] - before.kazan[i];
  };
  const int pits = rules.set().pits;
  const bool across = (sowing.last < pits) != (mover == Side::First);
  const std::string last = std::to_string(sowing.last % pits + 1);

  std::string text = capitalised(address.who(mover)) + " " + address.verb(mover, "play") + " " +
                     formatMove(rules, before, pit, sowing,
                                after.kazan[static_cast<unsigned>(index(mover))], true) +
                     ": from pit " + std::to_string(pit + 1) + " to pit " + last +
                     (across ? " across" : "");
  if (sowing.madeTuzdik)
    text +=
        ", which becomes " + address.whose(mover) + " tuzdik (" + ballsText(sowing.captured) + ")";
  else if (sowing.captured > 0)
    text += ", taking " + ballsText(sowing.captured);
  const auto dropped = [&](Side owner, int balls) {
    if (balls > 0)
      text += "; " + ballsText(balls) + (balls == 1 ? " falls" : " fall") + " into " +
              address.whose(owner) + " tuzdik";
  };
  dropped(mover, gain(mover) - sowing.captured);
  dropped(opponent(mover), gain(opponent(mover)));
  return text + ".";
}

int readMove(const Game& game, std::string_view text, const Address& address) {
  const int pits = game.rules().set().pits;
  std::size_t digits = 0;
  bool there = true;
  while (digits < text.size() && isDigit(text[digits])) {
    const int value = text[digits++] - '0';
    there = there && value >= 1 && value <= pits;
  }
  if (digits > 0 && (!there || digits > 2))
    throw UsageError("there are pits 1 to " + std::to_string(pits) +
                     "; a move is a pit, or a pit and the pit of its last ball");
  if (digits > 0 && !game.over() && !(game.legal() >> (text[0] - '1') & 1u))
    throw UsageError(whyNot(game, text[0] - '1', address));
  try {
    return parseMove(game, text, {.barePit = true});
  } catch (const UsageError& error) {
    // The sentence is about what the person has just typed: no need to quote it.
    const std::string prefix = "move " + inQuotes(text) + ": ";
    const std::string what = error.what();
    throw UsageError(what.starts_with(prefix) ? what.substr(prefix.size()) : what);
  }
}

std::string compulsionText(const Game& game, const Address& address) {
  if (!compelled(game)) return "";
  const Side side = game.position().side;
  const bool one = std::popcount(game.legal()) == 1;
  return "giveaway: " + address.who(side) + " must take balls where that is possible; " +
         (one ? "pit " : "pits ") + pitsText(game.legal()) + (one ? " does" : " do");
}

std::string kazansText(int first, int second, const Address& address) {
  return "kazans: " + address.who(Side::First) + " " + std::to_string(first) + ", " +
         address.who(Side::Second) + " " + std::to_string(second);
}

std::string describeEnd(const Game& game, const Address& address) {
  const Outcome& outcome = game.outcome();
  const Position& position = game.position();
  const RuleSet& set = game.rules().set();
  std::string text;
  switch (outcome.reason) {
    case EndReason::NoMoves: {
      const Side stuck = position.side;
      text = capitalised(address.who(stuck)) + " " + address.verb(stuck, "have") +
             " no ball left to play.";
      const int left = position.ballsOnBoard();
      for (const Side side : kSides) {
        const auto i = static_cast<unsigned>(index(side));
        if (outcome.kazan[i] > position.kazan[i])
          text += " The " + (left == 1 ? "ball" : std::to_string(left) + " balls") +
                  " left on the board " + (left == 1 ? "goes" : "go") + " to " +
                  address.whose(side) + " kazan.";
      }
      break;
    }
    case EndReason::Majority:
      for (const Side side : kSides) {
        const int kazan = position.kazan[static_cast<unsigned>(index(side))];
        if (kazan < set.majority()) continue;
        text = capitalised(address.whose(side)) + " kazan holds " + ballsText(kazan) +
               ", more than half of " + std::to_string(set.total()) +
               (set.giveaway ? ", which loses in giveaway." : ".");
      }
      break;
    case EndReason::Repetition:
      text = "The same position has come up for the third time.";
      break;
    case EndReason::PlyCap:
      text = "The game has reached its limit of " + std::to_string(game.plyCap()) +
             " moves, both players' counted.";
      break;
    case EndReason::None:
      break;
  }
  if (outcome.result == Result::Draw) {
    text += " The game is a draw.";
  } else {
    const Side winner = outcome.result == Result::FirstWins ? Side::First : Side::Second;
    text += " " + capitalised(address.who(winner)) + " " + address.verb(winner, "win") + ".";
  }
  return text + " Final " + kazansText(outcome.kazan[0], outcome.kazan[1], address) + ".";
}

std::string gameName(const Rules& rules) {
  switch (rules.kind()) {
    case Rules::Kind::Standard:
      return "Toguz Kumalak";
    case Rules::Kind::Giveaway:
      return "Giveaway Toguz Kumalak";
    case Rules::Kind::Bestemshe:
      return "Bestemshe";
    case Rules::Kind::Seven:
      return "Toguz Kumalak with 2x7 pits";
    case Rules::Kind::Dynamic:
      break;
  }
  return "Toguz Kumalak (" + rules.name() + ")";
}

}  // namespace toguz
