// TorchScript files, loaded by LibTorch alone.
#include <gmock/gmock.h>
#include <torch/script.h>

#include <sstream>

#include "models/export_torchscript.h"
#include "models/torch/runtime.h"
#include "tests/models/export_support.h"

namespace toguz {
namespace {

TEST(TorchScript, AnswersAsTheNativeNetwork) {
  limitTorchThreads();
  const torch::NoGradGuard guard;
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    std::istringstream file(torchScriptModel(model, "{\"a\":1}"));
    torch::jit::ExtraFilesMap extra{{"card.json", ""}};
    torch::jit::Module module = torch::jit::load(file, torch::kCPU, extra);
    EXPECT_EQ(extra["card.json"], "{\"a\":1}");
    for (const int batch : test::kBatches) {
      const nlohmann::json examples = exportExamples(std::make_shared<NativeNetwork>(model),
                                                     samplePositions(model.rules, batch));
      std::vector<std::int64_t> rows;
      for (const auto& example : examples)
        for (const std::int64_t row : example.at("rows")) rows.push_back(row);
      const torch::Tensor input = torch::tensor(rows, torch::kInt64).reshape({batch, -1});
      const auto outputs = module.forward({input}).toGenericDict();
      ASSERT_EQ(outputs.size(), 5u);
      for (const ExportOutput& output : exportOutputs(model.rules.set().pits)) {
        const torch::Tensor got = outputs.at(output.name).toTensor();
        ASSERT_EQ(got.sizes(), (torch::IntArrayRef{batch, output.size})) << output.name;
        ASSERT_TRUE(got.is_contiguous());
        const float* values = got.data_ptr<float>();
        for (int i = 0; i < batch * output.size; ++i)
          ASSERT_NEAR(values[i],
                      examples[static_cast<std::size_t>(i / output.size)]["outputs"][output.name]
                              [static_cast<std::size_t>(i % output.size)]
                                  .get<float>(),
                      1e-4f)
              << output.name << ' ' << i;
      }
    }
  }
}

TEST(TorchScript, ParametersAreTheModelsTensors) {
  const Model model = test::busyModel(Rules::named("bestemshe"), {16, 1}, 1);
  std::istringstream file(torchScriptModel(model, "{}"));
  const torch::jit::Module module = torch::jit::load(file);
  std::size_t count = 0;
  for (const auto& named : module.named_parameters()) {
    std::string name = named.name;
    std::replace(name.begin(), name.end(), '_', '.');
    const Tensor& want = model.tensor(name);
    ASSERT_EQ(named.value.sizes(), torch::IntArrayRef(want.shape));
    EXPECT_EQ(std::vector<float>(named.value.data_ptr<float>(),
                                 named.value.data_ptr<float>() + named.value.numel()),
              want.data);
    EXPECT_FALSE(named.value.requires_grad());
    ++count;
  }
  EXPECT_EQ(count, model.tensors.size());
}

}  // namespace
}  // namespace toguz
