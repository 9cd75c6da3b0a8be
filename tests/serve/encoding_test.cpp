#include "serve/encoding.h"

#include <gmock/gmock.h>

#include "tests/serve/decoding.h"

namespace toguz {
namespace {

std::string hex(const std::array<std::uint8_t, 32>& digest) {
  std::string text;
  for (const int byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

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

TEST(Sha256, TheVectorsOfFips180) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace toguz
