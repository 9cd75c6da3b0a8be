// A network as TorchScript. Only in builds with LibTorch; no torch headers here.
#pragma once

#include <string>

#include "models/model.h"

namespace toguz {

// The bytes of a module whose forward(rows) takes int64 [batch, activeRows] and returns a
// Dict[str, Tensor] of exportOutputs(), contiguous. Parameters have the names of the model's
// tensors with '_' for '.'; `card` lies within as the extra file "card.json".
std::string torchScriptModel(const Model& model, const std::string& card);

}  // namespace toguz
