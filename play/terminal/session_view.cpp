// How a session looks: the board, the lines under it, the prompt.
#include "core/notation.h"
#include "core/state_json.h"
#include "play/terminal/session.h"

namespace toguz {

BoardScene Session::scene() const {
  BoardScene scene = sceneOf(game_.position());
  if (game_.over()) {
    // Leftovers are handed out: the board is as it is put away.
    const Outcome& outcome = game_.outcome();
    for (unsigned side = 0; side < 2; ++side) {
      if (outcome.kazan[side] == scene.position.kazan[side]) continue;
      scene.position.kazan[side] = static_cast<std::uint8_t>(outcome.kazan[side]);
      scene.position.board = {};
    }
  }
  if (!over()) {
    scene.toMove = game_.position().side;
    scene.legal = game_.legal();
  }
  if (game_.ply() > 0) {
    const Position& before = game_.positions()[static_cast<std::size_t>(game_.ply() - 1)];
    const int pit = game_.moves().back();
    Sowing sowing;
    toguz::play(game_.rules(), before, pit, &sowing);
    scene.from = index(before.side) * game_.rules().set().pits + pit;
    scene.last = sowing.last;
  }
  return scene;
}

BoardScene Session::sceneOf(const Position& position) const {
  BoardScene scene;
  scene.rules = game_.rules().set();
  scene.position = position;
  for (const Side side : {Side::First, Side::Second}) {
    std::string& name = scene.names[static_cast<unsigned>(index(side))];
    name = side == Side::First ? "First player" : "Second player";
    if (!personPlays(side))
      name += " (engine, level " + std::to_string(level_) + ")";
    else if (reader())
      name += " (you)";
  }
  return scene;
}

std::vector<std::string> Session::captions() const {
  std::vector<std::string> lines;
  const int pits = game_.rules().set().pits;
  if (game_.ply() > 0) {
    const BoardScene now = scene();
    const Position& before = game_.positions()[static_cast<std::size_t>(game_.ply() - 1)];
    lines.push_back("Last move: " + formatMove(game_.rules(), before, game_.moves().back(), true) +
                    " by " + address().who(before.side) + ", from (" +
                    std::to_string(now.from % pits + 1) + ") to [" +
                    std::to_string(now.last % pits + 1) + "].");
  }
  if (over()) {
    lines.push_back(std::string("The game is over: ") +
                    toguz::text(resigned_ ? winFor(opponent(*resigned_)) : game_.outcome().result) +
                    ".");
    return lines;
  }
  const Side side = game_.position().side;
  std::string turn = "Move " + std::to_string(fullmoveOf(game_, startFullmove_)) + ", " +
                     address().whose(side) +
                     (engineToMove() && paused_ ? " turn; it waits for 'go'." : " turn.");
  const std::string compulsion = compulsionText(game_, address());
  if (!compulsion.empty()) turn += " " + capitalised(compulsion) + ".";
  lines.push_back(turn);
  return lines;
}

std::string Session::prompt() const {
  if (over()) return "game over> ";
  if (engineToMove()) return "engine waits> ";
  if (reader()) return "your move> ";
  return game_.position().side == Side::First ? "first player> " : "second player> ";
}

}  // namespace toguz
