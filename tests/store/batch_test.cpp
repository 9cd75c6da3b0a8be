#include "store/batch.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <cstring>

#include "base/compress.h"
#include "base/error.h"
#include "base/hash.h"
#include "store/chunk.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using testing::messageOf;
using testing::randomRecords;
using testing::sameRecord;

GameBatch someBatch(std::uint64_t games = 3) {
  GameBatch batch;
  batch.run = std::string(32, 'c');
  batch.worker = (WorkerId{1} << 39) - 1;
  batch.sequence = 12345678901;
  batch.games = randomRecords(firstGameId(batch.worker), games);
  return batch;
}

std::string faultOf(const std::string& bytes) {
  return messageOf<Error>([&] { decodeBatch(bytes); });
}

std::string sealed(std::string bytes) {
  const std::uint64_t hash = hash64(bytes);
  bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return bytes;
}

std::string framed(const std::string& head, const std::string& chunk) {
  std::string bytes = "TZBATCH1";
  const std::uint32_t numbers[] = {1, static_cast<std::uint32_t>(head.size())};
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return sealed(bytes + head + chunk);
}

// The head of a sound batch.
std::string soundHead() {
  const std::string bytes = encodeBatch(someBatch());
  std::uint32_t size;
  std::memcpy(&size, bytes.data() + 12, sizeof size);
  return bytes.substr(16, size);
}

TEST(Batch, RoundTrips) {
  const GameBatch batch = someBatch(20);
  const GameBatch back = decodeBatch(encodeBatch(batch));
  EXPECT_EQ(back.run, batch.run);
  EXPECT_EQ(back.worker, batch.worker);
  EXPECT_EQ(back.sequence, batch.sequence);
  ASSERT_EQ(back.games.size(), batch.games.size());
  for (std::size_t i = 0; i < batch.games.size(); ++i) {
    EXPECT_TRUE(sameRecord(back.games[i], batch.games[i]));
    EXPECT_EQ(back.games[i].id, firstGameId(batch.worker) + i);
  }
}

TEST(Batch, EveryAlteredByteIsRefused) {
  const std::string sound = encodeBatch(someBatch());
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string bad = sound;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      EXPECT_NE(faultOf(bad), "") << at;
    }
}

TEST(Batch, EveryTruncationAndAnythingAfterItIsRefused) {
  const std::string sound = encodeBatch(someBatch());
  for (std::size_t size = 0; size < sound.size(); ++size)
    EXPECT_NE(faultOf(sound.substr(0, size)), "") << size;
  EXPECT_NE(faultOf(sound + '\0'), "");
  EXPECT_NE(faultOf(sound + sound), "");
}

TEST(Batch, SaysWhatIsNoBatchOrNewer) {
  EXPECT_THAT(faultOf("hello, this is some text and no batch of any kind"),
              HasSubstr("no batch of games"));
  std::string newer = encodeBatch(someBatch());
  newer[8] = 9;
  EXPECT_THAT(faultOf(newer), ::testing::AllOf(HasSubstr("version 9"), HasSubstr("up to 1")));
}

// A checksum protects from accidents only.
TEST(Batch, ForgedHeadsAreRefused) {
  const std::string chunk = encodeChunk(randomRecords(0, 1));
  EXPECT_EQ(faultOf(framed(soundHead(), chunk)), "");
  for (const std::string& head :
       {std::string(), std::string("\x90"), std::string("\xc1"), std::string("\x80"),
        soundHead().substr(0, 10), std::string("\xdd\xff\xff\xff\xff"),
        std::string("\xdb\xff\xff\xff\xff")})
    EXPECT_THAT(faultOf(framed(head, chunk)), HasSubstr("head is malformed"));
  // Lists in lists, deep enough for a parser that calls itself to run out of its stack.
  EXPECT_THAT(faultOf(framed(std::string(900000, '\x91'), chunk)), HasSubstr("too large"));
  std::string beyond = framed(soundHead(), chunk);
  beyond.resize(beyond.size() - 8);
  const std::uint32_t size = 0xfffffff0;
  std::memcpy(beyond.data() + 12, &size, sizeof size);
  EXPECT_THAT(faultOf(sealed(beyond)), HasSubstr("cut short"));
}

// A chunk with right checksums whose body is `size` zeros.
std::string bomb(std::uint64_t size) {
  const std::string name = "standard";
  std::string packed = compress(std::string(1 << 20, '\0'));
  if (size != 1 << 20) {
    // The frame's header says so; nobody may believe it before it has looked at the limit.
    packed = std::string("\x28\xb5\x2f\xfd\xc0\x00", 6);
    packed.append(reinterpret_cast<const char*>(&size), sizeof size);
    packed.append("\x03\x00\x00", 3);
  }
  std::vector<ChunkEntry> entries;
  for (std::uint64_t left = size; left > 0;) {
    const std::uint64_t part = std::min<std::uint64_t>(left, 0xffffffff);
    entries.push_back({entries.size() + 1, 0, static_cast<std::uint32_t>(part)});
    left -= part;
  }
  std::string bytes = "TZGAMES1";
  const std::uint32_t small[] = {1, 8, static_cast<std::uint32_t>(entries.size()), 0};
  const std::uint64_t large[] = {size, packed.size()};
  bytes.append(reinterpret_cast<const char*>(small), sizeof small);
  bytes.append(reinterpret_cast<const char*>(large), sizeof large);
  bytes += name;
  bytes.append(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(ChunkEntry));
  return sealed(bytes + packed);
}

TEST(Batch, ABodyOfGigabytesIsRefusedBeforeItIsUnpacked) {
  // The forger's work is right: what is small enough is unpacked, and only then found to be no
  // game.
  EXPECT_THAT(faultOf(framed(soundHead(), bomb(1 << 20))), HasSubstr("malformed game"));

  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const auto begin = std::chrono::steady_clock::now();
  for (const std::uint64_t size :
       {std::uint64_t{65} << 20, std::uint64_t{3} << 30, std::uint64_t{100} << 30})
    EXPECT_THAT(faultOf(framed(soundHead(), bomb(size))), HasSubstr("claims to unpack to"));
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 32 * 1024);  // KiB
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Batch, WorkersDrawIdsOfTheirOwn) {
  WorkerId last = 0;
  for (int i = 0; i < 1000; ++i) {
    const WorkerId worker = randomWorkerId();
    ASSERT_GT(worker, 0u);
    ASSERT_LT(worker, WorkerId{1} << 39);
    ASSERT_NE(worker, last);
    last = worker;
  }
  EXPECT_GE(firstGameId(1), std::uint64_t{1} << 63);
  EXPECT_EQ(firstGameId(2) - firstGameId(1), kGameIdsPerWorker);
}

}  // namespace
}  // namespace toguz
