#include "search/evaluation_cache.h"

#include <gtest/gtest.h>

#include "core/game.h"
#include "search/signature.h"

namespace toguz {
namespace {

class CountingEvaluator final : public Evaluator {
 public:
  CountingEvaluator(const Rules& rules, std::size_t& positions)
      : inner_(rules), positions_(positions) {}
  void evaluate(std::span<const Position> positions, std::span<Evaluation> out) override {
    ASSERT_FALSE(positions.empty());
    positions_ += positions.size();
    inner_.evaluate(positions, out);
  }

 private:
  HashEvaluator inner_;
  std::size_t& positions_;
};

std::vector<Position> line(int plies) {
  std::vector<Position> positions;
  Game game(Rules{kStandard});
  for (int i = 0; i < plies && !game.over(); ++i) {
    positions.push_back(game.position());
    game.play(std::countr_zero(game.legal()));
  }
  return positions;
}

bool same(const Evaluation& a, const Evaluation& b) {
  return a.policy == b.policy && a.winLoss == b.winLoss && a.draw == b.draw && a.margin == b.margin;
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

TEST(CachedEvaluator, AnswersAsTheInnerOneAndAsksItOnceForEach) {
  const Rules rules(kStandard);
  std::size_t asked = 0;
  CachedEvaluator cached(std::make_unique<CountingEvaluator>(rules, asked), 5, 1 << 14);
  HashEvaluator plain(rules);
  const std::vector<Position> positions = line(60);
  std::vector<Evaluation> expected(positions.size()), got(positions.size());
  plain.evaluate(positions, expected);
  // Batches that overlap: some positions are known, some not, some all.
  for (const auto& [first, count] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 10}, {5, 20}, {0, 25}, {0, 60}, {30, 1}}) {
    cached.evaluate({positions.data() + first, count}, {got.data(), count});
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_TRUE(same(got[i], expected[first + i])) << first + i;
  }
  EXPECT_EQ(asked, positions.size());
}

}  // namespace
}  // namespace toguz
