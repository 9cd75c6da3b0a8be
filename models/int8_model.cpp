#include "models/int8_model.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "models/features.h"
#include "models/model_header.h"
#include "models/native/int8_trunk.h"

namespace toguz {
namespace {

constexpr const char* kOrigin = "quantized_from";

template <class T>
const T& named(const std::vector<T>& tensors, const std::string& name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const T& tensor) { return tensor.name == name; });
  TOGUZ_CHECK(found != tensors.end(), "a tensor that the model lacks");
  return *found;
}

std::string blockName(int block, const char* what) {
  return "block." + std::to_string(block) + "." + what;
}

std::vector<Tensor> tensorTableOf(const Int8Model& model) {
  const std::int64_t width = model.architecture.width;
  std::vector<Tensor> table;
  table.push_back({"input.scale", {width}, {}});
  table.push_back({"input.inverse", {width}, {}});
  for (int k = 0; k < model.architecture.blocks; ++k)
    for (const char* what : {"0.scale", "0.bias", "1.scale", "1.bias", "1.inverse"})
      table.push_back({blockName(k, what), {width}, {}});
  const std::vector<Tensor> fp32 = tensorTable(model.rules, model.architecture);
  table.insert(table.end(), fp32.end() - 2, fp32.end());  // the head
  return table;
}

std::vector<CodeTensor> codeTableOf(const Int8Model& model) {
  const std::int64_t width = model.architecture.width;
  const std::int64_t rows = featureRows(model.rules.set(), model.architecture.features);
  std::vector<CodeTensor> table;
  table.push_back({"input.weight", {rows, width}, 2, {}});
  table.push_back({"input.bias", {width}, 2, {}});
  for (int k = 0; k < model.architecture.blocks; ++k)
    for (const char* what : {"0.weight", "1.weight"})
      table.push_back({blockName(k, what), {width, width}, 1, {}});
  return table;
}

// The kernels agree only where no sum of a row of each group leaves 16 bits.
void checkSums(const Int8Model& model, const std::string& name) {
  const auto width = static_cast<std::size_t>(model.architecture.width);
  const std::vector<std::int16_t>& weights = model.code("input.weight").data;
  const std::vector<std::int16_t>& bias = model.code("input.bias").data;
  const std::vector<int> groups = featureGroups(model.rules.set(), model.architecture.features);
  for (std::size_t i = 0; i < width; ++i) {
    int bound = std::abs(int{bias[i]});
    std::size_t row = 0;
    for (const int size : groups) {
      int largest = 0;
      for (const std::size_t end = row + static_cast<std::size_t>(size); row < end; ++row)
        largest = std::max(largest, std::abs(int{weights[row * width + i]}));
      bound += largest;
    }
    if (bound > 32767) throw Error(name + ": sums of input.weight may leave 16 bits");
  }
}

void check(const Int8Model& model, const std::string& name) {
  checkTensors(tensorTableOf(model), model.tensors, name);
  const std::vector<CodeTensor> codes = codeTableOf(model);
  checkTensors(codes, model.codes, name);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (codes[i].bytes != model.codes[i].bytes)
      throw Error(name + ": tensor " + codes[i].name + " is of another type");
  for (const Tensor& tensor : model.tensors)
    if (tensor.name.ends_with(".inverse"))
      for (const float x : tensor.data)
        if (x < 0) throw Error(name + ": tensor " + tensor.name + " holds a negative number");
  checkSums(model, name);
}

}  // namespace

const Tensor& Int8Model::tensor(const std::string& name) const {
  return named(tensors, name);
}
const CodeTensor& Int8Model::code(const std::string& name) const {
  return named(codes, name);
}

std::string Int8Model::origin() const {
  if (!provenance.is_object() || !provenance.contains(kOrigin) || !provenance[kOrigin].is_string())
    return "whose id is not known";
  return "id " + provenance[kOrigin].get<std::string>();
}

Int8Model quantized(const Model& model) {
  Int8Model out{model.rules, model.architecture, nlohmann::json::object(), {}, {}};
  if (model.provenance.is_object()) out.provenance = model.provenance;
  out.provenance[kOrigin] = modelId(model);
  native::Int8Trunk(model, native::measurePeaks(model)).store(out);
  for (const char* name : {"head.weight", "head.bias"}) out.tensors.push_back(model.tensor(name));
  return out;
}

std::string serializeModel(const Int8Model& model) {
  nlohmann::json header = modelHeader(model.rules, model.architecture, model.provenance);
  header["precision"] = "int8";
  return writeTensorFile(kModelFile, header, model.tensors, model.codes);
}

void saveModel(const Int8Model& model, const std::filesystem::path& path) {
  check(model, path.string());
  checkFinite(model.tensors, path.string());
  writeFileAtomically(path, serializeModel(model));
}

std::string modelId(const Int8Model& model) {
  return tensorFileId(serializeModel(model));
}

AnyModel parseAnyModel(std::string_view bytes, const std::string& name) {
  TensorFile file = readTensorFile(kModelFile, bytes, name);
  if (!file.header.contains("precision")) return modelOf(std::move(file), name);
  if (file.header["precision"] != "int8")
    throw Error(name + ": holds a network in " + file.header["precision"].dump() +
                ", which this program does not have: a newer one made it");
  ModelHeader header = parseModelHeader(file.header, name);
  Int8Model model{header.rules, header.architecture, std::move(header.provenance),
                  std::move(file.tensors), std::move(file.codes)};
  check(model, name);
  return model;
}

AnyModel loadAnyModel(const std::filesystem::path& path) {
  try {
    return parseAnyModel(readFile(path), path.string());
  } catch (const Error& error) {
    throw UsageError(error.what());  // whoever named the file can name another
  }
}

}  // namespace toguz
