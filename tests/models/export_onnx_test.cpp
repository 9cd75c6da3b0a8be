// ONNX files, read back by ONNX's own library and run operator by operator in plain loops. A real
// runtime: scripts/check_export.sh.
#include <gmock/gmock.h>
#include <onnx/checker.h>

#include <cmath>
#include <cstring>
#include <map>

#include "models/export_onnx.h"
#include "models/features.h"
#include "tests/models/export_support.h"

namespace toguz {
namespace {

struct Array {
  std::vector<std::int64_t> shape;
  std::vector<float> data;
  std::size_t rows() const { return static_cast<std::size_t>(shape[0]); }
  std::size_t columns() const { return data.size() / rows(); }
};

std::map<std::string, Array> constantsOf(const onnx::GraphProto& graph) {
  std::map<std::string, Array> constants;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    Array& array = constants[tensor.name()];
    array.shape.assign(tensor.dims().begin(), tensor.dims().end());
    array.data.resize(tensor.raw_data().size() / sizeof(float));
    std::memcpy(array.data.data(), tensor.raw_data().data(), tensor.raw_data().size());
  }
  return constants;
}

std::vector<std::int64_t> attribute(const onnx::NodeProto& node, const std::string& name) {
  for (const onnx::AttributeProto& a : node.attribute())
    if (a.name() == name) {
      if (a.type() == onnx::AttributeProto::INT) return {a.i()};
      return {a.ints().begin(), a.ints().end()};
    }
  ADD_FAILURE() << node.name() << " lacks " << name;
  return {0};
}

// The graph's outputs, by the operators' definitions of opset 11.
std::map<std::string, Array> run(const onnx::GraphProto& graph,
                                 const std::vector<std::vector<int>>& rows) {
  std::map<std::string, Array> values = constantsOf(graph);
  const auto batch = static_cast<std::int64_t>(rows.size());
  for (const onnx::NodeProto& node : graph.node()) {
    const std::string& op = node.op_type();
    const Array& a = values.at(node.input(0));
    Array y = a;
    if (op == "Gather") {
      EXPECT_EQ(node.input(1), kExportInput);
      EXPECT_EQ(attribute(node, "axis").front(), 0);
      y.data.clear();
      y.shape = {batch, static_cast<std::int64_t>(rows[0].size()), a.shape[1]};
      for (const auto& position : rows)
        for (const int row : position)
          y.data.insert(y.data.end(), a.data.begin() + row * a.shape[1],
                        a.data.begin() + (row + 1) * a.shape[1]);
    } else if (op == "ReduceSum") {
      EXPECT_EQ(attribute(node, "axes"), std::vector<std::int64_t>{1});
      EXPECT_EQ(attribute(node, "keepdims").front(), 0);
      const auto width = static_cast<std::size_t>(a.shape[2]);
      const auto count = static_cast<std::size_t>(a.shape[1]);
      y.shape = {a.shape[0], a.shape[2]};
      y.data.assign(a.rows() * width, 0.0f);
      for (std::size_t i = 0; i < a.data.size(); ++i)
        y.data[i / (count * width) * width + i % width] += a.data[i];
    } else if (op == "Add" || op == "Mul") {
      const Array& b = values.at(node.input(1));
      for (std::size_t i = 0; i < y.data.size(); ++i) {
        const float other = b.data[i % b.data.size()];
        y.data[i] = op == "Add" ? y.data[i] + other : y.data[i] * other;
      }
    } else if (op == "Relu") {
      for (float& x : y.data) x = std::max(x, 0.0f);
    } else if (op == "Tanh") {
      for (float& x : y.data) x = std::tanh(x);
    } else if (op == "Gemm") {
      EXPECT_EQ(attribute(node, "transB").front(), 1);
      const Array &w = values.at(node.input(1)), &bias = values.at(node.input(2));
      y.shape = {a.shape[0], w.shape[0]};
      y.data.clear();
      for (std::size_t r = 0; r < a.rows(); ++r)
        for (std::size_t o = 0; o < w.rows(); ++o) {
          float sum = bias.data[o];
          for (std::size_t i = 0; i < w.columns(); ++i)
            sum += a.data[r * w.columns() + i] * w.data[o * w.columns() + i];
          y.data.push_back(sum);
        }
    } else if (op == "Split") {
      EXPECT_EQ(attribute(node, "axis").front(), 1);
      const auto sizes = attribute(node, "split");
      std::size_t at = 0;
      for (int part = 0; part < node.output_size(); ++part) {
        const auto size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(part)]);
        Array piece{{a.shape[0], static_cast<std::int64_t>(size)}, {}};
        for (std::size_t r = 0; r < a.rows(); ++r)
          for (std::size_t i = 0; i < size; ++i)
            piece.data.push_back(a.data[r * a.columns() + at + i]);
        at += size;
        values[node.output(part)] = piece;
      }
      EXPECT_EQ(at, a.columns());
      continue;
    } else {
      ADD_FAILURE() << "operator " << op;
    }
    values[node.output(0)] = y;
  }
  return values;
}

