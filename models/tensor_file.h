// The container of model files and trainer states: eight letters of magic, version u32, header
// length u32, a JSON header that ends with the table of tensors, the tensors as little-endian
// numbers in the table's order, and the XXH3-128 of all before. Files of version 1 hold float32
// alone, those of version 2 whole numbers after them ("type" "i8" or "i16" in the table).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

// Row-major float32.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> data;
};

// Row-major whole numbers, each of `bytes` (1 or 2) in the file.
struct CodeTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  int bytes = 1;
  std::vector<std::int16_t> data;
};

struct TensorFileKind {
  std::string_view magic;     // eight characters
  std::uint32_t version = 1;  // the newest that is read; 2 if it may hold whole numbers
  const char* what = "";      // "a Toguz Zero model"
};

struct TensorFile {
  nlohmann::json header;  // without the tensor table
  std::vector<Tensor> tensors;
  std::vector<CodeTensor> codes;
  std::string id;  // the closing hash, 32 hex digits
};

// Of version 1 if there are no codes.
std::string writeTensorFile(const TensorFileKind& kind, const nlohmann::json& header,
                            std::span<const Tensor> tensors,
                            std::span<const CodeTensor> codes = {});

// `name` is what errors call the file. Throws Error with one line: not such a file, a newer
// version, cut short, altered, a broken header, a tensor that holds NaN or infinity.
TensorFile readTensorFile(const TensorFileKind& kind, std::string_view bytes,
                          const std::string& name);

// The hash that closes the file, as 32 hex digits.
std::string tensorFileId(std::string_view bytes);

}  // namespace toguz
