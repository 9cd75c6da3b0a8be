#include "models/tensor_file.h"

#include <xxhash.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"

namespace toguz {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

constexpr std::size_t kPrefix = 16, kHash = 16;
constexpr const char* kTable = "tensors";
constexpr const char* kCodeTypes[] = {"", "i8", "i16"};  // by bytes

std::string hashOf(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

std::uint32_t readU32(std::string_view bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void append(std::string& out, const void* data, std::size_t size) {
  out.append(static_cast<const char*>(data), size);
}

// Elements of a shape; -1 unless it is a list of whole numbers whose product is sane.
std::int64_t elements(const nlohmann::json& shape) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 32;
  if (!shape.is_array()) return -1;
  std::int64_t count = 1;
  for (const auto& extent : shape) {
    if (!extent.is_number_unsigned()) return -1;
    const auto n = extent.get<std::uint64_t>();
    if (count > 0 && n > static_cast<std::uint64_t>(kLimit / count)) return -1;
    count *= static_cast<std::int64_t>(n);
  }
  return count;
}

// Bytes of a number of a tensor by its entry in the table; 0 for a type that is not known.
int bytesEach(const nlohmann::json& entry) {
  if (!entry.contains("type")) return 4;
  for (const int bytes : {1, 2})
    if (entry["type"] == kCodeTypes[bytes]) return bytes;
  return 0;
}

// Bytes of all tensors by the header's table; -1 if the header makes no sense.
std::int64_t tensorBytes(const nlohmann::json& header, bool mayHoldCodes) {
  if (!header.is_object() || !header.contains(kTable) || !header[kTable].is_array()) return -1;
  std::int64_t total = 0;
  for (const auto& entry : header[kTable]) {
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string() ||
        !entry.contains("shape"))
      return -1;
    const std::int64_t count = elements(entry["shape"]);
    const int bytes = bytesEach(entry);
    if (count < 0 || bytes == 0 || (bytes != 4 && !mayHoldCodes)) return -1;
    total += bytes * count;
  }
  return total;
}

// Of a shape that is known to be sound.
std::int64_t product(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void appendCodes(std::string& out, const CodeTensor& tensor) {
  for (const std::int16_t code : tensor.data) {
    TOGUZ_CHECK(tensor.bytes == 2 || code == static_cast<std::int8_t>(code),
                "a code that its bytes cannot hold");
    append(out, &code, static_cast<std::size_t>(tensor.bytes));  // little-endian: its low byte
  }
}

CodeTensor readCodes(const nlohmann::json& entry, const char* from) {
  CodeTensor tensor{entry["name"], entry["shape"], bytesEach(entry), {}};
  tensor.data.resize(static_cast<std::size_t>(product(tensor.shape)));
  for (std::int16_t& code : tensor.data) {
    if (tensor.bytes == 1)
      code = static_cast<std::int8_t>(*from);
    else
      std::memcpy(&code, from, sizeof code);
    from += tensor.bytes;
  }
  return tensor;
}

}  // namespace

std::string tensorFileId(std::string_view bytes) {
  TOGUZ_CHECK(bytes.size() >= kHash, "not a tensor file");
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes.substr(bytes.size() - kHash)) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

std::string writeTensorFile(const TensorFileKind& kind, const nlohmann::json& header,
                            std::span<const Tensor> tensors, std::span<const CodeTensor> codes) {
  TOGUZ_CHECK(kind.magic.size() == 8, "a magic of eight letters");
  TOGUZ_CHECK(codes.empty() || kind.version >= 2, "a kind of file that holds no whole numbers");
  nlohmann::json full = header;
  full[kTable] = nlohmann::json::array();
  std::size_t total = 0;
  for (const Tensor& tensor : tensors) {
    TOGUZ_CHECK(product(tensor.shape) == static_cast<std::int64_t>(tensor.data.size()),
                "a tensor whose shape and data differ");
    full[kTable].push_back({{"name", tensor.name}, {"shape", tensor.shape}});
    total += 4 * tensor.data.size();
  }
  for (const CodeTensor& tensor : codes) {
    TOGUZ_CHECK(product(tensor.shape) == static_cast<std::int64_t>(tensor.data.size()) &&
                    (tensor.bytes == 1 || tensor.bytes == 2),
                "a tensor whose shape and data differ");
    full[kTable].push_back(
        {{"name", tensor.name}, {"shape", tensor.shape}, {"type", kCodeTypes[tensor.bytes]}});
    total += static_cast<std::size_t>(tensor.bytes) * tensor.data.size();
  }
  const std::string text = full.dump();

  std::string out;
  out.reserve(kPrefix + text.size() + total + kHash);
  out += kind.magic;
  const std::uint32_t words[2] = {codes.empty() ? 1u : 2u, static_cast<std::uint32_t>(text.size())};
  append(out, words, sizeof words);
  out += text;
  for (const Tensor& tensor : tensors) append(out, tensor.data.data(), 4 * tensor.data.size());
  for (const CodeTensor& tensor : codes) appendCodes(out, tensor);
  out += hashOf(out);
  return out;
}

TensorFile readTensorFile(const TensorFileKind& kind, std::string_view bytes,
                          const std::string& name) {
  const auto fail = [&](const std::string& what) { throw Error(name + ": " + what); };
  const std::string kept = "; fetch or make it again, or use an earlier one";

  if (bytes.empty()) fail("the file is empty" + kept);
  const std::string_view magic = bytes.substr(0, kind.magic.size());
  if (magic != kind.magic.substr(0, magic.size()))
    fail(std::string("not ") + kind.what + " (it does not begin with " + std::string(kind.magic) +
         ")");
  if (bytes.size() < kPrefix + kHash) fail("the file is cut short" + kept);
  const std::uint32_t version = readU32(bytes, 8);
  if (version > kind.version)
    fail("written by a newer program (file version " + std::to_string(version) +
         ", this program reads up to " + std::to_string(kind.version) + "); use a newer toguz");
  if (version == 0)
    fail("file version " + std::to_string(version) + " is not known to this program");

  const std::size_t headerSize = readU32(bytes, 12);
  const std::string_view body = bytes.substr(0, bytes.size() - kHash);
  if (kPrefix + headerSize > body.size()) fail("the file is cut short" + kept);
  nlohmann::json header =
      nlohmann::json::parse(body.substr(kPrefix, headerSize), nullptr, /*allow_exceptions=*/false);
  const std::int64_t expected = tensorBytes(header, version >= 2);
  const auto present = static_cast<std::int64_t>(body.size() - kPrefix - headerSize);
  if (hashOf(body) != bytes.substr(body.size()))
    fail((expected > present ? "the file is cut short" : "the file was altered (checksum)") + kept);
  if (expected != present) fail("the header does not fit the tensors" + kept);

  TensorFile file;
  file.id = tensorFileId(bytes);
  std::size_t at = kPrefix + headerSize;
  for (const auto& entry : header[kTable]) {
    if (bytesEach(entry) != 4) {
      file.codes.push_back(readCodes(entry, bytes.data() + at));
      at += static_cast<std::size_t>(file.codes.back().bytes) * file.codes.back().data.size();
      continue;
    }
    Tensor tensor;
    tensor.name = entry["name"].get<std::string>();
    tensor.shape = entry["shape"].get<std::vector<std::int64_t>>();
    tensor.data.resize(static_cast<std::size_t>(product(tensor.shape)));
    std::memcpy(tensor.data.data(), bytes.data() + at, 4 * tensor.data.size());
    at += 4 * tensor.data.size();
    for (const float x : tensor.data)
      if (!std::isfinite(x)) fail("tensor " + tensor.name + " holds NaN or infinity" + kept);
    file.tensors.push_back(std::move(tensor));
  }
  header.erase(kTable);
  file.header = std::move(header);
  return file;
}

}  // namespace toguz
