#include "core/game.h"

#include "base/error.h"

namespace toguz {

Game::Game(const Rules& rules, int plyCap) : Game(rules, Position::start(rules.set()), plyCap) {}

Game::Game(const Rules& rules, const Position& start, int plyCap) : rules_(rules), plyCap_(plyCap) {
  TOGUZ_CHECK(start.fault(rules.set()) == nullptr, "a game from an unsound position");
  positions_.push_back(start);
  refresh();
}

Sowing Game::play(int pit) {
  if (over()) throw UsageError("the game is over");
  if (pit < 0 || pit >= rules_.set().pits || !(legal_ >> pit & 1u))
    throw UsageError("pit " + std::to_string(pit + 1) + " is not a legal move");
  Sowing sowing;
  positions_.push_back(toguz::play(rules_, position(), pit, &sowing));
  moves_.push_back(static_cast<std::uint8_t>(pit));
  refresh();
  return sowing;
}

void Game::undo() {
  TOGUZ_CHECK(!moves_.empty(), "no move to take back");
  positions_.pop_back();
  moves_.pop_back();
  refresh();
}

int Game::lastKazanChange() const {
  std::size_t first = positions_.size() - 1;
  while (first > 0 && positions_[first - 1].kazan == position().kazan) --first;
  return static_cast<int>(first);
}

int Game::occurrences() const {
  int times = 0;
  const auto first = static_cast<std::size_t>(lastKazanChange());
  for (std::size_t i = positions_.size(); i-- > first;) times += positions_[i] == position();
  return times;
}

void Game::refresh() {
  EndReason reason = withRules(rules_, [&](const auto& r) { return endOfPosition(r, position()); });
  if (reason == EndReason::None && occurrences() >= 3) reason = EndReason::Repetition;
  if (reason == EndReason::None && ply() >= plyCap_) reason = EndReason::PlyCap;
  outcome_ = outcomeOf(rules_.set(), position(), reason);
  legal_ = over() ? 0 : legalMoves(rules_, position());
}

}  // namespace toguz
