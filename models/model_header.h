// What the forms of a model file share: the container's kind, the header, the check of its tables.
// Internal to models/.
#pragma once

#include <string>
#include <vector>

#include "models/model.h"

namespace toguz {

inline constexpr TensorFileKind kModelFile{"TOGUZNET", 2, "a Toguz Zero model"};

struct ModelHeader {
  Rules rules;
  Architecture architecture;
  nlohmann::json provenance = nlohmann::json::object();
};

nlohmann::json modelHeader(const Rules& rules, const Architecture& architecture,
                           const nlohmann::json& provenance);
// Throws Error with one line that begins with `name`.
ModelHeader parseModelHeader(const nlohmann::json& header, const std::string& name);
// An fp32 model from a file that has been read; the same errors.
Model modelOf(TensorFile file, const std::string& name);

// Names and shapes are `table`'s, in its order; T is Tensor or CodeTensor. Throws Error.
template <class T>
void checkTensors(const std::vector<T>& table, const std::vector<T>& tensors,
                  const std::string& name);
// Throws Error, that `name` was not written, if a number is NaN or infinite.
void checkFinite(const std::vector<Tensor>& tensors, const std::string& name);

}  // namespace toguz
