#include "core/reference.h"

namespace toguz {
namespace {

// A board laid out for reading, not for speed: sides, pits and owners by name.
struct Table {
  int balls[2][kMaxPits] = {};
  int kazan[2] = {0, 0};
  int tuzdikPit[2] = {-1, -1};  // by owner: 0-based pit on the other side, -1 for none
};

Table lay(const RuleSet& rules, const Position& position) {
  Table table;
  for (int side = 0; side < 2; ++side) {
    for (int pit = 0; pit < rules.pits; ++pit)
      table.balls[side][pit] = position.pit(rules, static_cast<Side>(side), pit);
    table.kazan[side] = position.kazan[static_cast<unsigned>(side)];
    table.tuzdikPit[side] = position.tuzdikNumber(rules, static_cast<Side>(side)) - 1;
  }
  return table;
}

Position gather(const RuleSet& rules, const Table& table, Side side) {
  Position position;
  position.side = side;
  for (int owner = 0; owner < 2; ++owner) {
    const auto at = static_cast<unsigned>(owner);
    for (int pit = 0; pit < rules.pits; ++pit)
      position.board[static_cast<unsigned>(owner * rules.pits + pit)] =
          static_cast<std::uint8_t>(table.balls[owner][pit]);
    position.kazan[at] = static_cast<std::uint8_t>(table.kazan[owner]);
    if (table.tuzdikPit[owner] >= 0)
      position.tuzdik[at] =
          static_cast<std::uint8_t>((1 - owner) * rules.pits + table.tuzdikPit[owner]);
  }
  return position;
}

bool mayBecomeTuzdik(const RuleSet& rules, const Table& table, int mover, int pit) {
  if (!rules.tuzdik) return false;
  if (table.tuzdikPit[mover] != -1) return false;
  if (rules.barLastPit && pit == rules.pits - 1) return false;
  return table.tuzdikPit[1 - mover] != pit;
}

}  // namespace

Position playBallByBall(const RuleSet& rules, const Position& from, int pit, Sowing* sowing) {
  Table table = lay(rules, from);
  const int mover = index(from.side);
  int side = mover, at = pit;
  int hand = table.balls[side][at];
  table.balls[side][at] = 0;
  const auto stepOn = [&] {
    if (++at == rules.pits) {
      at = 0;
      side = 1 - side;
    }
  };
  const auto isTuzdik = [&] { return rules.tuzdik && table.tuzdikPit[1 - side] == at; };
  const bool startsAtOrigin = hand >= 2 && rules.sowOrigin;
  for (bool first = true; hand > 0; --hand, first = false) {
    if (!first || !startsAtOrigin) stepOn();
    if (isTuzdik())
      ++table.kazan[1 - side];
    else
      ++table.balls[side][at];
  }
  Sowing done;
  done.last = static_cast<std::uint8_t>(side * rules.pits + at);
  if (side != mover && !isTuzdik()) {
    int& count = table.balls[side][at];
    const bool even = count % 2 == 0 && (!rules.captureSinglesOnly || count == 2);
    const bool tuzdik = count == 3 && mayBecomeTuzdik(rules, table, mover, at);
    if (even || tuzdik) {
      done.captured = static_cast<std::uint8_t>(count);
      done.madeTuzdik = tuzdik;
      table.kazan[mover] += count;
      count = 0;
      if (tuzdik) table.tuzdikPit[mover] = at;
    }
  }
  if (sowing) *sowing = done;
  return gather(rules, table, opponent(from.side));
}

std::vector<int> legalPitsPlainly(const RuleSet& rules, const Position& position) {
  std::vector<int> filled, gaining;
  const auto mover = static_cast<unsigned>(index(position.side));
  for (int pit = 0; pit < rules.pits; ++pit) {
    if (position.pit(rules, position.side, pit) == 0) continue;
    filled.push_back(pit);
    if (playBallByBall(rules, position, pit).kazan[mover] > position.kazan[mover])
      gaining.push_back(pit);
  }
  return rules.giveaway && !gaining.empty() ? gaining : filled;
}

}  // namespace toguz
