// What the core tests share: positions from plain lists, the conformance files, random positions.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "core/game.h"

namespace toguz::test {

inline std::string dataPath(const std::string& name) {
  return std::string(TOGUZ_TEST_DATA) + "/" + name;
}

inline std::vector<std::string> linesOf(const std::string& name) {
  std::ifstream in(dataPath(name));
  if (!in) throw Error("no test data: " + dataPath(name));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::vector<nlohmann::json> jsonLines(const std::string& name) {
  std::vector<nlohmann::json> values;
  for (const std::string& line : linesOf(name)) values.push_back(nlohmann::json::parse(line));
  return values;
}

// The flat list of the conformance files: pits of both, kazans, t0, t1.
inline Position positionOf(const RuleSet& rules, const std::vector<int>& list, int turn) {
  const unsigned n = rules.pits;
  Position position;
  for (unsigned i = 0; i < 2 * n; ++i) position.board[i] = static_cast<std::uint8_t>(list.at(i));
  position.kazan = {static_cast<std::uint8_t>(list.at(2 * n)),
                    static_cast<std::uint8_t>(list.at(2 * n + 1))};
  if (const int t0 = list.at(2 * n + 2)) position.tuzdik[0] = static_cast<std::uint8_t>(n + t0 - 1);
  if (const int t1 = list.at(2 * n + 3)) position.tuzdik[1] = static_cast<std::uint8_t>(t1 - 1);
  position.side = turn == 0 ? Side::First : Side::Second;
  return position;
}

inline std::string legalText(const Game& game) {
  std::string text;
  for (int pit = 0; pit < game.rules().set().pits; ++pit)
    if (game.legal() >> pit & 1u) text += static_cast<char>('1' + pit);
  return text;
}

inline int randomPit(PitMask legal, Rng& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip)
    legal &= legal - 1;
  return std::countr_zero(legal);
}

// A sound position that no game need reach: any spread of balls, kazans and tuzdiks.
inline Position wildPosition(const RuleSet& rules, Rng& rng) {
  const unsigned n = rules.pits;
  Position position;
  position.side = rng.chance(0.5) ? Side::First : Side::Second;
  for (unsigned owner = 0; owner < 2 && rules.tuzdik; ++owner) {
    if (rng.chance(0.5)) continue;
    const unsigned pit = rng.below(rules.barLastPit ? n - 1 : n);
    if (owner == 1 && position.hasTuzdik(Side::First) && position.tuzdik[0] % n == pit) continue;
    position.tuzdik[owner] = static_cast<std::uint8_t>((1 - owner) * n + pit);
  }
  // Few places for many balls at times, so that full pits and empty rows occur.
  const unsigned places = 1 + rng.below(2 * n + 2);
  for (int ball = 0; ball < rules.total(); ++ball) {
    const unsigned place = rng.chance(0.7) ? rng.below(places) : rng.below(2 * n + 2);
    if (place >= 2 * n)
      ++position.kazan[place - 2 * n];
    else if (place == position.tuzdik[0] || place == position.tuzdik[1])
      ++position.kazan[place == position.tuzdik[0] ? 0 : 1];
    else
      ++position.board[place];
  }
  return position;
}

// Calls f(position, legal) for `count` positions: those of random games and, in turn with them,
// wild ones. `legal` is never empty.
template <class F>
void forRandomPositions(const Rules& rules, int count, std::uint64_t seed, F&& f) {
  Rng rng(seed);
  Game game(rules);
  for (int i = 0; i < count;) {
    if (game.over()) game = Game(rules);
    f(game.position(), game.legal());
    game.play(randomPit(game.legal(), rng));
    const Position wild = wildPosition(rules.set(), rng);
    if (const PitMask legal = legalMoves(rules, wild)) f(wild, legal);
    i += 2;
  }
}

}  // namespace toguz::test
