#include "models/model.h"

#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/rng.h"
#include "models/features.h"
#include "models/int8_model.h"
#include "models/model_header.h"

namespace toguz {
namespace {

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

nlohmann::json modelHeader(const Rules& rules, const Architecture& architecture,
                           const nlohmann::json& provenance) {
  nlohmann::json header;
  header["variant"] = rules.name();
  header["features"] = name(architecture.features);
  header["architecture"] = {{"width", architecture.width}, {"blocks", architecture.blocks}};
  header["provenance"] = provenance;
  return header;
}

ModelHeader parseModelHeader(const nlohmann::json& json, const std::string& name) {
  const std::string features = headerText(json, "features", name);
  const auto set = std::find(kFeatureSets.begin(), kFeatureSets.end(), features);
  if (set == kFeatureSets.end())
    throw Error(name + ": made for feature set " + features +
                ", which this program does not have: a newer one made it");
  ModelHeader header;
  header.architecture.features = static_cast<FeatureSet>(set - kFeatureSets.begin());
  try {
    header.rules = Rules::named(headerText(json, "variant", name));
  } catch (const UsageError& error) {
    throw Error(name + ": " + error.what());
  }
  if (!json.contains("architecture") || !json["architecture"].is_object())
    throw Error(name + ": the header lacks architecture");
  header.architecture.width = wholeNumber(json["architecture"], "width", name);
  header.architecture.blocks = wholeNumber(json["architecture"], "blocks", name);
  if (!sound(header.architecture))
    throw Error(name + ": a network of width " + std::to_string(header.architecture.width) +
                " and " + std::to_string(header.architecture.blocks) +
                " blocks is not supported (width a multiple of 16 up to 1024, up to 64 blocks)");
  if (json.contains("provenance")) header.provenance = json["provenance"];
  return header;
}

template <class T>
void checkTensors(const std::vector<T>& table, const std::vector<T>& tensors,
                  const std::string& name) {
  if (table.size() != tensors.size())
    throw Error(name + ": " + std::to_string(tensors.size()) + " tensors where its network has " +
                std::to_string(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    const T& got = tensors[i];
    if (got.name != table[i].name)
      throw Error(name + ": tensor " + got.name + " where " + table[i].name + " belongs");
    if (got.shape != table[i].shape)
      throw Error(name + ": tensor " + got.name + " has shape " + shapeText(got.shape) +
                  " instead of " + shapeText(table[i].shape));
  }
}
template void checkTensors(const std::vector<Tensor>&, const std::vector<Tensor>&,
                           const std::string&);
template void checkTensors(const std::vector<CodeTensor>&, const std::vector<CodeTensor>&,
                           const std::string&);

void checkFinite(const std::vector<Tensor>& tensors, const std::string& name) {
  for (const Tensor& tensor : tensors)
    for (const float x : tensor.data)
      if (!std::isfinite(x))
        throw Error(name + ": not written, tensor " + tensor.name +
                    " of the model holds NaN or infinity");
}

Model modelOf(TensorFile file, const std::string& name) {
  ModelHeader header = parseModelHeader(file.header, name);
  if (!file.codes.empty()) throw Error(name + ": whole numbers in a file of fp32");
  Model model{header.rules, header.architecture, std::move(header.provenance),
              std::move(file.tensors)};
  checkTensors(tensorTable(model.rules, model.architecture), model.tensors, name);
  return model;
}

std::string serializeModel(const Model& model) {
  return writeTensorFile(kModelFile, modelHeader(model.rules, model.architecture, model.provenance),
                         model.tensors);
}

Model parseModel(std::string_view bytes, const std::string& name) {
  AnyModel model = parseAnyModel(bytes, name);
  if (const auto* int8 = std::get_if<Int8Model>(&model))
    throw Error(name + ": an int8 model file, which only plays; name the fp32 file that it was " +
                "made from, " + int8->origin());
  return std::get<Model>(std::move(model));
}

void saveModel(const Model& model, const std::filesystem::path& path) {
  checkTensors(tensorTable(model.rules, model.architecture), model.tensors, path.string());
  checkFinite(model.tensors, path.string());
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
