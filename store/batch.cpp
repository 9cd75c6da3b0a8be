#include "store/batch.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "store/chunk.h"

namespace toguz {
namespace {

constexpr std::string_view kMagic = "TZBATCH1";
constexpr std::uint32_t kVersion = 1;
// What a batch from anybody may make the learner hold: far above what is ever sent.
constexpr std::uint32_t kMaxHead = 1024;
constexpr std::uint64_t kMaxBody = std::uint64_t{64} << 20;

struct Frame {
  char magic[8];
  std::uint32_t version;
  std::uint32_t headSize;
};
static_assert(sizeof(Frame) == 16);

}  // namespace

std::string encodeBatch(const GameBatch& batch) {
  const std::vector<std::uint8_t> head = nlohmann::json::to_msgpack(
      {{"run", batch.run}, {"worker", batch.worker}, {"sequence", batch.sequence}});
  Frame frame{};
  std::memcpy(frame.magic, kMagic.data(), kMagic.size());
  frame.version = kVersion;
  frame.headSize = static_cast<std::uint32_t>(head.size());
  std::string out(reinterpret_cast<const char*>(&frame), sizeof frame);
  out.append(reinterpret_cast<const char*>(head.data()), head.size());
  out += encodeChunk(batch.games);
  const std::uint64_t hash = hash64(out);
  out.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return out;
}

GameBatch decodeBatch(std::string_view bytes) {
  Frame frame;
  std::uint64_t hash;
  if (bytes.size() < sizeof frame + sizeof hash || !bytes.starts_with(kMagic))
    throw Error("no batch of games");
  std::memcpy(&frame, bytes.data(), sizeof frame);
  if (frame.version > kVersion)
    throw Error("a batch of version " + std::to_string(frame.version) +
                "; this program reads up to " + std::to_string(kVersion) + ": update the learner");
  std::memcpy(&hash, bytes.data() + bytes.size() - sizeof hash, sizeof hash);
  bytes.remove_suffix(sizeof hash);
  if (hash64(bytes) != hash) throw Error("a batch that does not match its checksum");
  bytes.remove_prefix(sizeof frame);
  if (frame.headSize > bytes.size()) throw Error("a batch whose head is cut short");
  if (frame.headSize > kMaxHead) throw Error("a batch whose head is too large");

  GameBatch batch;
  try {
    const auto head = nlohmann::json::from_msgpack(bytes.substr(0, frame.headSize));
    head.at("run").get_to(batch.run);
    head.at("worker").get_to(batch.worker);
    head.at("sequence").get_to(batch.sequence);
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("a batch whose head is malformed: ") + error.what());
  }
  batch.games =
      Chunk(std::string(bytes.substr(frame.headSize)), "a batch's chunk", kMaxBody).games();
  return batch;
}

}  // namespace toguz
