// The engines that come with the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "models/native/network.h"
#include "tests/models/support.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

TEST(Pretrained, EveryGameHasAnEngineAndACardOfThatVeryFile) {
  const fs::path folder = fs::path(TOGUZ_TEST_DATA) / "../../models/pretrained";
  for (const std::string& variant : test::variants()) {
    SCOPED_TRACE(variant);
    const Model model = loadModel(folder / (variant + ".tzn"));
    EXPECT_EQ(model.rules.name(), variant);
    EXPECT_LT(fs::file_size(folder / (variant + ".tzn")), 4u << 20);
    EXPECT_THAT(readFile(folder / (variant + ".md")), testing::HasSubstr(modelId(model)));
  }
}

// A network that had learnt nothing would be level everywhere.
TEST(Pretrained, TheyHaveOpinions) {
  const fs::path folder = fs::path(TOGUZ_TEST_DATA) / "../../models/pretrained";
  for (const std::string& variant : test::variants()) {
    SCOPED_TRACE(variant);
    const Model model = loadModel(folder / (variant + ".tzn"));
    NativeEvaluator evaluator(std::make_shared<const NativeNetwork>(model));
    const auto positions = test::randomPositions(model.rules, 500, 1);
    std::vector<Evaluation> out(positions.size());
    evaluator.evaluate(positions, out);
    double sure = 0;
    for (const Evaluation& evaluation : out) sure += std::abs(evaluation.winLoss);
    EXPECT_GT(sure / static_cast<double>(out.size()), 0.4);
  }
}

}  // namespace
}  // namespace toguz