TEST(Onnx, AnswersAsTheNativeNetwork) {
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    onnx::ModelProto file;
    ASSERT_TRUE(file.ParseFromString(onnxModel(model, "{}")));
    for (const int batch : test::kBatches) {
      const nlohmann::json examples = exportExamples(std::make_shared<NativeNetwork>(model),
                                                     samplePositions(model.rules, batch));
      std::vector<std::vector<int>> rows;
      for (const auto& example : examples) rows.push_back(example.at("rows"));
      auto values = run(file.graph(), rows);
      for (const onnx::ValueInfoProto& output : file.graph().output()) {
        const Array& got = values.at(output.name());
        ASSERT_EQ(got.rows(), rows.size());
        for (std::size_t i = 0; i < got.data.size(); ++i)
          ASSERT_NEAR(
              got.data[i],
              examples[i / got.columns()]["outputs"][output.name()][i % got.columns()].get<float>(),
              1e-4f)
              << output.name() << ' ' << i;
      }
    }
  }
}

TEST(Onnx, IsSoundAndHoldsTheModelsTensors) {
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    onnx::ModelProto file;
    ASSERT_TRUE(file.ParseFromString(onnxModel(model, "{\"a\":1}")));
    EXPECT_NO_THROW(onnx::checker::check_model(file));
    const auto constants = constantsOf(file.graph());
    EXPECT_EQ(constants.size(), model.tensors.size() + 1);
    for (const Tensor& tensor : model.tensors) {
      EXPECT_EQ(constants.at(tensor.name).shape, tensor.shape);
      EXPECT_EQ(constants.at(tensor.name).data, tensor.data);
    }
    ASSERT_EQ(file.graph().input_size(), 1);
    const auto& input = file.graph().input(0);
    EXPECT_EQ(input.name(), "rows");
    EXPECT_EQ(input.type().tensor_type().elem_type(), onnx::TensorProto::INT64);
    const auto& shape = input.type().tensor_type().shape();
    ASSERT_EQ(shape.dim_size(), 2);
    EXPECT_EQ(shape.dim(0).dim_param(), "batch");
    EXPECT_EQ(shape.dim(1).dim_value(), activeRows(model.rules.set(), model.architecture.features));
    const auto outputs = exportOutputs(model.rules.set().pits);
    ASSERT_EQ(file.graph().output_size(), static_cast<int>(outputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto& output = file.graph().output(static_cast<int>(i));
      EXPECT_EQ(output.name(), outputs[i].name);
      EXPECT_EQ(output.type().tensor_type().shape().dim(0).dim_param(), "batch");
      EXPECT_EQ(output.type().tensor_type().shape().dim(1).dim_value(), outputs[i].size);
    }
    EXPECT_EQ(file.opset_import(0).version(), 11);
    EXPECT_EQ(file.metadata_props(0).value(), "{\"a\":1}");
  }
}

}  // namespace
}  // namespace toguz
