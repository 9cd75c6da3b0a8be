#include "models/head.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace toguz {
namespace {

// e^x for x <= 0, to a unit in the last place. By additions and products alone (this file is
// compiled without fusing them), so that it is the same on every machine, which libraries' exp is
// not.
float expOf(float x) {
  if (!(x > -100.0f)) return 0.0f;  // below 4e-44: no policy or outcome is told from 0 there
  const double twos = static_cast<double>(x) * 1.4426950408889634;
  const double whole = std::nearbyint(twos);
  const double r = (twos - whole) * 0.6931471805599453;  // |r| <= 0.35
  double sum = 1.0 / 5040;
  for (const double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0})
    sum = sum * r + c;
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(whole) + 1023);
  return static_cast<float>(sum * std::bit_cast<double>(exponent << 52));
}

}  // namespace

void decodeHead(const float* raw, int pits, PitMask legal, Evaluation& out) {
  const HeadLayout layout{pits};
  out.policy.fill(0.0f);
  const float* logits = raw + layout.policy();
  float top = -INFINITY, sum = 0;
  for (PitMask rest = legal; rest; rest &= rest - 1)
    top = std::max(top, logits[std::countr_zero(rest)]);
  for (PitMask rest = legal; rest; rest &= rest - 1) {
    const auto pit = static_cast<unsigned>(std::countr_zero(rest));
    sum += out.policy[pit] = expOf(logits[pit] - top);
  }
  if (sum > 0)
    for (float& p : out.policy) p /= sum;

  const float* outcome = raw + layout.outcome();
  const float best = std::max({outcome[0], outcome[1], outcome[2]});
  const float win = expOf(outcome[0] - best), draw = expOf(outcome[1] - best),
              loss = expOf(outcome[2] - best);
  const float scale = 1.0f / (win + draw + loss);
  out.winLoss = (win - loss) * scale;
  out.draw = draw * scale;
  out.margin = kMarginUnit * raw[layout.margin()];
}

}  // namespace toguz
