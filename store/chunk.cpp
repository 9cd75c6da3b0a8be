#include "store/chunk.h"

#include <algorithm>
#include <cstring>

#include "base/compress.h"
#include "base/error.h"
#include "base/hash.h"
#include "selfplay/game_codec.h"

namespace toguz {
namespace {

constexpr std::string_view kMagic = "TZGAMES1";
constexpr std::uint32_t kVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t nameLength;
  std::uint32_t games;
  std::uint32_t rows;
  std::uint64_t bodySize;
  std::uint64_t packedSize;
};
static_assert(sizeof(Header) == 40);
static_assert(sizeof(ChunkEntry) == 16);

template <class T>
void putRaw(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::uint32_t rowCount(const GameRecord& game) {
  return static_cast<std::uint32_t>(std::count_if(
      game.moves.begin(), game.moves.end(), [](const MoveRecord& m) { return m.fullSearch; }));
}

std::string encodeChunk(std::span<const GameRecord> games) {
  TOGUZ_CHECK(!games.empty(), "a chunk of no games");
  std::string body, index;
  Header header{};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  header.version = kVersion;
  header.games = static_cast<std::uint32_t>(games.size());
  for (const GameRecord& game : games) {
    TOGUZ_CHECK(game.rules == games.front().rules, "a chunk of several variants");
    const std::size_t before = body.size();
    encodeGame(game, body);
    const ChunkEntry entry{game.id, rowCount(game),
                           static_cast<std::uint32_t>(body.size() - before)};
    header.rows += entry.rows;
    putRaw(index, entry);
  }
  const std::string name = games.front().rules.name();
  const std::string packed = compress(body);
  header.nameLength = static_cast<std::uint32_t>(name.size());
  header.bodySize = body.size();
  header.packedSize = packed.size();

  std::string out;
  putRaw(out, header);
  out += name + index + packed;
  putRaw(out, hash64(out));
  return out;
}

Chunk::Chunk(std::string bytes, std::string file, std::uint64_t maxBody)
    : bytes_(std::move(bytes)), file_(std::move(file)) {
  if (bytes_.empty()) fail("is empty");
  Header header;
  if (!std::string_view(bytes_).starts_with(kMagic.substr(0, bytes_.size())))
    fail("is no file of games");
  if (bytes_.size() < sizeof header) fail("is cut short");
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.version > kVersion)
    fail("has version " + std::to_string(header.version) + "; this program reads up to " +
         std::to_string(kVersion));
  // The parts are added up in steps that cannot overflow, for sizes that may be any number.
  const std::uint64_t fixed = sizeof header + std::uint64_t{header.nameLength} +
                              std::uint64_t{header.games} * sizeof(ChunkEntry) +
                              sizeof(std::uint64_t);
  if (fixed > bytes_.size() || header.packedSize > bytes_.size() - fixed) fail("is cut short");
  if (header.packedSize < bytes_.size() - fixed) fail("has stray bytes at its end");

  std::uint64_t stored;
  const std::size_t hashed = bytes_.size() - sizeof stored;
  std::memcpy(&stored, bytes_.data() + hashed, sizeof stored);
  if (hash64(std::string_view(bytes_).substr(0, hashed)) != stored)
    fail("does not match its checksum (it was altered)");

  std::size_t at = sizeof header;
  variant_ = bytes_.substr(at, header.nameLength);
  at += header.nameLength;
  entries_.resize(header.games);
  std::memcpy(entries_.data(), bytes_.data() + at, header.games * sizeof(ChunkEntry));
  at += header.games * sizeof(ChunkEntry);
  packed_ = std::string_view(bytes_).substr(at, header.packedSize);
  rows_ = header.rows;
  bodySize_ = header.bodySize;

  std::uint64_t rows = 0, body = 0;
  for (const ChunkEntry& entry : entries_) {
    rows += entry.rows;
    body += entry.bytes;
  }
  if (entries_.empty() || rows != rows_ || body != bodySize_)
    fail("has an index that does not add up");
  if (body > maxBody)
    fail("claims to unpack to " + std::to_string(body) + " bytes; at most " +
         std::to_string(maxBody) + " are taken");
}

std::vector<GameRecord> Chunk::games() const {
  std::vector<GameRecord> games;
  games.reserve(entries_.size());
  std::string body;
  try {
    body = decompress(packed_, bodySize_);
  } catch (const Error& error) {
    fail(std::string("cannot be unpacked: ") + error.what());
  }
  std::size_t at = 0;
  for (const ChunkEntry& entry : entries_) {
    try {
      games.push_back(decodeGame(std::string_view(body).substr(at, entry.bytes)));
    } catch (const Error& error) {
      fail("holds a malformed game, " + hex64(entry.id) + ": " + error.what());
    }
    at += entry.bytes;
    const GameRecord& game = games.back();
    if (game.id != entry.id || rowCount(game) != entry.rows || game.rules.name() != variant_)
      fail("has an index that does not agree with game " + hex64(entry.id));
  }
  return games;
}

void Chunk::fail(const std::string& what) const {
  throw Error(file_ + " " + what);
}

}  // namespace toguz
