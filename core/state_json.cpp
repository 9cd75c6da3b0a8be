#include "core/state_json.h"

#include <algorithm>
#include <vector>

#include "core/position_text.h"

namespace toguz {
namespace {

std::string list(const std::vector<int>& values) {
  std::string text = "[";
  for (const int value : values) {
    if (text.size() > 1) text += ',';
    text += std::to_string(value);
  }
  return text + "]";
}

std::string textOrNull(bool present, const char* text) {
  return present ? '"' + std::string(text) + '"' : "null";
}

}  // namespace

int fullmoveOf(const Game& game, int startFullmove) {
  return startFullmove + (game.ply() + index(game.start().side)) / 2;
}

std::string stateJson(const Game& game, int startFullmove) {
  const RuleSet& rules = game.rules().set();
  Position shown = game.position();
  if (game.outcome().reason == EndReason::NoMoves) {
    std::fill(shown.board.begin(), shown.board.end(), std::uint8_t{0});
    for (unsigned side = 0; side < 2; ++side)
      shown.kazan[side] = static_cast<std::uint8_t>(game.outcome().kazan[side]);
  }
  std::vector<int> pits[2], legal;
  for (int pit = 0; pit < rules.pits; ++pit) {
    pits[0].push_back(shown.pit(rules, Side::First, pit));
    pits[1].push_back(shown.pit(rules, Side::Second, pit));
    if (game.legal() >> pit & 1u) legal.push_back(pit + 1);
  }
  const bool over = game.over();
  return "{\"variant\":\"" + game.rules().name() + "\",\"fen\":\"" +
         formatPosition(game.rules(), shown, fullmoveOf(game, startFullmove)) + "\",\"pits\":[" +
         list(pits[0]) + "," + list(pits[1]) +
         "],\"kazan\":" + list({shown.kazan[0], shown.kazan[1]}) + ",\"tuzdik\":" +
         list({shown.tuzdikNumber(rules, Side::First), shown.tuzdikNumber(rules, Side::Second)}) +
         ",\"turn\":" + std::to_string(index(shown.side)) + ",\"legal\":" + list(legal) +
         ",\"over\":" + (over ? "true" : "false") +
         ",\"reason\":" + textOrNull(over, text(game.outcome().reason)) +
         ",\"result\":" + textOrNull(over, text(game.outcome().result)) + "}";
}

}  // namespace toguz
