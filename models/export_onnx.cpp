#include "models/export_onnx.h"

#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "base/error.h"
#include "models/export_card.h"
#include "models/features.h"

namespace toguz {
namespace {

// The oldest of each that holds nothing back: initialisers need not be inputs (IR 4), and every
// operator here stayed as it was from opset 11 to 12.
constexpr int kIrVersion = 6, kOpset = 11;
constexpr const char* kBatch = "batch";

void setType(onnx::ValueInfoProto& value, const std::string& name, int type, int columns) {
  value.set_name(name);
  auto* tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  tensor->mutable_shape()->add_dim()->set_dim_param(kBatch);
  tensor->mutable_shape()->add_dim()->set_dim_value(columns);
}

class GraphWriter {
 public:
  explicit GraphWriter(onnx::GraphProto& graph) : graph_(graph) {}

  void constant(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<float>& data) {
    onnx::TensorProto& tensor = *graph_.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (const std::int64_t n : shape) tensor.add_dims(n);
    tensor.set_raw_data(data.data(), data.size() * sizeof(float));
  }

  onnx::NodeProto& node(const char* op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
    onnx::NodeProto& node = *graph_.add_node();
    node.set_op_type(op);
    node.set_name(outputs.front() + "_node");
    for (const std::string& input : inputs) node.add_input(input);
    for (const std::string& output : outputs) node.add_output(output);
    return node;
  }

  // x W^T + b
  void linear(const std::string& name, const std::string& x, const std::string& y) {
    integer(node("Gemm", {x, name + ".weight", name + ".bias"}, {y}), "transB", 1);
  }

  static void integer(onnx::NodeProto& node, const char* name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }
  static void integers(onnx::NodeProto& node, const char* name,
                       const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute.add_ints(value);
  }

 private:
  onnx::GraphProto& graph_;
};

void writeGraph(const Model& model, onnx::GraphProto& graph) {
  const RuleSet& rules = model.rules.set();
  graph.set_name("toguz");
  setType(*graph.add_input(), kExportInput, onnx::TensorProto::INT64,
          activeRows(rules, model.architecture.features));
  GraphWriter to(graph);
  for (const Tensor& tensor : model.tensors) to.constant(tensor.name, tensor.shape, tensor.data);
  to.constant("margin.unit", {1}, {kMarginUnit});

  to.integer(to.node("Gather", {"input.weight", kExportInput}, {"active"}), "axis", 0);
  onnx::NodeProto& sum = to.node("ReduceSum", {"active"}, {"sum"});
  to.integers(sum, "axes", {1});
  to.integer(sum, "keepdims", 0);
  to.node("Add", {"sum", "input.bias"}, {"input.sum"});
  std::string x = "input.out";
  to.node("Relu", {"input.sum"}, {x});
  for (int k = 0; k < model.architecture.blocks; ++k) {
    const std::string block = "block." + std::to_string(k);
    to.linear(block + ".0", x, block + ".0.sum");
    to.node("Relu", {block + ".0.sum"}, {block + ".0.out"});
    to.linear(block + ".1", block + ".0.out", block + ".1.sum");
    to.node("Add", {x, block + ".1.sum"}, {block + ".sum"});
    x = block + ".out";
    to.node("Relu", {block + ".sum"}, {x});
  }
  to.linear("head", x, "head.out");

  std::vector<std::string> parts;
  std::vector<std::int64_t> sizes;
  for (const ExportOutput& output : exportOutputs(rules.pits)) {
    const std::string name = output.name;
    const bool direct = name != "margin" && name != "short_value";
    parts.push_back(direct ? name : "head." + name);
    sizes.push_back(output.size);
    setType(*graph.add_output(), name, onnx::TensorProto::FLOAT, output.size);
  }
  onnx::NodeProto& split = to.node("Split", {"head.out"}, parts);
  to.integer(split, "axis", 1);
  to.integers(split, "split", sizes);
  to.node("Mul", {"head.margin", "margin.unit"}, {"margin"});
  to.node("Tanh", {"head.short_value"}, {"short_value"});
}

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string onnxModel(const Model& model, const std::string& card) {
  onnx::ModelProto file;
  file.set_ir_version(kIrVersion);
  file.set_producer_name("Toguz Zero");
  file.add_opset_import()->set_version(kOpset);
  onnx::StringStringEntryProto& entry = *file.add_metadata_props();
  entry.set_key("card");
  entry.set_value(card);
  writeGraph(model, *file.mutable_graph());
  try {
    onnx::checker::check_model(file);
    onnx::ModelProto inferred = file;  // inference adds what it infers
    onnx::shape_inference::InferShapes(inferred, onnx::OpSchemaRegistry::Instance(),
                                       {/*check_type=*/true, /*strict_mode=*/1});
  } catch (const std::exception& error) {
    throw Error("the model cannot be written as ONNX: " + oneLine(error.what()));
  }
  std::string bytes;
  if (!file.SerializeToString(&bytes)) throw Error("the model is too large for one ONNX file");
  return bytes;
}

}  // namespace toguz
