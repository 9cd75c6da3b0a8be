// A move ball by ball, to be shown. The rules are asked once (core/sow.h) and the way of the balls
// is read off their answer, so that no rule is stated twice.
#pragma once

#include <vector>

#include "core/sow.h"

namespace toguz {

struct SowingFrame {
  Position position;     // without the balls in hand: not a sound one
  int square = 0;        // ring square where something has just happened
  int inHand = 0;        // balls still to be sown
  bool capture = false;  // the balls there have just gone to the mover's kazan
};

// First the balls are taken up, then a frame a ball, then the capture or new tuzdik if there is
// one. The last frame's position is the one after the move, but for the side to move. `pit`
// (0-based) must hold a ball.
std::vector<SowingFrame> sowingFrames(const Rules& rules, const Position& before, int pit);

}  // namespace toguz
