#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "models/features.h"
#include "models/head.h"
#include "models/native/kernels.h"
#include "models/native/network.h"
#include "tests/models/support.h"

namespace toguz {
namespace {

using test::busyModel;
using test::randomPositions;

std::size_t outputs(const Rules& rules) {
  return static_cast<std::size_t>(HeadLayout{rules.set().pits}.size());
}

// The network as its definition reads, in double precision.
std::vector<double> reference(const Model& model, const Position& position) {
  const auto width = static_cast<std::size_t>(model.architecture.width);
  std::vector<FeatureRow> rows(
      static_cast<std::size_t>(activeRows(model.rules.set(), model.architecture.features)));
  encodeFeatures(model.rules, model.architecture.features, position, rows);
  const auto linear = [&](const std::string& name, const std::vector<double>& x) {
    const Tensor& w = model.tensor(name + ".weight");
    const Tensor& b = model.tensor(name + ".bias");
    std::vector<double> y(b.data.begin(), b.data.end());
    for (std::size_t o = 0; o < y.size(); ++o)
      for (std::size_t i = 0; i < width; ++i)
        y[o] += static_cast<double>(w.data[o * width + i]) * x[i];
    return y;
  };
  const auto relu = [](std::vector<double> x) {
    for (double& v : x) v = std::max(v, 0.0);
    return x;
  };
  const Tensor& bias = model.tensor("input.bias");
  std::vector<double> x(bias.data.begin(), bias.data.end());
  for (const FeatureRow row : rows)
    for (std::size_t i = 0; i < width; ++i)
      x[i] += static_cast<double>(model.tensor("input.weight").data[row * width + i]);
  x = relu(x);
  for (int k = 0; k < model.architecture.blocks; ++k) {
    const std::string name = "block." + std::to_string(k);
    std::vector<double> y = linear(name + ".1", relu(linear(name + ".0", x)));
    for (std::size_t i = 0; i < width; ++i) y[i] += x[i];
    x = relu(y);
  }
  return linear("head", x);
}

TEST(Native, AgreesWithTheDefinition) {
  const std::pair<const char*, Architecture> cases[] = {
      {"standard", {128, 4}}, {"giveaway", {16, 1}}, {"bestemshe", {48, 2}},
      {"seven", {80, 0}},     {"seven", {272, 1}},   {"standard,sow_origin=false", {64, 3}}};
  for (const auto& [variant, architecture] : cases) {
    const Rules rules = Rules::named(variant);
    const Model model = busyModel(rules, architecture, 7);
    NativeEvaluator evaluator(std::make_shared<NativeNetwork>(model));
    const auto positions = randomPositions(rules, 150, 8);
    std::vector<float> raw(positions.size() * outputs(rules));
    evaluator.evaluateRaw(positions, raw);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::vector<double> want = reference(model, positions[i]);
      for (std::size_t o = 0; o < want.size(); ++o)
        ASSERT_NEAR(static_cast<double>(raw[i * want.size() + o]), want[o],
                    1e-4 * (1 + std::abs(want[o])))
            << variant << ' ' << i << ' ' << o;
    }
  }
}

// To the bit: what a position gets may depend neither on the batch nor on its place in it.
TEST(Native, ResultsDoNotDependOnTheBatch) {
  const Rules rules;
  NativeEvaluator evaluator(std::make_shared<NativeNetwork>(busyModel(rules, {}, 9)));
  const auto positions = randomPositions(rules, 1024, 10);
  std::vector<Evaluation> whole(positions.size());
  evaluator.evaluate(positions, whole);
  std::size_t first = 0;
  for (const std::size_t batch :
       {1u, 2u, 3u, 4u, 5u, 7u, 11u, 12u, 13u, 25u, 63u, 64u, 65u, 100u, 130u, 257u}) {
    std::vector<Evaluation> part(batch);
    evaluator.evaluate(std::span(positions).subspan(first, batch), part);
    for (std::size_t i = 0; i < batch; ++i) {
      ASSERT_EQ(part[i].policy, whole[first + i].policy) << batch;
      ASSERT_EQ(part[i].winLoss, whole[first + i].winLoss);
      ASSERT_EQ(part[i].margin, whole[first + i].margin);
    }
    first += batch;
  }
}

TEST(Native, EvaluationsAreProbabilitiesOverLegalMoves) {
  for (const std::string& variant : test::variants()) {
    const Rules rules = Rules::named(variant);
    NativeEvaluator evaluator(std::make_shared<NativeNetwork>(busyModel(rules, {32, 2}, 11)));
    const auto positions = randomPositions(rules, 500, 12);
    std::vector<Evaluation> out(positions.size());
    evaluator.evaluate(positions, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const PitMask legal = legalMoves(rules, positions[i]);
      for (unsigned pit = 0; pit < kMaxPits; ++pit)
        ASSERT_EQ(out[i].policy[pit] > 0, (legal >> pit & 1u) != 0);
      ASSERT_NEAR(std::accumulate(out[i].policy.begin(), out[i].policy.end(), 0.0f), 1.0f, 1e-5f);
      ASSERT_LE(std::abs(out[i].winLoss) + out[i].draw, 1.0f + 1e-5f);
      ASSERT_GE(out[i].draw, 0.0f);
    }
  }
}

TEST(Native, SeesThePositionFromTheMoversSide) {
  const Rules rules;
  NativeEvaluator evaluator(std::make_shared<NativeNetwork>(busyModel(rules, {32, 2}, 13)));
  for (const Position& position : randomPositions(rules, 300, 14)) {
    const Position both[] = {position, position.swapped(rules.set())};
    Evaluation out[2];
    evaluator.evaluate(both, out);
    ASSERT_EQ(out[0].policy, out[1].policy);
    ASSERT_EQ(out[0].winLoss, out[1].winLoss);
    ASSERT_EQ(out[0].margin, out[1].margin);
  }
}

TEST(Native, NewNetworkIsUniformAndLevel) {
  const Rules rules;
  const Model model = randomModel(rules, {}, 1);
  const auto network = std::make_shared<NativeNetwork>(model);
  EXPECT_EQ(network->id(), modelId(model));
  NativeEvaluator evaluator(network);
  Evaluation out;
  const Position start = Position::start(kStandard);
  evaluator.evaluate({&start, 1}, {&out, 1});
  for (const float p : out.policy) EXPECT_FLOAT_EQ(p, 1.0f / 9);
  EXPECT_FLOAT_EQ(out.winLoss, 0);
  EXPECT_FLOAT_EQ(out.margin, 0);
}

TEST(Head, IllegalLogitsHaveNoInfluence) {
  Rng rng(15);
  for (int trial = 0; trial < 300; ++trial) {
    const int pits = trial % 2 ? 9 : 5;
    std::vector<float> raw(static_cast<std::size_t>(HeadLayout{pits}.size()));
    for (float& x : raw) x = static_cast<float>(5 * rng.normal());
    const PitMask legal = 1u + rng.below((1u << pits) - 1u);
    Evaluation before, after;
    decodeHead(raw.data(), pits, legal, before);
    for (int pit = 0; pit < pits; ++pit)
      if (!(legal >> pit & 1u))
        raw[static_cast<std::size_t>(pit)] = trial % 3 ? 1e30f : std::nanf("");
    decodeHead(raw.data(), pits, legal, after);
    ASSERT_EQ(before.policy, after.policy);
    ASSERT_EQ(before.winLoss, after.winLoss);
  }
}

TEST(Head, DecodesByHand) {
  std::vector<float> raw(23, 0.0f);
  raw[0] = std::log(3.0f);   // pit 1 three times as likely as pit 3
  raw[9] = std::log(6.0f);   // win
  raw[10] = std::log(3.0f);  // draw; a loss has log 1
  raw[12] = -0.5f;           // margin
  Evaluation out;
  decodeHead(raw.data(), 9, 0b101, out);
  EXPECT_NEAR(out.policy[0], 0.75f, 1e-6f);
  EXPECT_NEAR(out.policy[2], 0.25f, 1e-6f);
  EXPECT_EQ(out.policy[1], 0.0f);
  EXPECT_NEAR(out.winLoss, 0.5f, 1e-6f);
  EXPECT_NEAR(out.draw, 0.3f, 1e-6f);
  EXPECT_NEAR(out.margin, -10.0f, 1e-6f);
}

TEST(Head, HugeLogitsStayFinite) {
  std::vector<float> raw(23, 0.0f);
  raw[0] = 3e38f;
  raw[1] = -3e38f;
  raw[9] = 3e38f;
  Evaluation out;
  decodeHead(raw.data(), 9, 0b11, out);
  EXPECT_EQ(out.policy[0], 1.0f);
  EXPECT_EQ(out.winLoss, 1.0f);
}

// Every option of the product against plain loops.
TEST(Kernels, ProductsAgreeWithPlainLoops) {
  Rng rng(16);
  for (int trial = 0; trial < 200; ++trial) {
    const int rows = 1 + static_cast<int>(rng.below(30)),
              groups = 1 + static_cast<int>(rng.below(5)),
              depth = 1 + static_cast<int>(rng.below(40)), columns = groups * native::kGroup;
    const int pad = static_cast<int>(rng.below(2)) * 16;
    const bool transposed = rng.chance(0.5);
    const auto fill = [&](int n) {
      std::vector<float> v(static_cast<std::size_t>(n));
      for (float& x : v) x = static_cast<float>(rng.normal());
      return v;
    };
    const int aStride = (transposed ? rows : depth) + pad, stride = columns + pad;
    const auto a = fill((transposed ? depth : rows) * aStride), b = fill(depth * stride),
               bias = fill(columns), gate = fill(rows * stride);
    auto c = fill(rows * stride);
    const auto before = c;
    native::Product p;
    p.rows = rows;
    p.groups = groups;
    p.depth = depth;
    p.a = a.data();
    p.aStride = aStride;
    p.aTransposed = transposed;
    p.b = b.data();
    p.c = c.data();
    p.bStride = p.cStride = p.addendStride = p.gateStride = stride;
    if (rng.chance(0.5)) p.bias = bias.data();
    if (rng.chance(0.5)) p.addend = c.data();
    p.relu = rng.chance(0.3);
    if (rng.chance(0.3)) p.gate = gate.data();
    native::multiply(p);
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < stride; ++j) {
        const auto at = static_cast<std::size_t>(r * stride + j);
        if (j >= columns) {
          ASSERT_EQ(c[at], before[at]) << "written past the columns";
          continue;
        }
        double sum = (p.bias ? static_cast<double>(bias[static_cast<std::size_t>(j)]) : 0) +
                     (p.addend ? static_cast<double>(before[at]) : 0);
        for (int k = 0; k < depth; ++k)
          sum += static_cast<double>(
                     a[static_cast<std::size_t>(transposed ? k * aStride + r : r * aStride + k)]) *
                 static_cast<double>(b[static_cast<std::size_t>(k * stride + j)]);
        if (p.relu) sum = std::max(sum, 0.0);
        if (p.gate && gate[at] <= 0) sum = 0;
        ASSERT_NEAR(static_cast<double>(c[at]), sum, 1e-4);
      }
  }
}

}  // namespace
}  // namespace toguz
