#include "core/position_text.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"

namespace toguz {
namespace {

struct Row {
  std::vector<int> balls;  // in the order of the text
  int tuzdik = -1;         // place in `balls`
};

[[noreturn]] void refuse(const std::string& reason) {
  throw UsageError("position text: " + reason);
}

bool digitsOnly(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int number(std::string_view text, int least, int most, const std::string& what) {
  std::int64_t value = 0;
  if (!digitsOnly(text) || !parseInt(text, value) || value < least || value > most)
    refuse(what + " " + inQuotes(text) + " is not a whole number from " + std::to_string(least) +
           " to " + std::to_string(most));
  return static_cast<int>(value);
}

Row parseRow(const RuleSet& rules, std::string_view text, const std::string& name) {
  Row row;
  for (const std::string& cell : split(text, ',')) {
    const std::string what = "the " + name + " row's cell";
    if (cell == "t") {
      if (row.tuzdik >= 0) refuse("two tuzdiks on the " + name + " row");
      row.tuzdik = static_cast<int>(row.balls.size());
      row.balls.push_back(0);
    } else if (cell.ends_with('S')) {
      row.balls.push_back(
          number(std::string_view(cell).substr(0, cell.size() - 1), 1, rules.total(), what));
    } else {
      if (!digitsOnly(cell))
        refuse(what + " " + inQuotes(cell) +
               " is none of: balls as 9S, a run of empty pits as 3, t");
      row.balls.insert(row.balls.end(), static_cast<std::size_t>(number(cell, 1, rules.pits, what)),
                       0);
    }
    if (row.balls.size() > rules.pits) break;
  }
  if (row.balls.size() != rules.pits)
    refuse("the " + name + " row has " + (row.balls.size() > rules.pits ? "more" : "fewer") +
           " than the variant's " + std::to_string(rules.pits) + " pits");
  return row;
}

std::string formatRow(const std::vector<int>& balls, int tuzdik) {
  std::string text;
  int run = 0;
  const auto append = [&](const std::string& cell) { text += (text.empty() ? "" : ",") + cell; };
  const auto flush = [&] {
    if (run > 0) append(std::to_string(run));
    run = 0;
  };
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (static_cast<int>(i) == tuzdik) {
      flush();
      append("t");
    } else if (balls[i] == 0) {
      ++run;
    } else {
      flush();
      append(std::to_string(balls[i]) + "S");
    }
  }
  flush();
  return text;
}

}  // namespace

std::string formatPosition(const Rules& rules, const Position& position, int fullmove) {
  const int n = rules.set().pits;
  std::vector<int> north, south;
  for (int i = 0; i < n; ++i) {
    south.push_back(position.pit(rules.set(), Side::First, i));
    north.push_back(position.pit(rules.set(), Side::Second, n - 1 - i));
  }
  const int onNorth = position.hasTuzdik(Side::First) ? 2 * n - 1 - position.tuzdik[0] : -1;
  const int onSouth = position.hasTuzdik(Side::Second) ? position.tuzdik[1] : -1;
  return formatRow(north, onNorth) + "/" + formatRow(south, onSouth) + " " +
         std::to_string(position.kazan[0]) + " " + std::to_string(position.kazan[1]) +
         (position.side == Side::First ? " S " : " N ") + std::to_string(fullmove);
}

PositionText parsePosition(const Rules& rules, std::string_view text) {
  const RuleSet& set = rules.set();
  const int n = set.pits;
  std::vector<std::string> fields;
  for (std::string& field : split(trim(text), ' '))
    if (!field.empty()) fields.push_back(std::move(field));
  if (fields.size() != 5)
    refuse("want five parts, as '9S,.../9S,... 0 0 S 1', but got " + std::to_string(fields.size()));
  const std::size_t slash = fields[0].find('/');
  if (slash == std::string::npos) refuse("no / between the north and the south row");
  const Row north = parseRow(set, std::string_view(fields[0]).substr(0, slash), "north");
  const Row south = parseRow(set, std::string_view(fields[0]).substr(slash + 1), "south");

  PositionText result;
  Position& position = result.position;
  for (int i = 0; i < n; ++i) {
    position.board[static_cast<unsigned>(i)] =
        static_cast<std::uint8_t>(south.balls[static_cast<unsigned>(i)]);
    position.board[static_cast<unsigned>(2 * n - 1 - i)] =
        static_cast<std::uint8_t>(north.balls[static_cast<unsigned>(i)]);
  }
  if (north.tuzdik >= 0) position.tuzdik[0] = static_cast<std::uint8_t>(2 * n - 1 - north.tuzdik);
  if (south.tuzdik >= 0) position.tuzdik[1] = static_cast<std::uint8_t>(south.tuzdik);
  for (unsigned side = 0; side < 2; ++side)
    position.kazan[side] = static_cast<std::uint8_t>(
        number(fields[1 + side], 0, set.total(),
               side == 0 ? "the first player's kazan" : "the second player's kazan"));
  if (fields[3] != "S" && fields[3] != "N")
    refuse("the side to move " + inQuotes(fields[3]) + " is neither S (first) nor N (second)");
  position.side = fields[3] == "S" ? Side::First : Side::Second;
  result.fullmove = number(fields[4], 1, 1'000'000, "the move number");
  if (const char* fault = position.fault(set)) refuse(fault);
  return result;
}

}  // namespace toguz
