// A file of games: written once, never changed.
//
// Layout, little-endian: "TZGAMES1", version u32, length of the variant's name u32, games u32,
// rows u32 (moves searched in full), body size u64, packed size u64, the name, one index entry a
// game (id u64, rows u32, body bytes u32), the zstd-packed body (game_codec records back to back),
// and XXH3-64 of all before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/game_record.h"

namespace toguz {

inline constexpr const char* kChunkExtension = ".tzg";

struct ChunkEntry {
  std::uint64_t id = 0;
  std::uint32_t rows = 0;   // moves searched in full
  std::uint32_t bytes = 0;  // of its record in the body
};

// Moves of the game that make a training row.
std::uint32_t rowCount(const GameRecord& game);

// All games must be of one variant; at least one game.
std::string encodeChunk(std::span<const GameRecord> games);

// A chunk whose checksum and index have been verified; unpacking is left to `games`.
class Chunk {
 public:
  // What `games` may unpack at most, in bytes.
  static constexpr std::uint64_t kMaxBody = std::uint64_t{1} << 32;
  // Throws Error naming `file` and what is wrong: not a chunk, a newer version, cut short, altered,
  // a body larger than `maxBody`.
  Chunk(std::string bytes, std::string file, std::uint64_t maxBody = kMaxBody);

  const std::string& variant() const { return variant_; }
  const std::vector<ChunkEntry>& entries() const { return entries_; }
  std::uint64_t rows() const { return rows_; }
  // Throws Error naming the file and the game if the content is malformed.
  std::vector<GameRecord> games() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string bytes_;
  std::string file_;
  std::string variant_;
  std::vector<ChunkEntry> entries_;
  std::uint64_t rows_ = 0;
  std::string_view packed_;
  std::uint64_t bodySize_ = 0;
};

}  // namespace toguz
