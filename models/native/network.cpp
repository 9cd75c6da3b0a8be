#include "models/native/network.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "models/features.h"
#include "models/head.h"
#include "models/native/int8_trunk.h"
#include "models/native/kernels.h"

namespace toguz {

using native::AlignedFloats;
using native::Int8Trunk;
using native::Layer;

namespace {

// Positions that go through all layers together: their activations stay in the near caches.
constexpr int kChunk = 64;

// M is Model or Int8Model.
template <class M>
Layer layerOf(const M& model, const std::string& name) {
  const Tensor& w = model.tensor(name + ".weight");
  return Layer(w.data.data(), model.tensor(name + ".bias").data.data(),
               static_cast<int>(w.shape[1]), static_cast<int>(w.shape[0]));
}

}  // namespace

struct NativeNetwork::Weights {
  Rules rules;
  Architecture architecture;
  std::string id;
  std::optional<Int8Trunk> int8;  // instead of the next three
  AlignedFloats input;            // [rows][width]
  AlignedFloats inputBias;        // [width]
  std::vector<Layer> layers;      // two a block
  Layer head;
};

NativeNetwork::NativeNetwork(const Model& model, Precision precision) {
  auto weights = std::make_unique<Weights>();
  weights->rules = model.rules;
  weights->architecture = model.architecture;
  weights->id = modelId(model);
  const auto copy = [](const Tensor& tensor) {
    AlignedFloats floats(tensor.data.size());
    std::copy(tensor.data.begin(), tensor.data.end(), floats.data());
    return floats;
  };
  if (precision == Precision::Int8 || (precision == Precision::Auto && native::int8IsFast())) {
    weights->int8.emplace(model, native::measurePeaks(model));
  } else {
    weights->input = copy(model.tensor("input.weight"));
    weights->inputBias = copy(model.tensor("input.bias"));
    for (int k = 0; k < model.architecture.blocks; ++k)
      for (const char* part : {".0", ".1"})
        weights->layers.push_back(layerOf(model, "block." + std::to_string(k) + part));
  }
  weights->head = layerOf(model, "head");
  weights_ = std::move(weights);
}

NativeNetwork::NativeNetwork(const Int8Model& model) {
  auto weights = std::make_unique<Weights>();
  weights->rules = model.rules;
  weights->architecture = model.architecture;
  weights->id = modelId(model);
  weights->int8.emplace(model);
  weights->head = layerOf(model, "head");
  weights_ = std::move(weights);
}

std::shared_ptr<const NativeNetwork> NativeNetwork::load(const std::filesystem::path& path,
                                                         Precision precision) {
  const AnyModel any = loadAnyModel(path);
  if (const auto* model = std::get_if<Model>(&any))
    return std::make_shared<const NativeNetwork>(*model, precision);
  const auto& model = std::get<Int8Model>(any);
  if (precision == Precision::Fp32)
    throw UsageError(path.string() +
                     ": an int8 model file, and fp32 is asked for; take precision int8 or auto, " +
                     "or the fp32 file that it was made from, " + model.origin());
  return std::make_shared<const NativeNetwork>(model);
}

NativeNetwork::~NativeNetwork() = default;
const Rules& NativeNetwork::rules() const {
  return weights_->rules;
}
const Architecture& NativeNetwork::architecture() const {
  return weights_->architecture;
}
const std::string& NativeNetwork::id() const {
  return weights_->id;
}
std::uint64_t NativeNetwork::cacheKey() const {
  // The two arithmetics answer differently; 0 stands for an empty slot.
  const std::uint64_t key = std::stoull(weights_->id.substr(0, 16), nullptr, 16);
  return (key & ~std::uint64_t{3}) | (weights_->int8 ? 2u : 1u);
}
Precision NativeNetwork::precision() const {
  return weights_->int8 ? Precision::Int8 : Precision::Fp32;
}

// Activations of one chunk. Sized once: a batch of any size goes through chunk by chunk.
struct NativeEvaluator::Scratch {
  explicit Scratch(const NativeNetwork::Weights& w)
      : head(static_cast<std::size_t>(kChunk * w.head.paddedOutputs())) {
    if (w.int8) {
      int8.emplace(w.architecture.width);
    } else {
      trunk = AlignedFloats(static_cast<std::size_t>(kChunk * w.architecture.width));
      hidden = AlignedFloats(static_cast<std::size_t>(kChunk * w.architecture.width));
    }
  }

