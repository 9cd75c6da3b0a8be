#include "training/event_file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "base/error.h"

namespace toguz {
namespace {

constexpr std::array<std::uint32_t, 256> makeTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
    table[i] = crc;
  }
  return table;
}

std::uint32_t masked(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

template <class Int>
std::string littleEndian(Int value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

// Protocol buffer fields: a key of number and wire type, then the value.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string doubleField(int number, double value) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 1) +
         littleEndian(std::bit_cast<std::uint64_t>(value));
}
std::string intField(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
std::string bytesField(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string floatField(int number, float value) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 5) +
         littleEndian(std::bit_cast<std::uint32_t>(value));
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void addScalars(std::string& summary, const std::string& name,
                const nlohmann::ordered_json& value) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      addScalars(summary, name.empty() ? key : name + "/" + key, item);
  } else if (value.is_number()) {
    // Summary.value: tag, simple_value.
    summary += bytesField(1, bytesField(1, name) + floatField(2, value.get<float>()));
  }
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = makeTable();
  std::uint32_t crc = ~0u;
  for (const char c : bytes)
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto seconds = static_cast<std::uint64_t>(now());
  for (int n = 0;; ++n) {
    // TensorBoard takes files of a folder in the order of their names.
    char name[80];
    std::snprintf(name, sizeof name, "events.out.tfevents.%010llu.toguz.%d",
                  static_cast<unsigned long long>(seconds), n);
    path_ = folder / name;
    file_ = std::fopen(path_.c_str(), "wbx");
    if (file_ || errno != EEXIST) break;
  }
  if (!file_)
    throw Error("cannot write " + path_.string() + ": " + std::generic_category().message(errno));
  record(doubleField(1, now()) + bytesField(3, "brain.Event:2"));
}

EventFile::~EventFile() {
  std::fclose(file_);
}

void EventFile::record(const std::string& message) {
  const std::string length = littleEndian(static_cast<std::uint64_t>(message.size()));
  const std::string bytes = length + littleEndian(masked(crc32c(length))) + message +
                            littleEndian(masked(crc32c(message)));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size() || std::fflush(file_) != 0)
    throw Error("cannot write " + path_.string() + ": " + std::generic_category().message(errno));
}

void EventFile::write(std::uint64_t step, const nlohmann::ordered_json& fields) {
  std::string summary;
  addScalars(summary, "", fields);
  // Event: wall_time, step, summary.
  record(doubleField(1, now()) + intField(2, step) + bytesField(5, summary));
}

}  // namespace toguz
