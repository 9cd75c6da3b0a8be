#include "store/chunk.h"

#include <gmock/gmock.h>

#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using testing::messageOf;
using testing::randomRecords;
using testing::sameRecord;

std::string faultOf(std::string bytes) {
  return messageOf<Error>([&] { Chunk(std::move(bytes), "x.tzg").games(); });
}

TEST(Chunk, RoundTrips) {
  const Rules rules = Rules::named("giveaway");
  const auto games = randomRecords(100, 37, rules);
  const Chunk chunk(encodeChunk(games), "x.tzg");
  EXPECT_EQ(chunk.variant(), "giveaway");
  ASSERT_EQ(chunk.entries().size(), games.size());
  const auto back = chunk.games();
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_TRUE(sameRecord(back[i], games[i]));
    EXPECT_EQ(chunk.entries()[i].id, games[i].id);
    rows += rowCount(games[i]);
  }
  EXPECT_EQ(chunk.rows(), rows);
}

TEST(Chunk, EveryTruncationIsNoticedAndNamed) {
  const std::string bytes = encodeChunk(randomRecords(0, 2));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(faultOf(bytes.substr(0, size)), HasSubstr("x.tzg")) << size;
  EXPECT_THAT(faultOf(""), HasSubstr("empty"));
  EXPECT_THAT(faultOf(bytes.substr(0, bytes.size() - 1)), HasSubstr("cut short"));
  EXPECT_THAT(faultOf(bytes + "more"), HasSubstr("stray"));
}

TEST(Chunk, EveryAlteredByteIsNoticed) {
  const std::string bytes = encodeChunk(randomRecords(0, 2));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_THAT(faultOf(bad), HasSubstr("x.tzg")) << at;
  }
}

TEST(Chunk, SaysWhatIsNoChunkOrNewer) {
  EXPECT_THAT(faultOf("PK something else entirely, long enough for a header of ours"),
              HasSubstr("no file of games"));
  std::string newer = encodeChunk(randomRecords(0, 1));
  newer[8] = 7;
  EXPECT_THAT(faultOf(newer), HasSubstr("version 7"));
}

// A checksum protects from accidents only: sizes that lie under a right checksum are refused too.
TEST(Chunk, LyingSizesUnderARightChecksumAreRefused) {
  const std::string sound = encodeChunk(randomRecords(0, 3));
  Rng rng(4);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = sound.substr(0, sound.size() - 8);
    // Anywhere in the header, the name or the index.
    const std::size_t at = 12 + rng.below(28 + 8 + 3 * 16);
    const char before = bytes[at];
    bytes[at] = static_cast<char>(rng());
    if (bytes[at] == before) continue;
    const std::uint64_t hash = hash64(bytes);
    bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    EXPECT_THAT(faultOf(bytes), HasSubstr("x.tzg")) << at;
  }
}

}  // namespace
}  // namespace toguz
