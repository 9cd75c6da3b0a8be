#include "base/hash.h"

#include <gtest/gtest.h>

namespace toguz {
namespace {

TEST(Sha256, TheVectorsOfFips180) {
  EXPECT_EQ(hexText(sha256("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexText(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hexText(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hexText(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, HexComesBackAndNothingElseDoes) {
  const Sha256 digest = sha256("abc");
  Sha256 back{};
  ASSERT_TRUE(parseHex(hexText(digest), back));
  EXPECT_EQ(back, digest);
  EXPECT_FALSE(parseHex("", back));
  EXPECT_FALSE(parseHex(hexText(digest).substr(1), back));
  EXPECT_FALSE(parseHex(hexText(digest).substr(1) + "g", back));
  EXPECT_FALSE(parseHex(hexText(digest).substr(1) + "A", back)) << "one form of each digest";
}

}  // namespace
}  // namespace toguz
