#include "play/sowing_frames.h"

namespace toguz {

std::vector<SowingFrame> sowingFrames(const Rules& rules, const Position& before, int pit) {
  Sowing sowing;
  Position after = play(rules, before, pit, &sowing);
  after.side = before.side;
  const int pits = rules.set().pits;
  const int ring = 2 * pits;
  const int start = index(before.side) * pits + pit;
  const int balls = before.board[static_cast<unsigned>(start)];

  std::vector<SowingFrame> frames;
  SowingFrame frame{.position = before, .square = start, .inHand = balls};
  frame.position.board[static_cast<unsigned>(start)] = 0;
  frames.push_back(frame);
  while (frame.inHand > 0) {
    --frame.inHand;
    // Counted back from the last ball: whether the first one stays in its pit is the rules' affair.
    frame.square = ((sowing.last - frame.inHand) % ring + ring) % ring;
    bool taken = false;
    for (unsigned owner = 0; owner < 2; ++owner)
      if (before.tuzdik[owner] == frame.square) {
        ++frame.position.kazan[owner];
        taken = true;
      }
    if (!taken) ++frame.position.board[static_cast<unsigned>(frame.square)];
    frames.push_back(frame);
  }
  if (sowing.captured > 0)
    frames.push_back({.position = after, .square = sowing.last, .inHand = 0, .capture = true});
  return frames;
}

}  // namespace toguz
