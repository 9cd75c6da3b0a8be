#include "selfplay/game_codec.h"

#include <gmock/gmock.h>

#include "base/compress.h"
#include "base/error.h"
#include "base/hash.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using testing::randomRecord;
using testing::sameRecord;

std::string encoded(const GameRecord& game) {
  std::string bytes;
  encodeGame(game, bytes);
  return bytes;
}

TEST(GameCodec, RoundTripsGamesOfEveryVariant) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    for (std::uint64_t id = 0; id < 50; ++id) {
      const GameRecord game = randomRecord(id << 40 | id, rules);
      EXPECT_TRUE(sameRecord(decodeGame(encoded(game)), game)) << name << " " << id;
    }
  }
}

TEST(GameCodec, RoundTripsSwitchedRulesForksAndOddNumbers) {
  const Rules rules = Rules::named("standard,sow_origin=false,capture_singles_only=true");
  GameRecord source = randomRecord(5, rules, 100);
  Position start = source.start;
  for (int ply = 0; ply < 11; ++ply)
    start = play(rules, start, source.moves[static_cast<std::size_t>(ply)].pit);
  GameRecord game = randomRecord(~std::uint64_t{0}, rules, 60, 1.0, &start);
  game.worker = 0xffffffffu;
  game.moves[0].generation = 0xffffffffu;
  game.moves[0].nodes = 0xffff;
  game.moves[0].rootWinLoss = -1.0f;
  game.moves[0].weight = 0.0f;
  const GameRecord back = decodeGame(encoded(game));
  EXPECT_TRUE(sameRecord(back, game));
  EXPECT_EQ(back.rules.name(), rules.name());
  EXPECT_EQ(back.start, start);
}

TEST(GameCodec, IsCompact) {
  std::size_t bytes = 0, moves = 0;
  for (std::uint64_t id = 0; id < 100; ++id) {
    const GameRecord game = randomRecord(id);
    bytes += encoded(game).size();
    moves += game.moves.size();
  }
  EXPECT_LT(static_cast<double>(bytes) / static_cast<double>(moves), 15.0);
}

TEST(GameCodec, EveryTruncationAndStrayByteIsAnError) {
  const std::string bytes = encoded(randomRecord(3, Rules(), 40));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decodeGame(std::string_view(bytes).substr(0, size)), Error) << size;
  EXPECT_THROW(decodeGame(bytes + '\0'), Error);
}

TEST(GameCodec, NamesANewerFormat) {
  std::string bytes = encoded(randomRecord(3));
  bytes[0] = 9;
  EXPECT_THAT(testing::messageOf<Error>([&] { decodeGame(bytes); }), HasSubstr("format 9"));
}

// What comes through a flipped byte or pure noise must be in range in every field, or refused.
TEST(GameCodec, FuzzedBytesDecodeInRangeOrThrow) {
  Rng rng(11);
  const std::string sound = encoded(randomRecord(4, Rules(), 60, 0.5));
  int decoded = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    std::string bytes = sound;
    if (trial % 4 == 0) {
      bytes.resize(1 + rng.below(200));
      for (char& c : bytes) c = static_cast<char>(rng());
      bytes[0] = 1;
    } else {
      for (std::uint32_t flips = 1 + rng.below(4); flips > 0; --flips)
        bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))] = static_cast<char>(rng());
    }
    try {
      const GameRecord game = decodeGame(bytes);
      ++decoded;
      ASSERT_EQ(game.start.fault(game.rules.set()), nullptr);
      for (const MoveRecord& move : game.moves) {
        ASSERT_LT(move.pit, game.rules.set().pits);
        ASSERT_LE(std::abs(move.rootWinLoss), 1.01f);
        ASSERT_TRUE(move.weight >= 0 && move.weight <= 1);
      }
      EXPECT_TRUE(sameRecord(decodeGame(encoded(game)), game));
    } catch (const Error&) {
    }
  }
  EXPECT_GT(decoded, 100);  // flips that change a value only
}

TEST(Compress, RoundTripsAndRefusesDamage) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "pit " + std::to_string(i % 9);
  const std::string packed = compress(text);
  EXPECT_LT(packed.size(), text.size() / 5);
  EXPECT_EQ(decompress(packed, text.size()), text);
  EXPECT_EQ(decompress(compress(""), 0), "");
  EXPECT_THROW(decompress(packed, text.size() + 1), Error);
  EXPECT_THROW(decompress(packed.substr(0, packed.size() / 2), text.size()), Error);
  EXPECT_THROW(decompress("no frame at all", 5), Error);
}

TEST(Hash, AgreesWithThePublishedValues) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2ULL);
  EXPECT_EQ(hash128Hex(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hex64(0xabcULL), "0000000000000abc");
}

}  // namespace
}  // namespace toguz
