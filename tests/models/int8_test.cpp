#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "models/features.h"
#include "models/native/int8_trunk.h"
#include "models/native/network.h"
#include "tests/models/support.h"

namespace toguz {
namespace {

using native::Int8Kernels;
using native::Int8Product;
using native::Int8Trunk;
using test::busyModel;
using test::randomPositions;

// Weights of a trained network's sizes: each channel with its own, a few much larger than the
// rest, and a head that is sure of something.
Model trainedLike(const Rules& rules, const Architecture& architecture, std::uint64_t seed) {
  Model model = busyModel(rules, architecture, seed);
  Rng rng(seed + 2);
  const auto width = static_cast<std::size_t>(architecture.width);
  for (Tensor& tensor : model.tensors) {
    if (tensor.shape.size() != 2) continue;
    std::vector<float> sizes(width);
    for (float& size : sizes)
      size = static_cast<float>(std::exp(0.4 * rng.normal())) * (rng.chance(0.03) ? 3.0f : 0.7f);
    const float head = tensor.name == "head.weight" ? 3.0f : 1.0f;
    for (std::size_t i = 0; i < tensor.data.size(); ++i) tensor.data[i] *= head * sizes[i % width];
  }
  return model;
}

template <class T>
std::vector<T> filled(std::size_t size, auto draw) {
  std::vector<T> v(size);
  for (T& x : v) x = static_cast<T>(draw());
  return v;
}

TEST(Int8Kernels, ThePlainLoopsAreAlwaysThereAndLast) {
  const auto kernels = native::int8Kernels();
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ(kernels.back(), &native::kPortableInt8);
  EXPECT_EQ(native::int8IsFast(), kernels.size() > 1);
}

// One layer by hand: 16 inputs, of which two are not 0.
TEST(Int8Kernels, RoundToEvenAndStopAt255) {
  std::vector<std::uint8_t> x(16), y(16, 7);
  std::vector<std::int8_t> weights(256);
  std::vector<float> scale(16, 0.5f), bias(16), residual(16), inverse(16, 2.0f);
  x[0] = 255;
  x[5] = 3;
  const auto set = [&](int output, int first, int sixth) {
    weights[static_cast<std::size_t>(native::packedPlace(output, 0, 16))] =
        static_cast<std::int8_t>(first);
    weights[static_cast<std::size_t>(native::packedPlace(output, 5, 16))] =
        static_cast<std::int8_t>(sixth);
  };
  set(0, 0, 1);       // 1.5
  set(1, 1, 0);       // 127.5
  set(2, -1, 0);      // -127.5
  set(3, 127, 127);   // far too large
  set(4, 1, 85);      // 255
  set(15, -127, -1);  // far below 0
  bias[5] = 2.5f;
  for (const Int8Kernels* kernels : native::int8Kernels()) {
    Int8Product p;
    p.rows = 1;
    p.width = 16;
    p.x = x.data();
    p.weights = weights.data();
    p.scale = scale.data();
    p.bias = bias.data();
    p.y = y.data();
    kernels->multiply(p);
    EXPECT_THAT(y, testing::ElementsAre(2, 128, 0, 255, 255, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        << kernels->name;
    residual.assign(16, 1.0f);
    p.residual = residual.data();
    p.inverse = inverse.data();
    kernels->multiply(p);
    EXPECT_EQ(residual[0], 2.5f);
    EXPECT_EQ(residual[2], 0.0f);
    EXPECT_EQ(residual[6], 1.0f);
    EXPECT_THAT(y, testing::ElementsAre(5, 255, 0, 255, 255, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0))
        << kernels->name;
  }
}

TEST(Int8Kernels, ProductsAgreeToTheBit) {
  Rng rng(1);
  for (int trial = 0; trial < 150; ++trial) {
    const int width = 16 * (1 + static_cast<int>(rng.below(trial % 8 ? 10 : 20))),
              rows = 1 + static_cast<int>(rng.below(trial % 3 ? 12 : 40));
    const auto w = static_cast<std::size_t>(width), all = w * static_cast<std::size_t>(rows);
    const bool saturated = rng.chance(0.2);
    const double size = rng.chance(0.1) ? 1e30 : rng.chance(0.2) ? 1.0 : 1e-3;
    const auto x = filled<std::uint8_t>(all, [&] { return saturated ? 255u : rng.below(256); });
    const auto weights = filled<std::int8_t>(w * w, [&] {
      const int weight = static_cast<int>(rng.below(255)) - 127;
      return saturated ? (weight < 0 ? -127 : 127) : weight;
    });
    const auto scale =
        filled<float>(w, [&] { return rng.chance(0.05) ? 0.0 : size * rng.uniform(); });
    const auto bias = filled<float>(w, [&] { return 20 * rng.normal(); });
    const auto before = filled<float>(all, [&] { return std::max(0.0, 3 * rng.normal()); });
    const auto inverse = filled<float>(w, [&] { return 50 * rng.uniform(); });
    const bool residual = rng.chance(0.5), codes = !residual || rng.chance(0.8);
    std::vector<std::uint8_t> wantCodes;
    std::vector<float> wantResidual;
    for (std::size_t k = native::int8Kernels().size(); k-- > 0;) {
      const Int8Kernels& kernels = *native::int8Kernels()[k];
      std::vector<std::uint8_t> y(all, 99);
      std::vector<float> sum = before;
      Int8Product p;
      p.rows = rows;
      p.width = width;
      p.x = x.data();
      p.weights = weights.data();
      p.scale = scale.data();
      p.bias = bias.data();
      if (residual) p.residual = sum.data();
      p.inverse = inverse.data();
      if (codes) p.y = y.data();
      kernels.multiply(p);
      if (&kernels == &native::kPortableInt8) {
        wantCodes = y;
        wantResidual = sum;
      }
      ASSERT_EQ(y, wantCodes) << kernels.name << ' ' << width << ' ' << rows;
      ASSERT_EQ(sum, wantResidual) << kernels.name << ' ' << width << ' ' << rows;
    }
  }
}

// The whole trunk, on real positions and on calibrations that are far off.
TEST(Int8Kernels, TrunksAgreeToTheBit) {
  for (const std::string& variant : test::variants()) {
    const Rules rules = Rules::named(variant);
    const int width = variant == "seven" ? 80 : variant == "giveaway" ? 272 : 48;
    const FeatureSet set = variant == "seven" ? FeatureSet::Rows1 : FeatureSet::Rows2;
    const Model model = trainedLike(rules, {width, 2, set}, 2);
    const auto measured = native::measurePeaks(model);
    const auto rows = static_cast<std::size_t>(activeRows(rules.set(), set));
    const auto positions = randomPositions(rules, Int8Trunk::kChunk, 3);
    std::vector<FeatureRow> active(positions.size() * rows);
    for (std::size_t i = 0; i < positions.size(); ++i)
      encodeFeatures(rules, set, positions[i], std::span(active).subspan(i * rows, rows));
    for (const float factor : {1.0f, 0.01f, 0.0f, 1e30f}) {
      auto peaks = measured;
      for (auto& layer : peaks)
        for (float& peak : layer) peak *= factor;
      const Int8Trunk trunk(model, peaks);
      Int8Trunk::Scratch want(width), got(width);
      const int count = static_cast<int>(positions.size());
      trunk.run(native::kPortableInt8, active.data(), static_cast<int>(rows), count, want);
      for (const Int8Kernels* kernels : native::int8Kernels()) {
        trunk.run(*kernels, active.data(), static_cast<int>(rows), count, got);
        for (int i = 0; i < count * width; ++i) {
          ASSERT_EQ(got.trunk.data()[i], want.trunk.data()[i]) << kernels->name << ' ' << variant;
          ASSERT_TRUE(std::isfinite(got.trunk.data()[i]));
        }
      }
    }
  }
}

TEST(Int8, IsCloseToFp32) {
  for (const std::string& variant : test::variants()) {
    const Rules rules = Rules::named(variant);
    const Model model = trainedLike(rules, {64, 4}, 4);
    NativeEvaluator exact(std::make_shared<NativeNetwork>(model)),
        rough(std::make_shared<NativeNetwork>(model, Precision::Int8));
    const auto positions = randomPositions(rules, 1000, 5);
    std::vector<Evaluation> want(positions.size()), got(positions.size());
    exact.evaluate(positions, want);
    rough.evaluate(positions, got);
    double variation = 0, worstVariation = 0, value = 0, worstValue = 0, sureness = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      double distance = 0, top = 0;
      for (std::size_t pit = 0; pit < kMaxPits; ++pit) {
        distance += 0.5 * static_cast<double>(std::abs(want[i].policy[pit] - got[i].policy[pit]));
        top = std::max(top, static_cast<double>(want[i].policy[pit]));
      }
      const auto off = static_cast<double>(std::abs(want[i].winLoss - got[i].winLoss));
      variation += distance / 1000;
      value += off / 1000;
      sureness += top / 1000;
      worstVariation = std::max(worstVariation, distance);
      worstValue = std::max(worstValue, off);
    }
    EXPECT_GT(sureness, 0.35) << variant << ": a policy that is flat anyway shows nothing";
    EXPECT_LT(variation, 0.02) << variant;
    EXPECT_LT(worstVariation, 0.12) << variant;
    EXPECT_LT(value, 0.02) << variant;
    EXPECT_LT(worstValue, 0.15) << variant;
  }
}

TEST(Int8, ResultsDoNotDependOnTheBatch) {
  const Rules rules;
  const auto network = std::make_shared<NativeNetwork>(trainedLike(rules, {}, 6), Precision::Int8);
  NativeEvaluator evaluator(network), another(network);
  const auto positions = randomPositions(rules, 1024, 7);
  std::vector<Evaluation> whole(positions.size());
  evaluator.evaluate(positions, whole);
  std::size_t first = 0;
  for (const std::size_t batch :
       {1u, 2u, 3u, 4u, 5u, 7u, 11u, 12u, 13u, 25u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 257u}) {
    std::vector<Evaluation> part(batch);
    another.evaluate(std::span(positions).subspan(first, batch), part);
    for (std::size_t i = 0; i < batch; ++i) {
      ASSERT_EQ(part[i].policy, whole[first + i].policy) << batch;
      ASSERT_EQ(part[i].winLoss, whole[first + i].winLoss);
      ASSERT_EQ(part[i].margin, whole[first + i].margin);
    }
    first += batch;
  }
}

TEST(Int8, IsTheSameEachTimeItIsMade) {
  const Rules rules = Rules::named("bestemshe");
  const Model model = trainedLike(rules, {32, 1}, 8);
  const auto positions = randomPositions(rules, 50, 9);
  std::vector<float> raw[2];
  for (auto& out : raw) {
    out.resize(positions.size() * static_cast<std::size_t>(HeadLayout{5}.size()));
    NativeEvaluator(std::make_shared<NativeNetwork>(model, Precision::Int8))
        .evaluateRaw(positions, out);
  }
  EXPECT_EQ(raw[0], raw[1]);
}

TEST(Int8, LayersOfZeros) {
  const Rules rules;
  Model fresh = randomModel(rules, {}, 1), zero = fresh;
  for (Tensor& tensor : zero.tensors) std::fill(tensor.data.begin(), tensor.data.end(), 0.0f);
  const auto positions = randomPositions(rules, 100, 10);
  std::vector<Evaluation> out(positions.size());
  for (const Model& model : {fresh, zero}) {
    NativeEvaluator(std::make_shared<NativeNetwork>(model, Precision::Int8))
        .evaluate(positions, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const PitMask legal = legalMoves(rules, positions[i]);
      for (unsigned pit = 0; pit < 9; ++pit)
        ASSERT_FLOAT_EQ(out[i].policy[pit],
                        legal >> pit & 1u ? 1.0f / static_cast<float>(std::popcount(legal)) : 0);
      ASSERT_FLOAT_EQ(out[i].winLoss, 0);
    }
  }
}

TEST(Int8, NoBlocksAtAll) {
  const Rules rules = Rules::named("seven");
  const Model model = trainedLike(rules, {16, 0}, 11);
  const auto positions = randomPositions(rules, 100, 12);
  std::vector<float> raw[2];
  for (const Precision precision : {Precision::Fp32, Precision::Int8}) {
    auto& out = raw[static_cast<std::size_t>(precision)];
    out.resize(positions.size() * static_cast<std::size_t>(HeadLayout{7}.size()));
    NativeEvaluator(std::make_shared<NativeNetwork>(model, precision)).evaluateRaw(positions, out);
  }
  for (std::size_t i = 0; i < raw[0].size(); ++i) ASSERT_NEAR(raw[0][i], raw[1][i], 0.02);
}

TEST(Int8, AutoTakesWhatIsFast) {
  const Model model = busyModel(Rules(), {16, 1}, 13);
  EXPECT_EQ(NativeNetwork(model).precision(), Precision::Fp32);
  const NativeNetwork int8(model, Precision::Int8), automatic(model, Precision::Auto);
  EXPECT_EQ(int8.precision(), Precision::Int8);
  EXPECT_EQ(int8.id(), modelId(model));
  EXPECT_EQ(automatic.precision(), native::int8IsFast() ? Precision::Int8 : Precision::Fp32);
}

TEST(Int8, PrecisionsByName) {
  EXPECT_EQ(parsePrecision("fp32", "x"), Precision::Fp32);
  EXPECT_EQ(parsePrecision("int8", "x"), Precision::Int8);
  EXPECT_EQ(parsePrecision("auto", "x"), Precision::Auto);
  for (const char* text : {"", "fp16", "INT8", "int8 "})
    EXPECT_THAT([&] { parsePrecision(text, "option Precision"); },
                testing::ThrowsMessage<UsageError>(testing::AllOf(
                    testing::StartsWith("option Precision wants"), testing::HasSubstr("int8"))));
}

}  // namespace
}  // namespace toguz
