#include "models/model.h"

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/rng.h"
#include "models/features.h"

namespace toguz {
namespace {

constexpr TensorFileKind kKind{"TOGUZNET", 1, "a Toguz Zero model"};

bool sound(const Architecture& a) {
  return a.width >= 16 && a.width <= 1024 && a.width % 16 == 0 && a.blocks >= 0 && a.blocks <= 64;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += (text.empty() ? "[" : ", ") + std::to_string(n);
  return text + "]";
}

// A header value that is present and a whole number in a range that no rule or network exceeds.
int wholeNumber(const nlohmann::json& object, const char* key, const std::string& name) {
  if (!object.contains(key) || !object[key].is_number_integer())
    throw Error(name + ": the header lacks " + key);
  const auto value = object[key].get<std::int64_t>();
  if (value < 0 || value > 1 << 20)
    throw Error(name + ": the header's " + key + " is out of range");
  return static_cast<int>(value);
}

std::string headerText(const nlohmann::json& header, const char* key, const std::string& name) {
  if (!header.contains(key) || !header[key].is_string())
    throw Error(name + ": the header lacks " + key);
  return header[key].get<std::string>();
}

void checkTensors(const Model& model, const std::string& name) {
  const std::vector<Tensor> table = tensorTable(model.rules, model.architecture);
  if (table.size() != model.tensors.size())
    throw Error(name + ": " + std::to_string(model.tensors.size()) +
                " tensors where its network has " + std::to_string(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Tensor& got = model.tensors[i];
    if (got.name != table[i].name)
      throw Error(name + ": tensor " + got.name + " where " + table[i].name + " belongs");
    if (got.shape != table[i].shape)
      throw Error(name + ": tensor " + got.name + " has shape " + shapeText(got.shape) +
                  " instead of " + shapeText(table[i].shape));
  }
}

}  // namespace

const Tensor& Model::tensor(const std::string& name) const {
  for (const Tensor& t : tensors)
    if (t.name == name) return t;
  TOGUZ_CHECK(false, "a tensor that the model lacks");
  __builtin_unreachable();
}

std::vector<Tensor> tensorTable(const Rules& rules, const Architecture& architecture) {
  const std::int64_t width = architecture.width;
  const std::int64_t outputs = HeadLayout{rules.set().pits}.size();
  std::vector<Tensor> table;
  table.push_back({"input.weight", {featureRows(rules.set(), architecture.features), width}, {}});
  table.push_back({"input.bias", {width}, {}});
  for (int k = 0; k < architecture.blocks; ++k)
    for (const char* layer : {".0", ".1"}) {
      const std::string name = "block." + std::to_string(k) + layer;
      table.push_back({name + ".weight", {width, width}, {}});
      table.push_back({name + ".bias", {width}, {}});
    }
  table.push_back({"head.weight", {outputs, width}, {}});
  table.push_back({"head.bias", {outputs}, {}});
  return table;
}

Model randomModel(const Rules& rules, const Architecture& architecture, std::uint64_t seed) {
  TOGUZ_CHECK(sound(architecture), "a network of a width or depth that is not supported");
  Model model{rules, architecture, nlohmann::json::object(), tensorTable(rules, architecture)};
  Rng rng(seed);
  for (Tensor& tensor : model.tensors) {
    std::size_t count = 1;
    for (const std::int64_t n : tensor.shape) count *= static_cast<std::size_t>(n);
    tensor.data.assign(count, 0.0f);
    // He: variance 2 / fan-in. The input layer sums one row a group, so its fan-in is the groups.
    double fanIn = 0;
    if (tensor.name == "input.weight") fanIn = activeRows(rules.set(), architecture.features);
    if (tensor.name.ends_with(".0.weight")) fanIn = architecture.width;
    if (fanIn == 0) continue;
    const double scale = std::sqrt(2.0 / fanIn);
    for (float& x : tensor.data) x = static_cast<float>(scale * rng.normal());
  }
  return model;
}

std::string serializeModel(const Model& model) {
  nlohmann::json header;
  header["variant"] = model.rules.name();
  header["features"] = name(model.architecture.features);
  header["architecture"] = {{"width", model.architecture.width},
                            {"blocks", model.architecture.blocks}};
  header["provenance"] = model.provenance;
  return writeTensorFile(kKind, header, model.tensors);
}

Model parseModel(std::string_view bytes, const std::string& name) {
  TensorFile file = readTensorFile(kKind, bytes, name);
  const std::string features = headerText(file.header, "features", name);
  const auto set = std::find(kFeatureSets.begin(), kFeatureSets.end(), features);
  if (set == kFeatureSets.end())
    throw Error(name + ": made for feature set " + features +
                ", which this program does not have: a newer one made it");
  Model model;
  model.architecture.features = static_cast<FeatureSet>(set - kFeatureSets.begin());
  try {
    model.rules = Rules::named(headerText(file.header, "variant", name));
  } catch (const UsageError& error) {
    throw Error(name + ": " + error.what());
  }
  if (!file.header.contains("architecture") || !file.header["architecture"].is_object())
    throw Error(name + ": the header lacks architecture");
  const nlohmann::json& architecture = file.header["architecture"];
  model.architecture.width = wholeNumber(architecture, "width", name);
  model.architecture.blocks = wholeNumber(architecture, "blocks", name);
  if (!sound(model.architecture))
    throw Error(name + ": a network of width " + std::to_string(model.architecture.width) +
                " and " + std::to_string(model.architecture.blocks) +
                " blocks is not supported (width a multiple of 16 up to 1024, up to 64 blocks)");
  if (file.header.contains("provenance")) model.provenance = file.header["provenance"];
  model.tensors = std::move(file.tensors);
  checkTensors(model, name);
  return model;
}

void saveModel(const Model& model, const std::filesystem::path& path) {
  checkTensors(model, path.string());
  for (const Tensor& tensor : model.tensors)
    for (const float x : tensor.data)
      if (!std::isfinite(x))
        throw Error(path.string() + ": not written, tensor " + tensor.name +
                    " of the model holds NaN or infinity");
  writeFileAtomically(path, serializeModel(model));
}

Model loadModel(const std::filesystem::path& path) {
  try {
    return parseModel(readFile(path), path.string());
  } catch (const Error& error) {
    throw UsageError(error.what());  // whoever named the file can name another
  }
}

std::string modelId(const Model& model) {
  return tensorFileId(serializeModel(model));
}

}  // namespace toguz
