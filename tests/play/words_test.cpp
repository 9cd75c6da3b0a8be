#include "play/words.h"

#include <gmock/gmock.h>

#include "base/rng.h"

namespace toguz {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Words, PartsBetweenBlanks) {
  EXPECT_THAT(words("  position\tstartpos  moves 76 \r\n"),
              ElementsAre("position", "startpos", "moves", "76"));
  EXPECT_THAT(words(" \t "), IsEmpty());
  EXPECT_THAT(words(std::string_view("a\0b c", 5)), ElementsAre(std::string_view("a\0b", 3), "c"));
}

TEST(CleanLine, KeepsTextAndReplacesWhatIsNone) {
  EXPECT_EQ(cleanLine("тоғыз құмалақ ✓ 𝄞"), "тоғыз құмалақ ✓ 𝄞");
  EXPECT_EQ(cleanLine(std::string_view("a\0b\nc\x7f", 6)), "a?b?c?");
  EXPECT_EQ(cleanLine("\xff\xd0 \xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80"), "?? ??? ?? ????");
}

TEST(CleanLine, CutsBetweenCharacters) {
  EXPECT_EQ(cleanLine("abcdef", 4), "abcd...");
  EXPECT_EQ(cleanLine("abcd", 4), "abcd");
  EXPECT_EQ(cleanLine("abcқ", 4), "abc...");
}

TEST(CleanLine, ItsOwnOutputIsClean) {
  Rng rng(3);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint32_t n = rng.below(40); n > 0; --n)
      bytes += static_cast<char>(rng.chance(0.5) ? 0x80 + rng.below(0x80) : rng.below(0x80));
    const std::string clean = cleanLine(bytes);
    EXPECT_EQ(cleanLine(clean), clean);
  }
}

}  // namespace
}  // namespace toguz
