#include "serve/encoding.h"

#include <gmock/gmock.h>

#include "tests/serve/decoding.h"

namespace toguz {
namespace {

std::string everyByte(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 167 + i / 256);
  return bytes;
}

TEST(Base64, TheVectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Base64, EveryByteComesBack) {
  for (const std::size_t size : {1u, 255u, 256u, 1000u})
    EXPECT_EQ(testing::fromBase64(base64(everyByte(size))), everyByte(size));
}

TEST(Gzip, ComesBackAndIsAlwaysTheSame) {
  for (const std::size_t size : {0u, 1u, 100u, 300'000u}) {
    const std::string bytes = everyByte(size);
    const std::string packed = gzip(bytes);
    EXPECT_EQ(testing::fromGzip(packed), bytes);
    EXPECT_EQ(packed, gzip(bytes));
    EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0')) << "no time";
  }
  EXPECT_LT(gzip(std::string(100'000, 'x')).size(), 1000u);
}

}  // namespace
}  // namespace toguz
