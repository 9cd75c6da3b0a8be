#include "search/evaluation_cache.h"

#include <gtest/gtest.h>

#include "core/game.h"

namespace toguz {
namespace {

std::vector<Position> line(int plies) {
  std::vector<Position> positions;
  Game game(Rules{kStandard});
  for (int i = 0; i < plies && !game.over(); ++i) {
    positions.push_back(game.position());
    game.play(std::countr_zero(game.legal()));
  }
  return positions;
}

TEST(EvaluationCache, FindsThePositionUnderTheNetworkAndNothingElse) {
  EvaluationCache cache(1000);
  EXPECT_EQ(cache.entries(), 1024u);
  const std::vector<Position> positions = line(20);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(cache.find(positions[i], 7), nullptr);
    Evaluation evaluation;
    evaluation.margin = static_cast<float>(i);
    cache.store(positions[i], 7, evaluation);
    ASSERT_NE(cache.find(positions[i], 7), nullptr);
    EXPECT_EQ(cache.find(positions[i], 7)->margin, static_cast<float>(i));
    EXPECT_EQ(cache.find(positions[i], 8), nullptr);
    // One ball elsewhere, another side to move, another tuzdik: another position.
    Position other = positions[i];
    other.side = other.side == Side::First ? Side::Second : Side::First;
    EXPECT_EQ(cache.find(other, 7), nullptr);
    other = positions[i];
    other.tuzdik[0] = 10;
    EXPECT_EQ(cache.find(other, 7), nullptr);
    other = positions[i];
    ++other.kazan[1];
    EXPECT_EQ(cache.find(other, 7), nullptr);
  }
  EXPECT_EQ(cache.hits(), 2 * positions.size());
}

TEST(EvaluationCache, ASlotIsTakenOverWhole) {
  EvaluationCache cache(1);  // every position falls on the one slot
  const std::vector<Position> positions = line(2);
  cache.store(positions[0], 1, {});
  cache.store(positions[1], 1, {});
  EXPECT_EQ(cache.find(positions[0], 1), nullptr);
  EXPECT_NE(cache.find(positions[1], 1), nullptr);
}

TEST(EvaluationCacheDeathTest, MisuseIsAFault) {
  EXPECT_DEATH(EvaluationCache(0), "no entries");
  EvaluationCache cache(2);
  EXPECT_DEATH(cache.store(Position::start(kStandard), 0, {}), "no network");
}

}  // namespace
}  // namespace toguz
