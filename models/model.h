// A trained network as data: architecture, provenance and weights, with its file format.
//
// The network: x0 = relu(bias + sum of the active rows); for each block
// x = relu(x + W2 relu(W1 x + b1) + b2); then one linear layer whose outputs are, in this order,
//   policy logits [N], win/draw/loss logits [3], margin [1], reply logits [N], short-term value
//   [1].
// margin is in units of kMarginUnit balls; the short-term value goes through tanh. All for the side
// to move; reply logits are over the opponent's pits at his next move.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/rules.h"
#include "models/feature_set.h"
#include "models/tensor_file.h"

namespace toguz {

inline constexpr float kMarginUnit = 20.0f;

struct Architecture {
  int width = 128;  // a multiple of 16, 16..1024
  int blocks = 4;   // 0..64, two layers each
  FeatureSet features = FeatureSet::Rows1;
  bool operator==(const Architecture&) const = default;
};

// Outputs of the head layer and where each group starts.
struct HeadLayout {
  int pits;
  int policy() const { return 0; }
  int outcome() const { return pits; }
  int margin() const { return pits + 3; }
  int reply() const { return pits + 4; }
  int shortValue() const { return 2 * pits + 4; }
  int size() const { return 2 * pits + 5; }
};

// Tensors, in file order:
//   input.weight [rows, width]   input.bias [width]
//   block.K.0.weight [width, width] (out, in)   block.K.0.bias   block.K.1.weight   block.K.1.bias
//   head.weight [HeadLayout::size(), width]     head.bias
struct Model {
  Rules rules;
  Architecture architecture;
  nlohmann::json provenance = nlohmann::json::object();  // run, generation, step, games, time, ...
  std::vector<Tensor> tensors;

  const Tensor& tensor(const std::string& name) const;  // TOGUZ_CHECK: it exists
};

// Names and shapes of the tensors of such a network, in file order; no data.
std::vector<Tensor> tensorTable(const Rules& rules, const Architecture& architecture);

// All tensors of the right names and shapes, randomly initialised (He; the second layer of each
// block and the heads start at zero, so a new network answers uniform policy and level value).
Model randomModel(const Rules& rules, const Architecture& architecture, std::uint64_t seed);

// File: "TOGUZNET", version u32, header length u32, JSON header (variant, feature set,
// architecture, provenance, tensor table), tensors as little-endian float32, XXH3-128 of all
// before. Written to a temporary file and renamed; a model with a weight that is not finite is not
// written (Error). Loading throws Error with one line naming the file and what is wrong (not a
// model, a newer version, cut short, altered, wrong shapes, non-finite weight).
void saveModel(const Model& model, const std::filesystem::path& path);
Model loadModel(const std::filesystem::path& path);
// The file's bytes and back; `name` is what errors call it.
std::string serializeModel(const Model& model);
Model parseModel(std::string_view bytes, const std::string& name);
// The hash that the file ends with, as 32 hex digits: the model's identity.
std::string modelId(const Model& model);

}  // namespace toguz