  // Head outputs of `count` positions into `head`, one row of paddedOutputs() each.
  template <class R>
  void forward(const NativeNetwork::Weights& w, const R& rules, const Position* positions,
               int count) {
    if (w.int8)
      forwardInt8(w, rules, positions, count);
    else
      forwardFp32(w, rules, positions, count);
  }

  template <class R>
  void forwardFp32(const NativeNetwork::Weights& w, const R& rules, const Position* positions,
                   int count) {
    const int width = w.architecture.width, rows = activeRows(rules.set(), w.architecture.features);
    for (int i = 0; i < count; ++i) {
      FeatureRow active[kMaxActiveRows];
      encodeFeatures(rules, w.architecture.features, positions[i], active);
      native::sumRows(w.input.data(), w.inputBias.data(), active, rows, width,
                      trunk.data() + i * width);
    }
    for (std::size_t k = 0; k < w.layers.size(); k += 2) {
      w.layers[k].apply(trunk.data(), nullptr, hidden.data(), count, true);
      w.layers[k + 1].apply(hidden.data(), trunk.data(), trunk.data(), count, true);
    }
    w.head.apply(trunk.data(), nullptr, head.data(), count, false);
  }

  template <class R>
  void forwardInt8(const NativeNetwork::Weights& w, const R& rules, const Position* positions,
                   int count) {
    const FeatureSet set = w.architecture.features;
    const int rows = activeRows(rules.set(), set);
    FeatureRow active[Int8Trunk::kChunk * kMaxActiveRows];
    for (int first = 0; first < count; first += Int8Trunk::kChunk) {
      const int part = std::min(Int8Trunk::kChunk, count - first);
      for (int i = 0; i < part; ++i)
        encodeFeatures(rules, set, positions[first + i], active + i * rows);
      w.int8->run(*native::int8Kernels().front(), active, rows, part, *int8);
      w.head.apply(int8->trunk.data(), nullptr, head.data() + first * w.head.paddedOutputs(), part,
                   false, /*fused=*/false);
    }
  }

  AlignedFloats trunk, hidden;
  std::optional<Int8Trunk::Scratch> int8;
  AlignedFloats head;
};

NativeEvaluator::NativeEvaluator(std::shared_ptr<const NativeNetwork> network)
    : network_(std::move(network)), scratch_(std::make_unique<Scratch>(network_->weights())) {}
NativeEvaluator::~NativeEvaluator() = default;

void NativeEvaluator::evaluate(std::span<const Position> positions, std::span<Evaluation> out) {
  TOGUZ_CHECK(positions.size() == out.size(), "one evaluation a position");
  const NativeNetwork::Weights& w = network_->weights();
  withRules(w.rules, [&](const auto& rules) {
    for (std::size_t first = 0; first < positions.size(); first += kChunk) {
      const int count = static_cast<int>(std::min<std::size_t>(kChunk, positions.size() - first));
      scratch_->forward(w, rules, positions.data() + first, count);
      const float* raw = scratch_->head.data();
      for (int i = 0; i < count; ++i, raw += w.head.paddedOutputs()) {
        const std::size_t at = first + static_cast<std::size_t>(i);
        decodeHead(raw, rules.set().pits, legalMoves(rules, positions[at]), out[at]);
      }
    }
  });
}

void NativeEvaluator::evaluateRaw(std::span<const Position> positions, std::span<float> out) {
  const NativeNetwork::Weights& w = network_->weights();
  const auto size = static_cast<std::size_t>(HeadLayout{w.rules.set().pits}.size());
  TOGUZ_CHECK(positions.size() * size == out.size(), "one row of head outputs a position");
  withRules(w.rules, [&](const auto& rules) {
    for (std::size_t first = 0; first < positions.size(); first += kChunk) {
      const int count = static_cast<int>(std::min<std::size_t>(kChunk, positions.size() - first));
      scratch_->forward(w, rules, positions.data() + first, count);
      const float* raw = scratch_->head.data();
      for (int i = 0; i < count; ++i, raw += w.head.paddedOutputs())
        std::memcpy(&out[(first + static_cast<std::size_t>(i)) * size], raw, size * sizeof(float));
    }
  });
}

}  // namespace toguz
