// Metrics in the form that TensorBoard reads: an event file of TFRecords, each an Event message
// with one scalar a tag. Written by hand: the messages are three fields deep, and their definitions
// come with no package.
//
// Formats: github.com/tensorflow/tensorflow, core/lib/io/record_writer.cc (length, masked CRC-32C
// of it, bytes, masked CRC-32C of them) and core/util/event.proto, core/framework/summary.proto.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace toguz {

// CRC-32C (Castagnoli, reflected 0x82f63b78).
std::uint32_t crc32c(std::string_view bytes);

// One thread at a time.
class EventFile {
 public:
  // Makes the folder and a file in it of a name not used before. Throws Error naming it.
  explicit EventFile(const std::filesystem::path& folder);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  // Every number in the object becomes a scalar named by its keys, joined by slashes; lists and
  // texts are left out. Flushed. Throws Error if the disk does not take it.
  void write(std::uint64_t step, const nlohmann::ordered_json& fields);
  const std::filesystem::path& path() const { return path_; }

 private:
  void record(const std::string& message);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
};

}  // namespace toguz
