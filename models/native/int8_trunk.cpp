#include "models/native/int8_trunk.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/rng.h"
#include "core/game.h"
#include "models/head.h"

namespace toguz::native {
namespace {

constexpr int kGames = 16, kMoves = 128;
constexpr double kUniformMoves = 0.25;
// A channel counts as at least this part of the layer's largest.
constexpr float kLeastShare = 0.01f;

// "block.K.P.": of the layers in order, two a block.
std::string layerName(int layer) {
  return "block." + std::to_string(layer / 2) + "." + std::to_string(layer % 2) + ".";
}

const Tensor& blockTensor(const Model& model, int block, int part, const char* what) {
  return model.tensor(layerName(2 * block + part) + what);
}

template <class T>
Aligned<T> alignedCopy(const std::vector<T>& from) {
  Aligned<T> to(from.size());
  std::copy(from.begin(), from.end(), to.data());
  return to;
}

void raise(std::vector<float>& peaks, const AlignedFloats& activations, int count) {
  const std::size_t width = peaks.size();
  for (std::size_t i = 0; i < width * static_cast<std::size_t>(count); ++i)
    peaks[i % width] = std::max(peaks[i % width], activations.data()[i]);
}

int drawMove(const float* head, const Game& game, Rng& rng) {
  Evaluation evaluation;
  decodeHead(head, game.rules().set().pits, game.legal(), evaluation);
  const bool uniform = rng.chance(kUniformMoves);
  double left = rng.uniform() * (uniform ? std::popcount(game.legal()) : 1);
  PitMask rest = game.legal();
  for (; rest & (rest - 1); rest &= rest - 1) {  // the last one takes what rounding leaves
    const auto pit = static_cast<std::size_t>(std::countr_zero(rest));
    left -= uniform ? 1.0 : static_cast<double>(evaluation.policy[pit]);
    if (left < 0) break;
  }
  return std::countr_zero(rest);
}

// The step of each input's codes. Giving every channel all 255 codes would pass its size on to the
// weights, whose step is common to all inputs of an output; half-way (on a logarithmic scale) both
// lose little (SmoothQuant, Xiao et al. 2023): measured on a trained network, the policy moves by a
// sixth less than with one step for all. A channel never seen to be active could be yet.
std::vector<float> inputSteps(const std::vector<float>& peaks, const Tensor& weight) {
  const std::size_t width = peaks.size();
  const float top = *std::max_element(peaks.begin(), peaks.end());
  std::vector<float> reach(width, 0.0f);
  for (std::size_t i = 0; i < weight.data.size(); ++i)
    reach[i % width] = std::max(reach[i % width], std::abs(weight.data[i]));
  const float most = *std::max_element(reach.begin(), reach.end());
  if (!(top > 0 && most > 0)) return std::vector<float>(width, 1.0f);
  std::vector<double> shape(width);
  double codes = 0;  // what the channel that needs most would need with these as steps
  for (std::size_t i = 0; i < width; ++i) {
    const double peak = std::max(peaks[i], kLeastShare * top);
    const double size = std::max(reach[i], kLeastShare * most);
    shape[i] = std::sqrt(peak / size);
    codes = std::max(codes, peak / shape[i]);
  }
  std::vector<float> steps(width);
  for (std::size_t i = 0; i < width; ++i)
    steps[i] = static_cast<float>(std::clamp(shape[i] * codes / 255.0, 1e-30, 1e30));
  return steps;
}

}  // namespace

ActivationPeaks measurePeaks(const Model& model) {
  const int width = model.architecture.width, blocks = model.architecture.blocks;
  std::vector<native::Layer> layers;
  const auto add = [&](const Tensor& weight, const Tensor& bias) {
    layers.emplace_back(weight.data.data(), bias.data.data(), width,
                        static_cast<int>(weight.shape[0]));
  };
  for (int k = 0; k < blocks; ++k)
    for (int part = 0; part < 2; ++part)
      add(blockTensor(model, k, part, "weight"), blockTensor(model, k, part, "bias"));
  add(model.tensor("head.weight"), model.tensor("head.bias"));
  Aligned<float> table(model.tensor("input.weight").data.size());
  std::copy_n(model.tensor("input.weight").data.data(), table.size(), table.data());
  const float* bias = model.tensor("input.bias").data.data();

  const auto size = static_cast<std::size_t>(kGames * width);
  const int headWidth = layers.back().paddedOutputs();
  AlignedFloats trunk(size), hidden(size), head(static_cast<std::size_t>(kGames * headWidth));
  ActivationPeaks peaks(1 + 2 * static_cast<std::size_t>(blocks),
                        std::vector<float>(static_cast<std::size_t>(width)));
  std::vector<Game> games(kGames, Game(model.rules));
  std::vector<FeatureRow> active(
      static_cast<std::size_t>(activeRows(model.rules.set(), model.architecture.features)));
  Rng rng(0x7a11);
  for (int move = 0; move < kMoves; ++move) {
    for (int g = 0; g < kGames; ++g) {
      encodeFeatures(model.rules, model.architecture.features,
                     games[static_cast<std::size_t>(g)].position(), active);
      sumRows(table.data(), bias, active.data(), static_cast<int>(active.size()), width,
              trunk.data() + g * width);
    }
    for (std::size_t k = 0; k + 1 < layers.size(); k += 2) {
      raise(peaks[k], trunk, kGames);
      layers[k].apply(trunk.data(), nullptr, hidden.data(), kGames, true);
      raise(peaks[k + 1], hidden, kGames);
      layers[k + 1].apply(hidden.data(), trunk.data(), trunk.data(), kGames, true);
    }
    raise(peaks.back(), trunk, kGames);
    layers.back().apply(trunk.data(), nullptr, head.data(), kGames, false);
    for (int g = 0; g < kGames; ++g) {
      Game& game = games[static_cast<std::size_t>(g)];
      game.play(drawMove(head.data() + g * headWidth, game, rng));
      if (game.over()) game = Game(model.rules);
    }
  }
  return peaks;
}

Int8Trunk::Scratch::Scratch(int width)
    : trunk(static_cast<std::size_t>(kChunk * width)),
      codes(static_cast<std::size_t>(kChunk * width)),
      hidden(static_cast<std::size_t>(kChunk * width)) {}

Int8Trunk::Int8Trunk(const Model& model, const ActivationPeaks& peaks)
    : width_(model.architecture.width) {
  const int blocks = model.architecture.blocks;
  // Steps of the codes before each layer.
  std::vector<std::vector<float>> steps;
  for (int k = 0; k < 2 * blocks; ++k)
    steps.push_back(
        inputSteps(peaks[static_cast<std::size_t>(k)], blockTensor(model, k / 2, k % 2, "weight")));
  steps.emplace_back(static_cast<std::size_t>(width_), 1.0f);  // no layer takes these
  makeTable(model, steps.front());
  for (int k = 0; k < 2 * blocks; ++k)
    layers_.push_back(makeLayer(
        blockTensor(model, k / 2, k % 2, "weight"), blockTensor(model, k / 2, k % 2, "bias"),
        steps[static_cast<std::size_t>(k)], steps[static_cast<std::size_t>(k) + 1], k % 2 == 0));
}

Int8Trunk::Int8Trunk(const Int8Model& model) : width_(model.architecture.width) {
  table_ = alignedCopy<std::int16_t>(model.code("input.weight").data);
  tableBias_ = alignedCopy<std::int16_t>(model.code("input.bias").data);
  tableScale_ = alignedCopy<float>(model.tensor("input.scale").data);
  tableInverse_ = alignedCopy<float>(model.tensor("input.inverse").data);
  for (int k = 0; k < 2 * model.architecture.blocks; ++k) {
    const std::string name = layerName(k);
    const std::vector<std::int16_t>& codes = model.code(name + "weight").data;
    Layer layer;
    layer.weights = Aligned<std::int8_t>(codes.size());
    for (int o = 0; o < width_; ++o)
      for (int i = 0; i < width_; ++i)
        layer.weights.data()[packedPlace(o, i, width_)] =
            static_cast<std::int8_t>(codes[static_cast<std::size_t>(o * width_ + i)]);
    layer.scale = alignedCopy<float>(model.tensor(name + "scale").data);
    layer.bias = alignedCopy<float>(model.tensor(name + "bias").data);
    if (k % 2 == 1) layer.inverse = alignedCopy<float>(model.tensor(name + "inverse").data);
    layers_.push_back(std::move(layer));
  }
}

void Int8Trunk::store(Int8Model& model) const {
  const auto addTensor = [&](const std::string& name, const AlignedFloats& from) {
    model.tensors.push_back({name, {width_}, {from.data(), from.data() + from.size()}});
  };
  const auto addTable = [&](const char* name, std::vector<std::int64_t> shape,
                            const Aligned<std::int16_t>& from) {
    model.codes.push_back({name, std::move(shape), 2, {from.data(), from.data() + from.size()}});
  };
  addTensor("input.scale", tableScale_);
  addTensor("input.inverse", tableInverse_);
  addTable("input.weight", {static_cast<std::int64_t>(table_.size()) / width_, width_}, table_);
  addTable("input.bias", {width_}, tableBias_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const std::string name = layerName(static_cast<int>(k));
    const Layer& layer = layers_[k];
    addTensor(name + "scale", layer.scale);
    addTensor(name + "bias", layer.bias);
    if (k % 2 == 1) addTensor(name + "inverse", layer.inverse);
    CodeTensor codes{name + "weight", {width_, width_}, 1, {}};
    for (int o = 0; o < width_; ++o)
      for (int i = 0; i < width_; ++i)
        codes.data.push_back(layer.weights.data()[packedPlace(o, i, width_)]);
    model.codes.push_back(std::move(codes));
  }
}

void Int8Trunk::makeTable(const Model& model, const std::vector<float>& steps) {
  const Tensor& weight = model.tensor("input.weight");
  const Tensor& bias = model.tensor("input.bias");
  const auto width = static_cast<std::size_t>(width_);
  // Every active row is of another group: so no sum exceeds the sum of the groups' largest.
  const std::vector<int> groups = featureGroups(model.rules.set(), model.architecture.features);
  const double most = 32767.0 - 0.5 * static_cast<double>(groups.size() + 1);  // for the rounding

  table_ = Aligned<std::int16_t>(weight.data.size());
  tableBias_ = Aligned<std::int16_t>(width);
  tableScale_ = AlignedFloats(width);
  tableInverse_ = AlignedFloats(width);
  for (std::size_t i = 0; i < width; ++i) {
    double bound = std::abs(bias.data[i]);
    std::size_t row = 0;
    for (const int size : groups) {
      float largest = 0;
      for (const std::size_t end = row + static_cast<std::size_t>(size); row < end; ++row)
        largest = std::max(largest, std::abs(weight.data[row * width + i]));
      bound += static_cast<double>(largest);
    }
    const double scale = bound / most;
    const auto code = [&](float w) {
      return static_cast<std::int16_t>(scale > 0 ? std::nearbyint(static_cast<double>(w) / scale)
                                                 : 0.0);
    };
    for (row = 0; row * width < weight.data.size(); ++row)
      table_.data()[row * width + i] = code(weight.data[row * width + i]);
    tableBias_.data()[i] = code(bias.data[i]);
    tableScale_.data()[i] = static_cast<float>(scale);
    tableInverse_.data()[i] = 1.0f / steps[i];
  }
}

Int8Trunk::Layer Int8Trunk::makeLayer(const Tensor& weight, const Tensor& bias,
                                      const std::vector<float>& in, const std::vector<float>& out,
                                      bool first) const {
  const auto width = static_cast<std::size_t>(width_);
  Layer layer{Aligned<std::int8_t>(width * width), AlignedFloats(width), AlignedFloats(width),
              AlignedFloats(first ? 0 : width)};
  for (std::size_t o = 0; o < width; ++o) {
    const float* row = weight.data.data() + o * width;
    const auto scaled = [&](std::size_t i) {
      return static_cast<double>(row[i]) * static_cast<double>(in[i]);
    };
    double largest = 0;
    for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, std::abs(scaled(i)));
    const double step = largest / 127.0;
    for (std::size_t i = 0; i < width; ++i)
      layer.weights.data()[packedPlace(static_cast<int>(o), static_cast<int>(i), width_)] =
          static_cast<std::int8_t>(step > 0 ? std::nearbyint(scaled(i) / step) : 0.0);
    // What stays inside a block is wanted as codes alone.
    const double unit = first ? static_cast<double>(out[o]) : 1.0;
    layer.scale.data()[o] = static_cast<float>(step / unit);
    layer.bias.data()[o] = static_cast<float>(static_cast<double>(bias.data[o]) / unit);
    if (!first) layer.inverse.data()[o] = 1.0f / out[o];
  }
  return layer;
}

void Int8Trunk::run(const Int8Kernels& kernels, const FeatureRow* active, int rows, int count,
                    Scratch& scratch) const {
  Int16RowSum sum;
  sum.width = width_;
  sum.table = table_.data();
  sum.bias = tableBias_.data();
  sum.rows = rows;
  sum.scale = tableScale_.data();
  sum.inverse = tableInverse_.data();
  for (int i = 0; i < count; ++i) {
    sum.active = active + i * rows;
    sum.out = scratch.trunk.data() + i * width_;
    sum.y = scratch.codes.data() + i * width_;
    kernels.sumRows(sum);
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const Layer& layer = layers_[k];
    const bool second = k % 2 == 1;
    Int8Product p;
    p.rows = count;
    p.width = width_;
    p.weights = layer.weights.data();
    p.scale = layer.scale.data();
    p.bias = layer.bias.data();
    p.x = second ? scratch.hidden.data() : scratch.codes.data();
    p.y = second ? scratch.codes.data() : scratch.hidden.data();
    if (second) {
      p.residual = scratch.trunk.data();
      p.inverse = layer.inverse.data();
      if (k + 1 == layers_.size()) p.y = nullptr;
    }
    kernels.multiply(p);
  }
}

}  // namespace toguz::native
