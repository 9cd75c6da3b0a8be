#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "models/native/network.h"
#include "models/torch/runtime.h"
#include "models/torch/torch_evaluator.h"
#include "tests/models/support.h"

namespace toguz {
namespace {

using testing::HasSubstr;

class TorchParity : public testing::TestWithParam<std::string> {};

TEST_P(TorchParity, AgreesWithNativeInference) {
  const Rules rules = Rules::named(GetParam());
  const Model model = test::busyModel(rules, {}, 21);
  TorchEvaluator torch(model, test::testDevice());
  NativeEvaluator native(std::make_shared<NativeNetwork>(model));
  const auto positions = test::randomPositions(rules, 1000, 22);
  const auto size = static_cast<std::size_t>(HeadLayout{rules.set().pits}.size());
  std::vector<float> a(positions.size() * size), b(a.size());
  torch.evaluateRaw(positions, a);
  native.evaluateRaw(positions, b);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4f) << i;

  std::vector<Evaluation> fromTorch(positions.size()), fromNative(positions.size());
  torch.evaluate(positions, fromTorch);
  native.evaluate(positions, fromNative);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (unsigned pit = 0; pit < kMaxPits; ++pit)
      ASSERT_NEAR(fromTorch[i].policy[pit], fromNative[i].policy[pit], 1e-4f);
    ASSERT_NEAR(fromTorch[i].winLoss, fromNative[i].winLoss, 1e-4f);
    ASSERT_NEAR(fromTorch[i].draw, fromNative[i].draw, 1e-4f);
    ASSERT_NEAR(fromTorch[i].margin, fromNative[i].margin, 2e-3f);  // in balls
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, TorchParity, testing::ValuesIn(test::variants()),
                         [](const auto& named) { return named.param; });

TEST(TorchNetwork, WeightsComeBackExactly) {
  Model model = test::busyModel(Rules::named("seven"), {48, 2}, 23);
  model.provenance["run"] = "x";
  EXPECT_EQ(modelId(TorchNetwork(model, "cpu").model()), modelId(model));
}

std::string errorFor(const std::string& device) {
  try {
    TorchNetwork(randomModel(Rules(), {16, 0}, 1), device);
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  return "";
}

TEST(TorchDevice, OneThatIsNotThereIsAnError) {
  EXPECT_THAT(errorFor("cuda:99"), HasSubstr("'cuda:99' is not there"));
  EXPECT_THAT(errorFor("gpu"), HasSubstr("'gpu' is not known"));
  EXPECT_THAT(errorFor(""), HasSubstr("'' is not known"));
  EXPECT_THAT(errorFor("meta"), HasSubstr("not supported"));
  EXPECT_EQ(errorFor("cpu"), "");
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps freed memory on purpose
std::size_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * 4096;
}

TEST(TorchEvaluator, LongUseInManyThreadsKeepsMemoryFlat) {
  const Rules rules;
  const Model model = test::busyModel(rules, {64, 2}, 24);
  const auto positions = test::randomPositions(rules, 16, 25);
  std::vector<std::unique_ptr<TorchEvaluator>> evaluators;
  for (int i = 0; i < 4; ++i) evaluators.push_back(std::make_unique<TorchEvaluator>(model, "cpu"));
  const auto work = [&](int forwards) {
    std::vector<std::thread> threads;
    for (auto& evaluator : evaluators)
      threads.emplace_back([&positions, &evaluator, forwards] {
        std::vector<Evaluation> out(positions.size());
        for (int i = 0; i < forwards; ++i) evaluator->evaluate(positions, out);
      });
    for (std::thread& thread : threads) thread.join();
  };
  work(100);
  const std::size_t before = residentBytes();
  work(600);
  EXPECT_LT(residentBytes(), before + (std::size_t{8} << 20));
}
#endif

TEST(TorchRuntime, MeasuresTheBlas) {
  limitTorchThreads();
  EXPECT_GT(sgemmGflops(), 0.01);
  EXPECT_FALSE(blasName().empty());
}

}  // namespace
}  // namespace toguz
