// A network as ONNX. Only in builds with the ONNX library; none of its headers here.
#pragma once

#include <string>

#include "models/model.h"

namespace toguz {

// The bytes of a graph from kExportInput, int64 ["batch", activeRows], to exportOutputs(); any
// batch from 1 on. Opset 11, which every runtime since 2019 has. The initialisers are the model's
// tensors under their names; `card` is the metadata entry "card". Passed by ONNX's own checker and
// shape inference; throws Error if they find fault.
std::string onnxModel(const Model& model, const std::string& card);

}  // namespace toguz
