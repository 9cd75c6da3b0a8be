#include "play/hint.h"

#include <bit>
#include <cstdio>
#include <vector>

#include "base/error.h"

namespace toguz {
namespace {

// A tuzdik goes on giving: as good as a capture of so many balls (by eye, for ranking alone).
constexpr int kTuzdikWorth = 13;
// Smaller changes of what can be captured are not worth words.
constexpr int kWorthSaying = 4;

int worth(const RuleSet& set, const Capture& capture) {
  return capture.tuzdik && !set.giveaway ? kTuzdikWorth : capture.balls;
}

int pitNumber(const RuleSet& set, unsigned square) {
  return static_cast<int>(square % set.pits) + 1;
}

Capture captureOf(const Rules& rules, const Position& position, int pit) {
  const RuleSet& set = rules.set();
  const auto mover = static_cast<std::size_t>(index(position.side));
  Sowing sowing;
  const Position after = play(rules, position, pit, &sowing);
  const int gain = after.kazan[mover] - position.kazan[mover];
  Capture capture;
  capture.balls = set.giveaway ? gain : sowing.captured;
  if (sowing.madeTuzdik) capture.tuzdik = pitNumber(set, sowing.last);
  if (capture.balls > 0) capture.pit = pit + 1;
  return capture;
}

struct Options {
  Capture best;
  PitMask tuzdiks = 0;  // pits of the other side that can be made a tuzdik
};

// What `side` could take if it were to move.
Options optionsOf(const Rules& rules, Position position, Side side) {
  const RuleSet& set = rules.set();
  position.side = side;
  Options options;
  if (endOfPosition(DynamicRules{rules.set()}, position) != EndReason::None) return options;
  bool first = true;
  for (PitMask rest = legalMoves(rules, position); rest; rest &= rest - 1) {
    const Capture capture = captureOf(rules, position, std::countr_zero(rest));
    if (capture.tuzdik) options.tuzdiks |= 1u << (capture.tuzdik - 1);
    const bool better = set.giveaway ? worth(set, capture) < worth(set, options.best)
                                     : worth(set, capture) > worth(set, options.best);
    if (first || better) options.best = capture;
    first = false;
  }
  return options;
}

std::string ballsText(int balls) {
  return std::to_string(balls) + (balls == 1 ? " ball" : " balls");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

std::string endText(const MoveFacts::End& end) {
  const std::string kazans = std::to_string(end.own) + " to " + std::to_string(end.other);
  if (end.score > 0) return "wins the game, " + kazans;
  if (end.score < 0) return "ends the game, lost " + kazans;
  return "ends the game as a draw, " + kazans;
}

// What the move does, the weightiest first.
std::vector<std::string> deeds(const RuleSet& rules, const MoveFacts& facts) {
  std::vector<std::string> parts;
  const Capture& capture = facts.capture;
  if (capture.tuzdik)
    parts.push_back("makes your opponent's pit " + std::to_string(capture.tuzdik) + " your tuzdik");
  if (rules.giveaway) {
    if (capture.pit && !capture.tuzdik)
      parts.push_back(
          (capture.balls == facts.chanceBefore.balls && !facts.only ? "takes only " : "takes ") +
          ballsText(capture.balls));
    if (facts.dangerAfter.pit)
      parts.push_back("makes your opponent take at least " + ballsText(facts.dangerAfter.balls));
    return parts;
  }
  if (capture.pit && !capture.tuzdik) {
    std::string text = "captures " + ballsText(capture.balls);
    if (capture.balls == facts.chanceBefore.balls && !facts.chanceBefore.tuzdik &&
        capture.balls >= kWorthSaying && !facts.only)
      text += ", the most there is";
    parts.push_back(text);
  }
  if (facts.preventedTuzdik)
    parts.push_back("keeps your opponent from making your pit " +
                    std::to_string(facts.preventedTuzdik) + " a tuzdik");
  const Capture& before = facts.dangerBefore;
  const Capture& after = facts.dangerAfter;
  if (!before.tuzdik && !after.tuzdik && before.balls - after.balls >= kWorthSaying)
    parts.push_back(after.pit ? "leaves your opponent " + ballsText(after.balls) +
                                    " to capture instead of " + std::to_string(before.balls)
                              : "saves the " + ballsText(before.balls) +
                                    " that your opponent could capture with pit " +
                                    std::to_string(before.pit));
  const Capture& chance = facts.chanceAfter;
  if (chance.tuzdik && facts.newChance)
    parts.push_back("threatens to make pit " + std::to_string(chance.tuzdik) +
                    " a tuzdik with pit " + std::to_string(chance.pit));
  else if (chance.balls >= kWorthSaying && facts.newChance)
    parts.push_back("threatens to capture " + ballsText(chance.balls) + " with pit " +
                    std::to_string(chance.pit));
  if (facts.intoOwnTuzdik)
    parts.push_back("drops " + ballsText(facts.intoOwnTuzdik) + " into your tuzdik");
  return parts;
}

}  // namespace

MoveFacts factsOf(const Game& game, int pit, const SearchReport* report) {
  TOGUZ_CHECK(pit >= 0 && (game.legal() >> pit & 1u) != 0, "facts of a move that is not legal");
  const Rules& rules = game.rules();
  const RuleSet& set = rules.set();
  const Position& before = game.position();
  const Side mover = before.side, other = opponent(mover);
  const auto m = static_cast<std::size_t>(index(mover)), o = 1 - m;

  MoveFacts facts;
  facts.pit = pit + 1;
  facts.only = std::popcount(game.legal()) == 1;
  facts.compelled = set.giveaway && game.legal() != filledPits(DynamicRules{set}, before);
  facts.capture = captureOf(rules, before, pit);

  Sowing sowing;
  const Position after = play(rules, before, pit, &sowing);
  facts.intoOwnTuzdik = after.kazan[m] - before.kazan[m] - sowing.captured;
  facts.intoOtherTuzdik = after.kazan[o] - before.kazan[o];
  Game next = game;
  next.play(pit);
  if (next.over())
    facts.end = {next.outcome().score(mover), next.outcome().kazan[m], next.outcome().kazan[o]};

  const Options dangerBefore = optionsOf(rules, before, other);
  const Options dangerAfter = next.over() ? Options{} : optionsOf(rules, after, other);
  facts.dangerBefore = dangerBefore.best;
  facts.dangerAfter = dangerAfter.best;
  if (const PitMask prevented = dangerBefore.tuzdiks & ~dangerAfter.tuzdiks;
      prevented && !dangerAfter.tuzdiks && !next.over())
    facts.preventedTuzdik = std::countr_zero(prevented) + 1;
  if (dangerAfter.tuzdiks) facts.endangered = std::countr_zero(dangerAfter.tuzdiks) + 1;
  facts.chanceBefore = optionsOf(rules, before, mover).best;
  if (!next.over()) facts.chanceAfter = optionsOf(rules, after, mover).best;
  if (const Capture& chance = facts.chanceAfter; chance.pit) {
    const bool filled = before.pit(set, mover, chance.pit - 1) > 0;
    facts.newChance =
        !filled || worth(set, captureOf(rules, before, chance.pit - 1)) < worth(set, chance);
  }

  if (!report) return facts;
  const auto rate = [](const RootMove& move) { return 50.0 * (1.0 + move.winLoss); };
  for (const RootMove& move : report->moves) {
    if (move.visits == 0) continue;
    if (move.pit == pit) {
      const double own = 0.5 * (set.total() + move.margin);
      facts.expected = {rate(move), own, set.total() - own};
    } else if (!facts.nextBest || rate(move) > facts.nextBestWinRate) {
      facts.nextBest = move.pit + 1;
      facts.nextBestWinRate = rate(move);
    }
  }
  return facts;
}

std::string explain(const RuleSet& rules, const MoveFacts& facts) {
  std::string text =
      "Play " + std::to_string(facts.pit) + (facts.only ? ", your only move: " : ": ");
  if (facts.end) return text + "it " + endText(*facts.end) + ".";

  std::vector<std::string> parts = deeds(rules, facts);
  constexpr std::size_t kMost = 3;  // a sentence that can be taken in
  if (parts.size() > kMost) parts.resize(kMost);
  const Capture& danger = facts.dangerAfter;
  bool dangerSaid = rules.giveaway;
  if (!parts.empty()) {
    text += "it " + joined(parts);
  } else if (danger.pit == 0) {
    text += "it leaves your opponent nothing to capture";
    dangerSaid = true;
  } else {
    text += "a quiet move";
  }
  text += '.';

  std::vector<std::string> outlook;
  if (!dangerSaid && facts.dangerBefore.balls > 0 && danger.pit == 0)
    outlook.push_back("your opponent can capture nothing at once");
  else if (!dangerSaid && danger.tuzdik)
    outlook.push_back("your opponent can then make your pit " + std::to_string(danger.tuzdik) +
                      " a tuzdik");
  else if (!dangerSaid && danger.pit)
    outlook.push_back("your opponent can then capture " + ballsText(danger.balls) + " at most" +
                      (facts.endangered
                           ? ", or make your pit " + std::to_string(facts.endangered) + " a tuzdik"
                           : ""));
  if (facts.expected) {
    char numbers[96];
    std::snprintf(numbers, sizeof numbers,
                  "the search gives you %.0f%% and about %.0f to %.0f balls",
                  facts.expected->winRate, facts.expected->own, facts.expected->other);
    outlook.push_back(numbers);
  }
  if (outlook.empty()) return text;
  std::string second = outlook[0];
  for (std::size_t i = 1; i < outlook.size(); ++i) second += "; " + outlook[i];
  second[0] = static_cast<char>(second[0] - 'a' + 'A');
  return text + " " + second + ".";
}

}  // namespace toguz
