// A network quantised for good, as data, with its file format: what the native network computes
// from an fp32 model when it runs in int8. It plays to the bit as that model does in int8, from a
// file of less than half the size; it cannot be trained or turned back.
//
// File: as a model's (models/model.h), of version 2, with "precision": "int8" in the header.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/model.h"

namespace toguz {

// Arithmetic: native/int8_kernels.h. Tensors, in file order; `inverse` is 1 / step of the codes
// that the next layer takes:
//   input.scale [width]          input.inverse [width]
//   block.K.0.scale [width]      block.K.0.bias
//   block.K.1.scale              block.K.1.bias     block.K.1.inverse
//   head.weight, head.bias       as in a Model
// Codes, after them:
//   input.weight [rows, width] and input.bias [width], two bytes each; no sum leaves 16 bits
//   block.K.0.weight [width, width] (out, in)   block.K.1.weight
struct Int8Model {
  Rules rules;
  Architecture architecture;
  nlohmann::json provenance = nlohmann::json::object();  // the fp32 model's and "quantized_from"
  std::vector<Tensor> tensors;
  std::vector<CodeTensor> codes;

  const Tensor& tensor(const std::string& name) const;    // TOGUZ_CHECK: it exists
  const CodeTensor& code(const std::string& name) const;  // the same
  // The fp32 model that it was made from, for errors: "id 0123..".
  std::string origin() const;
};

// Takes some 10 ms: see NativeNetwork. Always the same for the same model on one kind of build.
Int8Model quantized(const Model& model);

// As those of a Model.
std::string serializeModel(const Int8Model& model);
void saveModel(const Int8Model& model, const std::filesystem::path& path);
std::string modelId(const Int8Model& model);

// A model file of either form. Errors as of parseModel and loadModel.
using AnyModel = std::variant<Model, Int8Model>;
AnyModel parseAnyModel(std::string_view bytes, const std::string& name);
AnyModel loadAnyModel(const std::filesystem::path& path);

}  // namespace toguz
