#include "models/head.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace toguz {

void decodeHead(const float* raw, int pits, PitMask legal, Evaluation& out) {
  const HeadLayout layout{pits};
  out.policy.fill(0.0f);
  const float* logits = raw + layout.policy();
  float top = -INFINITY, sum = 0;
  for (PitMask rest = legal; rest; rest &= rest - 1)
    top = std::max(top, logits[std::countr_zero(rest)]);
  for (PitMask rest = legal; rest; rest &= rest - 1) {
    const auto pit = static_cast<unsigned>(std::countr_zero(rest));
    sum += out.policy[pit] = std::exp(logits[pit] - top);
  }
  if (sum > 0)
    for (float& p : out.policy) p /= sum;

  const float* outcome = raw + layout.outcome();
  const float best = std::max({outcome[0], outcome[1], outcome[2]});
  const float win = std::exp(outcome[0] - best), draw = std::exp(outcome[1] - best),
              loss = std::exp(outcome[2] - best);
  const float scale = 1.0f / (win + draw + loss);
  out.winLoss = (win - loss) * scale;
  out.draw = draw * scale;
  out.margin = kMarginUnit * raw[layout.margin()];
}

}  // namespace toguz
