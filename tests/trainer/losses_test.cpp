#include "training/losses.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "models/model.h"
#include "tests/trainer/support.h"

namespace toguz {
namespace {

struct Batch {
  Batch(const char* variant, std::size_t count, std::uint64_t seed)
      : rules(Rules::named(variant)), rows(test::randomRows(rules, count, seed)) {
    Rng rng(seed + 5);
    raw.resize(count * static_cast<std::size_t>(HeadLayout{rules.set().pits}.size()));
    for (float& x : raw) x = static_cast<float>(rng.normal());
  }
  LossSums sums(std::span<float> gradient = {}) const {
    LossSums out;
    addLosses(rules, rows, raw, weights, weigh(rows), out, gradient);
    return out;
  }
  double total() const {
    const LossSums s = sums();
    const BatchWeights b = weigh(rows);
    return weights.policy * s.policy / b.policy + weights.result * s.result / b.all +
           weights.margin * s.margin / b.all + weights.reply * s.reply / b.reply +
           weights.shortValue * s.shortValue / b.all;
  }
  Rules rules;
  std::vector<TrainingRow> rows;
  std::vector<float> raw;
  LossWeights weights;
};

TEST(Losses, GradientIsThatOfTheTotal) {
  for (const char* variant : {"standard", "giveaway", "bestemshe"})
    for (const double mix : {0.0, 0.4}) {
      Batch batch(variant, 6, 31);
      batch.weights.valueMix = mix;
      std::vector<float> gradient(batch.raw.size());
      batch.sums(gradient);
      for (std::size_t i = 0; i < batch.raw.size(); ++i) {
        const float before = batch.raw[i], step = 1e-2f;
        batch.raw[i] = before + step;
        const double up = batch.total();
        batch.raw[i] = before - step;
        const double down = batch.total();
        batch.raw[i] = before;
        ASSERT_NEAR((up - down) / (2 * static_cast<double>(step)), static_cast<double>(gradient[i]),
                    2e-4)
            << variant << ' ' << i;
      }
    }
}

TEST(Losses, IllegalLogitsHaveNoGradientAndNoInfluence) {
  for (const char* variant : {"standard", "giveaway"}) {
    Batch batch(variant, 400, 32);
    const auto size = static_cast<std::size_t>(HeadLayout{9}.size());
    std::vector<float> gradient(batch.raw.size());
    const LossSums before = batch.sums(gradient);
    int illegal = 0;
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const PitMask legal = legalMoves(batch.rules, batch.rows[i].position);
      for (std::size_t pit = 0; pit < 9; ++pit)
        if (!(legal >> pit & 1u)) {
          ++illegal;
          ASSERT_EQ(gradient[i * size + pit], 0.0f);
          batch.raw[i * size + pit] = i % 2 ? 1e30f : -40.0f;
        }
    }
    ASSERT_GT(illegal, 300);
    std::vector<float> again(batch.raw.size());
    const LossSums after = batch.sums(again);
    EXPECT_EQ(before.policy, after.policy);
    EXPECT_EQ(gradient, again);
  }
}

TEST(Losses, ByHand) {
  const Rules rules;
  TrainingRow row;
  row.position = Position::start(kStandard);
  row.policy[6] = 65535;
  row.result = 1;
  row.margin = 30;  // 1.5 units
  row.reply = 2;
  row.shortValue = 32767;
  row.weight = 255;
  const std::vector<float> raw(23, 0.0f);
  const auto sumsOf = [&](const TrainingRow& r, double mix = 0) {
    LossSums sums;
    const std::span<const TrainingRow> rows(&r, 1);
    addLosses(rules, rows, raw, {.valueMix = mix}, weigh(rows), sums, {});
    return sums;
  };
  LossSums sums = sumsOf(row);
  EXPECT_NEAR(sums.policy, std::log(9.0), 1e-6);
  EXPECT_NEAR(sums.policyEntropy, std::log(9.0), 1e-6);
  EXPECT_NEAR(sums.result, std::log(3.0), 1e-6);
  EXPECT_NEAR(sums.margin, 1.0, 1e-6);
  EXPECT_NEAR(sums.reply, std::log(9.0), 1e-6);
  EXPECT_NEAR(sums.shortValue, 1.0, 1e-6);

  row.margin = 10;  // half a unit: the quadratic part
  row.weight = 51;  // a fifth
  sums = sumsOf(row);
  EXPECT_NEAR(sums.margin, 0.2 * 0.125, 1e-6);
  EXPECT_NEAR(sums.policy, 0.2 * std::log(9.0), 1e-6);

  row.reply = TrainingRow::kNoReply;
  row.policy.fill(0);
  sums = sumsOf(row);
  EXPECT_EQ(sums.policy, 0);
  EXPECT_EQ(sums.reply, 0);
  EXPECT_EQ(weigh({&row, 1}).policy, 0);
  EXPECT_EQ(weigh({&row, 1}).reply, 0);
}

TEST(Losses, ResultTargetsHaveTheRightSign) {
  // Outputs sure of a win: small loss for a win, large for a loss, whatever the mix of an equal
  // root value.
  Batch batch("standard", 1, 33);
  batch.raw.assign(23, 0.0f);
  batch.raw[9] = 10;
  TrainingRow& row = batch.rows[0];
  const auto lossFor = [&](int result, std::int16_t root) {
    row.result = static_cast<std::int8_t>(result);
    row.rootValue = root;
    return batch.sums().result * 255.0 / row.weight;
  };
  EXPECT_NEAR(lossFor(1, -32767), 0, 1e-3);
  EXPECT_NEAR(lossFor(0, 0), 10, 1e-3);
  EXPECT_NEAR(lossFor(-1, 32767), 10, 1e-3);
  batch.weights.valueMix = 0.5;
  EXPECT_NEAR(lossFor(1, 32767), 0, 1e-3);
  EXPECT_NEAR(lossFor(1, -32767), 5, 1e-3);
  EXPECT_NEAR(lossFor(-1, 32767), 5, 1e-3);
}

TEST(Losses, RowsOfOtherRulesAreRefused) {
  Batch batch("standard", 5, 34);
  batch.rows[3].position.board[4] = 0;
  batch.rows[3].policy[4] = 1000;
  EXPECT_THROW(batch.sums(), Error);
  Batch small("bestemshe", 5, 35);
  small.rows[2].reply = 7;
  EXPECT_THROW(small.sums(), Error);
}

}  // namespace
}  // namespace toguz
