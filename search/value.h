// The worth of a position, in a type that makes a sign error hard: it can be made and read only by
// naming the side whose view is meant. Internally kept from the first player's view.
#pragma once

#include "core/outcome.h"

namespace toguz {

class Value {
 public:
  Value() = default;
  // winLoss = P(win) - P(loss) in [-1, 1]; margin = expected final balls ahead; both for `side`.
  static Value forSide(Side side, float winLoss, float margin) {
    return side == Side::First ? Value(winLoss, margin) : Value(-winLoss, -margin);
  }
  static Value exact(const Outcome& outcome) {
    return Value(static_cast<float>(outcome.score(Side::First)),
                 static_cast<float>(outcome.margin(Side::First)));
  }
  float winLoss(Side side) const { return side == Side::First ? winLoss_ : -winLoss_; }
  float margin(Side side) const { return side == Side::First ? margin_ : -margin_; }

 private:
  Value(float winLoss, float margin) : winLoss_(winLoss), margin_(margin) {}
  float winLoss_ = 0;
  float margin_ = 0;
};

}  // namespace toguz
