#include "base/id_set.h"

#include <gtest/gtest.h>

#include <unordered_set>

#include "base/rng.h"

namespace toguz {
namespace {

TEST(IdSet, AgreesWithTheStandardSet) {
  Rng rng(7);
  IdSet ids;
  std::unordered_set<std::uint64_t> reference;
  EXPECT_FALSE(ids.contains(0));
  EXPECT_FALSE(ids.contains(5));
  for (int i = 0; i < 200'000; ++i) {
    // Near 0, near the top, counted up by workers (as id = worker + k * workers), and anything.
    const std::uint64_t id = rng.chance(0.2)   ? rng.below(1000)
                             : rng.chance(0.2) ? ~std::uint64_t{rng.below(1000)}
                             : rng.chance(0.5) ? std::uint64_t{rng.below(100'000)} << 32
                                               : rng();
    ASSERT_EQ(ids.contains(id), reference.contains(id)) << id;
    ASSERT_EQ(ids.insert(id), reference.insert(id).second) << id;
    ASSERT_TRUE(ids.contains(id)) << id;
  }
  EXPECT_EQ(ids.size(), reference.size());
  for (const std::uint64_t id : reference) ASSERT_TRUE(ids.contains(id)) << id;
}

// In time that grows with their number alone, however they are spaced.
TEST(IdSet, MillionsOfRegularIds) {
  for (const int shift : {0, 1, 7, 20, 32, 40}) {
    IdSet ids;
    for (std::uint64_t i = 0; i < 500'000; ++i) ASSERT_TRUE(ids.insert(i << shift));
    EXPECT_EQ(ids.size(), 500'000u);
    EXPECT_FALSE(ids.contains(std::uint64_t{500'000} << shift));
  }
}

}  // namespace
}  // namespace toguz
