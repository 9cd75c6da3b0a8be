#include "training/losses.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "models/model.h"

namespace toguz {
namespace {

// Softmax over the first `count` of `logits` whose bit is set in `mask`; returns the log of the
// sum, so that log p = logit - it. Unset entries of `p` are 0.
float softmax(const float* logits, int count, std::uint32_t mask, float* p) {
  float top = -INFINITY, sum = 0;
  for (int i = 0; i < count; ++i)
    if (mask >> i & 1u) top = std::max(top, logits[i]);
  for (int i = 0; i < count; ++i) sum += p[i] = mask >> i & 1u ? std::exp(logits[i] - top) : 0.0f;
  for (int i = 0; i < count; ++i) p[i] /= sum;
  return top + std::log(sum);
}

bool hasPolicy(const TrainingRow& row) {
  return std::any_of(row.policy.begin(), row.policy.end(), [](auto share) { return share != 0; });
}

// One row's losses; `g` (null for none) receives the gradient, and the `per...` factors turn a term
// into its share of the batch's total.
class RowLosses {
 public:
  RowLosses(const TrainingRow& row, const float* raw, int pits, float* g)
      : row_(row), raw_(raw), g_(g), layout_{pits}, weight_(row.weight / 255.0) {}

  void policy(PitMask legal, double share, LossSums& sums) {
    float p[kMaxPits];
    const float* logits = raw_ + layout_.policy();
    const float logSum = softmax(logits, layout_.pits, legal, p);
    double total = 0;
    for (PitMask rest = legal; rest; rest &= rest - 1) total += target(rest);
    double entropy = 0, loss = 0;
    for (PitMask rest = legal; rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      const double logP = static_cast<double>(logits[pit]) - static_cast<double>(logSum);
      const double t = target(rest) / total;
      // A logit of -inf is a fault of the network and must show, so it is not multiplied away.
      if (t > 0 || !std::isfinite(logits[pit])) loss -= t * logP;
      if (p[pit] > 0) entropy -= static_cast<double>(p[pit]) * logP;
      if (g_)
        g_[layout_.policy() + pit] =
            static_cast<float>(share * weight_ * (static_cast<double>(p[pit]) - t));
    }
    sums.policy += weight_ * loss;
    sums.policyEntropy += weight_ * entropy;
  }

  void result(double mix, double share, LossSums& sums) {
    const double root = std::clamp(row_.rootValue / 32767.0, -1.0, 1.0);
    const double t[3] = {(1 - mix) * (row_.result > 0) + mix * 0.5 * (1 + root),
                         (1 - mix) * (row_.result == 0),
                         (1 - mix) * (row_.result < 0) + mix * 0.5 * (1 - root)};
    const float* logits = raw_ + layout_.outcome();
    float p[3];
    const float logSum = softmax(logits, 3, 7u, p);
    double loss = 0;
    for (int i = 0; i < 3; ++i) {
      loss -= t[i] * (static_cast<double>(logits[i]) - static_cast<double>(logSum));
      if (g_)
        g_[layout_.outcome() + i] =
            static_cast<float>(share * weight_ * (static_cast<double>(p[i]) - t[i]));
    }
    sums.result += weight_ * loss;
  }

  void margin(double share, LossSums& sums) {
    const double error = static_cast<double>(raw_[layout_.margin()]) -
                         row_.margin / static_cast<double>(kMarginUnit);
    const bool small = std::abs(error) < 1.0;
    sums.margin += weight_ * (small ? 0.5 * error * error : std::abs(error) - 0.5);
    if (g_)
      g_[layout_.margin()] =
          static_cast<float>(share * weight_ * (small ? error : std::copysign(1.0, error)));
  }

  void reply(double share, LossSums& sums) {
    const float* logits = raw_ + layout_.reply();
    float p[kMaxPits];
    const float logSum = softmax(logits, layout_.pits, (1u << layout_.pits) - 1u, p);
    sums.reply += weight_ * (static_cast<double>(logSum) - static_cast<double>(logits[row_.reply]));
    if (!g_) return;
    for (int i = 0; i < layout_.pits; ++i)
      g_[layout_.reply() + i] =
          static_cast<float>(share * weight_ * (static_cast<double>(p[i]) - (i == row_.reply)));
  }

  void shortValue(double share, LossSums& sums) {
    const double y = std::tanh(static_cast<double>(raw_[layout_.shortValue()]));
    const double error = y - row_.shortValue / 32767.0;
    sums.shortValue += weight_ * error * error;
    if (g_)
      g_[layout_.shortValue()] = static_cast<float>(share * weight_ * 2 * error * (1 - y * y));
  }

 private:
  double target(PitMask rest) const {
    return row_.policy[static_cast<std::size_t>(std::countr_zero(rest))];
  }

  const TrainingRow& row_;
  const float* raw_;
  float* g_;
  HeadLayout layout_;
  double weight_;
};

}  // namespace

BatchWeights weigh(std::span<const TrainingRow> rows) {
  BatchWeights batch;
  for (const TrainingRow& row : rows) {
    const double weight = row.weight / 255.0;
    batch.all += weight;
    if (hasPolicy(row)) batch.policy += weight;
    if (row.reply != TrainingRow::kNoReply) batch.reply += weight;
  }
  return batch;
}

void addLosses(const Rules& rules, std::span<const TrainingRow> rows, std::span<const float> raw,
               const LossWeights& weights, const BatchWeights& batch, LossSums& sums,
               std::span<float> gradient) {
  const int pits = rules.set().pits;
  const auto size = static_cast<std::size_t>(HeadLayout{pits}.size());
  TOGUZ_CHECK(raw.size() == rows.size() * size, "one row of head outputs a training row");
  TOGUZ_CHECK(gradient.empty() || gradient.size() == raw.size(), "a gradient of the outputs' size");
  std::fill(gradient.begin(), gradient.end(), 0.0f);

  const auto share = [](double weight, double all) { return all > 0 ? weight / all : 0.0; };
  withRules(rules, [&](const auto& r) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TrainingRow& row = rows[i];
      if (row.weight == 0) continue;
      RowLosses losses(row, raw.data() + i * size, pits,
                       gradient.empty() ? nullptr : gradient.data() + i * size);
      PitMask legal = legalMoves(r, row.position), targeted = 0;
      for (int pit = 0; pit < pits; ++pit)
        if (row.policy[static_cast<std::size_t>(pit)]) targeted |= 1u << pit;
      if (targeted) {
        if (targeted & ~legal)
          throw Error("a training row's policy has an illegal pit; its record is of other rules");
        losses.policy(legal, share(weights.policy, batch.policy), sums);
      }
      losses.result(weights.valueMix, share(weights.result, batch.all), sums);
      losses.margin(share(weights.margin, batch.all), sums);
      if (row.reply != TrainingRow::kNoReply) {
        if (row.reply >= pits)
          throw Error("a training row's reply is no pit; its record is of other rules");
        losses.reply(share(weights.reply, batch.reply), sums);
      }
      losses.shortValue(share(weights.shortValue, batch.all), sums);
    }
  });
}

}  // namespace toguz
