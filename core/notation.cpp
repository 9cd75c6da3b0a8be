#include "core/notation.h"

#include "base/error.h"
#include "base/text.h"

namespace toguz {
namespace {

struct Parsed {
  int from = 0;
  int to = 0;  // 0: not given
  bool mark = false;
  int score = -1;  // -1: not given
};

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw UsageError("move " + inQuotes(text) + ": " + reason);
}

// Length of a tuzdik mark at the start of `text`, 0 if there is none.
std::size_t markLength(std::string_view text) {
  for (const std::string_view mark : {"X", "x", "\xd0\xa5", "\xd1\x85"})
    if (text.starts_with(mark)) return mark.size();
  return 0;
}

int digit(std::string_view text) {
  return text.empty() || text[0] < '0' || text[0] > '9' ? -1 : text[0] - '0';
}

Parsed scan(std::string_view text, int pits, bool barePit) {
  const std::string wanted = barePit ? "want a pit number or two digits, as 7 or 76"
                                     : "want two digits, from-pit and pit of the last ball, as 76";
  std::string_view rest = text;
  Parsed parsed;
  const auto pitNumber = [&](int value) {
    if (value < 1 || value > pits)
      refuse(text, "there is no pit " + std::to_string(value) + " (pits are 1.." +
                       std::to_string(pits) + ")");
    rest.remove_prefix(1);
    return value;
  };
  if (digit(rest) < 0) refuse(text, wanted);
  parsed.from = pitNumber(digit(rest));
  if (rest.empty() && barePit) return parsed;
  if (digit(rest) < 0) refuse(text, wanted);
  parsed.to = pitNumber(digit(rest));
  if (const std::size_t length = markLength(rest)) {
    parsed.mark = true;
    rest.remove_prefix(length);
  }
  if (rest.starts_with('(')) {
    std::int64_t score = 0;
    const std::size_t close = rest.find(')');
    if (close == std::string_view::npos || !parseInt(trim(rest.substr(1, close - 1)), score) ||
        score < 0 || score > 1000)
      refuse(text, "a score is a whole number in parentheses, as (10)");
    parsed.score = static_cast<int>(score);
    rest.remove_prefix(close + 1);
  }
  if (!rest.empty()) refuse(text, "unexpected " + inQuotes(rest) + " after the move");
  return parsed;
}

std::string whyIllegal(const Rules& rules, const Position& position, int pit) {
  const RuleSet& set = rules.set();
  const std::string name = "pit " + std::to_string(pit + 1);
  if (position.tuzdikNumber(set, opponent(position.side)) == pit + 1)
    return name + " is the opponent's tuzdik and cannot be played";
  if (position.pit(set, position.side, pit) == 0) return name + " is empty";
  return name + " may not be played: a move that raises the mover's kazan is compulsory";
}

// Holds the redundant parts of `parsed` against what the move does.
void check(const Rules& rules, const Position& position, std::string_view text,
           const Parsed& parsed, bool needMark) {
  Sowing sowing;
  const Position after = play(rules, position, parsed.from - 1, &sowing);
  const int last = sowing.last % rules.set().pits + 1;
  if (parsed.to != last)
    refuse(text, "the last ball falls in pit " + std::to_string(last) + ", not " +
                     std::to_string(parsed.to));
  if (parsed.mark && !sowing.madeTuzdik) refuse(text, "no tuzdik is made, but it is marked");
  if (needMark && !parsed.mark && sowing.madeTuzdik)
    refuse(text, "a tuzdik is made, but it is not marked");
  if (parsed.score < 0) return;
  if (sowing.captured == 0 || sowing.madeTuzdik)
    refuse(text, "a score is given, but there is no even capture");
  const int kazan = after.kazan[static_cast<unsigned>(index(position.side))];
  if (parsed.score != kazan)
    refuse(text, "the mover's kazan is " + std::to_string(kazan) + " after it, not " +
                     std::to_string(parsed.score));
}

int parseLegal(const Rules& rules, const Position& position, std::string_view text,
               MoveSyntax syntax, PitMask legal) {
  const Parsed parsed = scan(text, rules.set().pits, syntax.barePit);
  if (!(legal >> (parsed.from - 1) & 1u))
    refuse(text, whyIllegal(rules, position, parsed.from - 1));
  if (parsed.to != 0) check(rules, position, text, parsed, syntax.needMark);
  return parsed.from - 1;
}

}  // namespace

std::string formatMove(const Rules& rules, const Position& position, int pit, bool withScore) {
  Sowing sowing;
  const Position after = play(rules, position, pit, &sowing);
  return formatMove(rules, position, pit, sowing,
                    after.kazan[static_cast<unsigned>(index(position.side))], withScore);
}

std::string formatMove(const Rules& rules, const Position& before, int pit, const Sowing& sowing,
                       int kazanAfter, bool withScore) {
  const int pits = rules.set().pits;
  TOGUZ_CHECK(pit >= 0 && pit < pits && before.pit(rules.set(), before.side, pit) > 0,
              "the text of a move from an empty pit");
  std::string text = std::to_string(pit + 1) + std::to_string(sowing.last % pits + 1);
  if (sowing.madeTuzdik)
    text += 'X';
  else if (withScore && sowing.captured > 0)
    text.append("(").append(std::to_string(kazanAfter)).append(")");
  return text;
}

int parseMove(const Rules& rules, const Position& position, std::string_view text,
              MoveSyntax syntax) {
  const EndReason end = withRules(rules, [&](const auto& r) { return endOfPosition(r, position); });
  if (end != EndReason::None)
    refuse(text, std::string("the game is over (") + toguz::text(end) + ")");
  return parseLegal(rules, position, text, syntax, legalMoves(rules, position));
}

int parseMove(const Game& game, std::string_view text, MoveSyntax syntax) {
  if (game.over())
    refuse(text, std::string("the game is over (") + toguz::text(game.outcome().reason) + ")");
  return parseLegal(game.rules(), game.position(), text, syntax, game.legal());
}

std::string inQuotes(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kMost))
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  // A cut inside a UTF-8 character would leave half of it.
  if (text.size() > kMost)
    while ((static_cast<unsigned char>(out.back()) & 0x80) != 0) out.pop_back();
  return out + (text.size() > kMost ? "...'" : "'");
}

}  // namespace toguz
