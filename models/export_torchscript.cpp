#include "models/export_torchscript.h"

#include <torch/script.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "models/export_card.h"

namespace toguz {
namespace {

// Unrolled: a script has no list of parameters. Operators alone that LibTorch has always had.
std::string forwardSource(const Model& model) {
  const auto linear = [](const std::string& name, const std::string& x) {
    return "torch.addmm(self." + name + "_bias, " + x + ", self." + name + "_weight.t())";
  };
  std::string source = "def forward(self, " + std::string(kExportInput) +
                       ": Tensor) -> Dict[str, Tensor]:\n"
                       "  x = torch.sum(torch.embedding(self.input_weight, " +
                       kExportInput +
                       "), [1])\n"
                       "  x = torch.relu(x + self.input_bias)\n";
  for (int k = 0; k < model.architecture.blocks; ++k) {
    const std::string block = "block_" + std::to_string(k);
    source += "  y = torch.relu(" + linear(block + "_0", "x") + ")\n";
    source += "  x = torch.relu(x + " + linear(block + "_1", "y") + ")\n";
  }
  source += "  y = " + linear("head", "x") + "\n  return {";
  int at = 0;
  for (const ExportOutput& output : exportOutputs(model.rules.set().pits)) {
    const std::string name = output.name;
    std::string part = "y[:, " + std::to_string(at) + ":" + std::to_string(at + output.size) + "]";
    at += output.size;
    if (name == "margin") part = "(" + part + " * " + std::to_string(kMarginUnit) + ")";
    if (name == "short_value") part = "torch.tanh(" + part + ")";
    source += "\"" + name + "\": " + part + ".contiguous(), ";
  }
  return source.substr(0, source.size() - 2) + "}\n";
}

}  // namespace

std::string torchScriptModel(const Model& model, const std::string& card) {
  try {
    torch::jit::Module module("ToguzNetwork");
    for (const Tensor& tensor : model.tensors) {
      std::string name = tensor.name;
      std::replace(name.begin(), name.end(), '.', '_');  // names may hold no dot
      const torch::Tensor data =
          torch::from_blob(const_cast<float*>(tensor.data.data()), tensor.shape, torch::kFloat32);
      module.register_parameter(name, data.clone(), /*is_buffer=*/false);
    }
    module.define(forwardSource(model));
    module.eval();
    std::ostringstream out;
    module.save(out, {{"card.json", card}});
    return std::move(out).str();
  } catch (const c10::Error& error) {
    throw toguz::Error("the model cannot be written as TorchScript: " +
                       std::string(error.what_without_backtrace()));
  }
}

}  // namespace toguz
