#include "training/trainer.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "models/features.h"
#include "models/native/network.h"
#include "tests/models/support.h"
#include "tests/trainer/support.h"
#include "training/trainer_backend.h"

namespace toguz {
namespace {

using test::randomRows;
using testing::HasSubstr;

constexpr Architecture kSmall{.width = 32, .blocks = 2};

std::vector<float> flat(const Model& model) {
  std::vector<float> all;
  for (const Tensor& t : model.tensors) all.insert(all.end(), t.data.begin(), t.data.end());
  return all;
}

class TempFile {
 public:
  TempFile() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    path_ = std::filesystem::temp_directory_path() /
            ("toguz_trainer_" + std::to_string(::getpid()) + "_" + name);
  }
  ~TempFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<FeatureRow> featuresOf(const Rules& rules, std::span<const TrainingRow> rows) {
  const auto active = static_cast<std::size_t>(activeRows(rules.set(), FeatureSet::Rows1));
  std::vector<FeatureRow> features(rows.size() * active);
  for (std::size_t i = 0; i < rows.size(); ++i)
    encodeFeatures(rules, FeatureSet::Rows1, rows[i].position,
                   std::span(features).subspan(i * active, active));
  return features;
}

// Both backends on the same weights and batch: outputs, gradient, and weights after a few steps.
TEST(TrainerBackends, NativeAgreesWithAutograd) {
  const std::pair<const char*, Architecture> cases[] = {
      {"standard", {128, 2}}, {"bestemshe", {16, 0}}, {"seven", {48, 3}}};
  for (const auto& [variant, architecture] : cases) {
    const Rules rules = Rules::named(variant);
    const std::vector<float> weights = flat(test::busyModel(rules, architecture, 41));
    const auto native = makeNativeBackend(rules, architecture);
    const auto torch = makeTorchBackend(rules, architecture, test::testDevice());
    const int count = 100;
    const auto rows = randomRows(rules, count, 42);
    const auto features = featuresOf(rules, rows);
    std::vector<float> raw[2],
        rawGradient(rows.size() * static_cast<std::size_t>(HeadLayout{rules.set().pits}.size()));
    int which = 0;
    for (TrainerBackend* backend : {native.get(), torch.get()}) {
      backend->set(FlatState::Weights, weights);
      backend->set(FlatState::Average, weights);
      std::vector<float>& out = raw[which++];
      out.resize(rawGradient.size());
      for (int step = 1; step <= 3; ++step) {
        backend->clearGradient();
        backend->forward(features, count, false, out);
        LossSums sums;
        addLosses(rules, rows, out, {}, weigh(rows), sums, rawGradient);
        backend->backward(features, count, rawGradient);
        // A large epsilon keeps the step smooth in the gradient, so that rounding is not blown up.
        backend->update({1e-2, 0.1, 0.9, 0.999, 1e-3, step, 0.5, 0.7});
      }
    }
    const auto near = [&](const std::vector<float>& a, const std::vector<float>& b, float tolerance,
                          const char* what) {
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], tolerance) << variant << ' ' << what << ' ' << i;
    };
    near(raw[0], raw[1], 1e-3f, "raw");
    std::vector<float> torchGradient = torch->gradient();
    for (float& x : torchGradient) x *= 2;  // that backend scales in place
    near(native->gradient(), torchGradient, 1e-4f, "gradient");
    EXPECT_NEAR(native->gradientSquares(), 4 * torch->gradientSquares(),
                1e-3 * native->gradientSquares());
    for (const FlatState state :
         {FlatState::Weights, FlatState::Average, FlatState::Moment1, FlatState::Moment2})
      near(native->get(state), torch->get(state), 1e-4f, "state");
    std::vector<float> averaged[2] = {raw[0], raw[1]};
    native->forward(features, count, true, averaged[0]);
    torch->forward(features, count, true, averaged[1]);
    near(averaged[0], averaged[1], 1e-3f, "averaged");
    EXPECT_NE(averaged[0], raw[0]);
  }
}

TEST(Trainer, StartsFromTheModelAndHandsItBack) {
  const Model model = test::busyModel(Rules::named("seven"), kSmall, 43);
  const Trainer trainer(model, {});
  EXPECT_EQ(flat(trainer.currentModel()), flat(model));
  EXPECT_EQ(flat(trainer.averagedModel()), flat(model));
  EXPECT_EQ(trainer.steps(), 0);
}

TEST(Trainer, OverfitsASmallBatch) {
  const Rules rules;
  // Targets that can be met exactly: one move, a sure result.
  auto rows = randomRows(rules, 48, 44);
  Rng rng(45);
  for (TrainingRow& row : rows) {
    row.policy.fill(0);
    row.policy[static_cast<std::size_t>(test::randomLegal(legalMoves(rules, row.position), rng))] =
        65535;
    row.shortValue = static_cast<std::int16_t>(row.shortValue / 2);
  }
  TrainerParams params;
  params.warmupSteps = 20;
  params.weightDecay = 0;
  Trainer trainer(randomModel(rules, {64, 2}, 46), params);
  const double before = trainer.measure(rows).total;
  EXPECT_GT(before, 3.0);
  for (int i = 0; i < 400; ++i) trainer.step(rows, i < 250 ? 1.0 : 0.3);
  const StepLosses after = trainer.measure(rows);
  EXPECT_LT(after.policy, 0.02);
  EXPECT_LT(after.result, 0.02);
  EXPECT_LT(after.margin, 0.02);
  EXPECT_LT(after.reply, 0.02);
  EXPECT_LT(after.shortValue, 0.02);
  EXPECT_LT(after.total, 0.03);
  EXPECT_LT(trainer.measure(rows, /*averaged=*/true).total, 0.1 * before);

  // What was learnt is what inference says of the snapshot.
  NativeEvaluator evaluator(std::make_shared<NativeNetwork>(trainer.currentModel()));
  for (const TrainingRow& row : rows) {
    Evaluation out;
    evaluator.evaluate({&row.position, 1}, {&out, 1});
    EXPECT_NEAR(out.winLoss, row.result, 0.15f);
    for (std::size_t pit = 0; pit < kMaxPits; ++pit)
      if (row.policy[pit]) {
        EXPECT_GT(out.policy[pit], 0.9f);
      }
  }
}

class TrainerResume : public testing::TestWithParam<std::string> {};

TEST_P(TrainerResume, IsExactToTheBit) {
  const Rules rules = Rules::named("bestemshe");
  const Model model = randomModel(rules, kSmall, 47);
  TrainerParams params;
  params.device = GetParam();
  params.warmupSteps = 6;
  std::vector<std::vector<TrainingRow>> batches;
  for (std::uint64_t i = 0; i < 10; ++i) batches.push_back(randomRows(rules, 150, 100 + i));

  Trainer straight(model, params);
  for (const auto& batch : batches) straight.step(batch);

  TempFile file;
  {
    Trainer first(model, params);
    for (std::size_t i = 0; i < 5; ++i) first.step(batches[i]);
    first.saveState(file.path());
  }
  Trainer second(randomModel(rules, kSmall, 999), params);
  second.loadState(file.path());
  EXPECT_EQ(second.steps(), 5);
  for (std::size_t i = 5; i < 10; ++i) second.step(batches[i]);
  EXPECT_EQ(second.steps(), straight.steps());
  EXPECT_EQ(flat(second.currentModel()), flat(straight.currentModel()));
  EXPECT_EQ(flat(second.averagedModel()), flat(straight.averagedModel()));
  EXPECT_NE(flat(straight.averagedModel()), flat(straight.currentModel()));
}

INSTANTIATE_TEST_SUITE_P(Backends, TrainerResume, testing::Values("cpu", "torch:cpu"),
                         [](const auto& device) {
                           return device.param == "cpu" ? "native" : "torch";
                         });

TEST(Trainer, BatchLargerThanAChunkIsOneStep) {
  // 300 rows go through in pieces; the same rows in another order give the same step but rounding.
  const Rules rules;
  auto rows = randomRows(rules, 300, 48);
  TrainerParams params;
  params.epsilon = 1e-3;
  const Model model = test::busyModel(rules, kSmall, 49);
  Trainer a(model, params), b(model, params);
  const StepLosses first = a.step(rows);
  std::rotate(rows.begin(), rows.begin() + 77, rows.end());
  const StepLosses second = b.step(rows);
  EXPECT_NEAR(first.total, second.total, 1e-6);
  EXPECT_NEAR(first.gradientNorm, second.gradientNorm, 1e-4);
  EXPECT_NEAR(first.total, a.measure(rows).total, 0.5);
  const auto x = flat(a.currentModel()), y = flat(b.currentModel());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-6f);
}

TEST(Trainer, MeasuringChangesNothing) {
  const Rules rules;
  const auto rows = randomRows(rules, 64, 50);
  Trainer trainer(test::busyModel(rules, kSmall, 51), {});
  trainer.step(rows);
  const auto before = flat(trainer.currentModel());
  const StepLosses raw = trainer.measure(rows), averaged = trainer.measure(rows, true);
  EXPECT_EQ(flat(trainer.currentModel()), before);
  EXPECT_EQ(trainer.steps(), 1);
  EXPECT_NE(raw.total, averaged.total);
  EXPECT_EQ(raw.total, trainer.measure(rows).total);
}

TEST(Trainer, WeightsOfRowsCount) {
  const Rules rules;
  auto rows = randomRows(rules, 64, 52);
  const Model model = test::busyModel(rules, kSmall, 53);
  // Rows of weight 0 are as if they were not there.
  auto padded = rows;
  for (TrainingRow row : randomRows(rules, 20, 54)) {
    row.weight = 0;
    padded.push_back(row);
  }
  Trainer a(model, {}), b(model, {});
  EXPECT_EQ(a.step(rows).total, b.step(padded).total);
  EXPECT_EQ(flat(a.currentModel()), flat(b.currentModel()));
  // And a batch of them alone is no step.
  for (TrainingRow& row : rows) row.weight = 0;
  const auto before = flat(a.currentModel());
  EXPECT_EQ(a.step(rows).weight, 0);
  EXPECT_EQ(a.steps(), 1);
  EXPECT_EQ(flat(a.currentModel()), before);
}

TEST(Trainer, ClipsTheGradientAndWarmsUp) {
  const Rules rules;
  const auto rows = randomRows(rules, 64, 55);
  const Model model = test::busyModel(rules, kSmall, 56);
  TrainerParams params;
  params.weightDecay = 0;
  params.warmupSteps = 100;
  Trainer trainer(model, params);
  trainer.step(rows);
  const auto before = flat(model), after = flat(trainer.currentModel());
  // Adam's first step is the learning rate in size, here a hundredth of it.
  float largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    largest = std::max(largest, std::abs(after[i] - before[i]));
  EXPECT_NEAR(largest, 1e-5f, 1e-6f);

  // Clipping a gradient to a tenth of its norm is the same as not clipping one of a tenth the size:
  // Adam's moments show it.
  const double norm = Trainer(model, params).step(rows).gradientNorm;
  params.gradientClip = norm / 10;
  TempFile file;
  Trainer clipped(model, params);
  clipped.step(rows);
  clipped.saveState(file.path());
  const auto state = readTensorFile({"TOGUZTRN", 1, "a state"}, readFile(file.path()), "state");
  double squares = 0;
  for (const float m : state.tensors[2].data)
    squares += static_cast<double>(m) * static_cast<double>(m);
  EXPECT_NEAR(std::sqrt(squares), 0.1 * norm / 10, 1e-4 * norm);
}

TEST(Trainer, WeightDecayShrinksWeightsOnly) {
  const Rules rules;
  const Model model = test::busyModel(rules, kSmall, 57);
  TrainerParams params;
  params.weightDecay = 0.5;
  params.learningRate = 0.1;
  params.warmupSteps = 0;
  params.loss = {0, 0, 0, 0, 0, 0};  // no gradient at all
  Trainer trainer(model, params);
  trainer.step(randomRows(rules, 16, 58));
  const Model after = trainer.currentModel();
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const float keep = model.tensors[i].shape.size() == 2 ? 0.95f : 1.0f;
    for (std::size_t j = 0; j < model.tensors[i].data.size(); ++j)
      ASSERT_NEAR(after.tensors[i].data[j], keep * model.tensors[i].data[j], 1e-6f);
  }
}

TEST(Trainer, LossThatIsNotFiniteChangesNothingAndIsNamed) {
  const Rules rules;
  const auto rows = randomRows(rules, 64, 59);
  for (const char* device : {"cpu", "torch:cpu"}) {
    Model model = test::busyModel(rules, kSmall, 60);
    for (Tensor& tensor : model.tensors)
      if (tensor.name == "head.bias") tensor.data[12] = std::numeric_limits<float>::infinity();
    TrainerParams params;
    params.device = device;
    Trainer trainer(model, params);
    try {
      trainer.step(rows);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("step 1"));
      EXPECT_THAT(error.what(), HasSubstr("margin loss"));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
    EXPECT_EQ(flat(trainer.currentModel()), flat(model));
    EXPECT_EQ(flat(trainer.averagedModel()), flat(model));
    EXPECT_EQ(trainer.steps(), 0);
  }
}

TEST(Trainer, DamagedStatesAreOneClearErrorAndLeaveItAsItWas) {
  const Rules rules = Rules::named("bestemshe");
  const Architecture tiny{16, 1};
  const auto rows = randomRows(rules, 32, 61);
  TempFile file;
  Trainer trainer(test::busyModel(rules, tiny, 62), {});
  trainer.step(rows);
  trainer.saveState(file.path());
  const std::string good = readFile(file.path());
  trainer.step(rows);
  const auto weights = flat(trainer.currentModel());

  const auto errorOf = [&](const std::string& bytes) -> std::string {
    writeFileAtomically(file.path(), bytes);
    try {
      trainer.loadState(file.path());
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_THAT(text, HasSubstr(file.path().string()));
      EXPECT_EQ(text.find('\n'), std::string::npos);
      return text;
    }
    return "";
  };
  for (std::size_t length = 0; length < good.size(); length += good.size() / 23 + 1)
    EXPECT_NE(errorOf(good.substr(0, length)), "") << length;
  for (std::size_t at = 0; at < good.size(); at += good.size() / 41 + 1) {
    std::string damaged = good;
    damaged[at] ^= 4;
    EXPECT_NE(errorOf(damaged), "") << at;
  }
  EXPECT_THAT(errorOf(serializeModel(trainer.currentModel())), HasSubstr("not a state"));
  Trainer other(randomModel(rules, {32, 1}, 1), {});
  other.saveState(file.path());
  EXPECT_THAT(errorOf(readFile(file.path())), HasSubstr("width is 32, this run has 16"));
  Trainer seven(randomModel(Rules::named("seven"), tiny, 1), {});
  seven.saveState(file.path());
  EXPECT_THAT(errorOf(readFile(file.path())), HasSubstr("variant"));

  EXPECT_EQ(flat(trainer.currentModel()), weights);
  EXPECT_EQ(trainer.steps(), 2);
  EXPECT_EQ(errorOf(good), "");
  EXPECT_EQ(trainer.steps(), 1);
}

TEST(Trainer, AverageFollowsCloselyAtFirst) {
  const Rules rules = Rules::named("bestemshe");
  const auto rows = randomRows(rules, 32, 63);
  const Model model = randomModel(rules, {16, 1}, 64);
  TrainerParams params;
  params.warmupSteps = 0;
  params.learningRate = 3e-3;
  Trainer trainer(model, params);
  for (int i = 0; i < 100; ++i) trainer.step(rows);
  const auto start = flat(model), raw = flat(trainer.currentModel()),
             average = flat(trainer.averagedModel());
  double toRaw = 0, toStart = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    toRaw += std::abs(static_cast<double>(average[i] - raw[i]));
    toStart += std::abs(static_cast<double>(average[i] - start[i]));
  }
  EXPECT_LT(toRaw, 0.35 * toStart);  // with 0.999 from the start it would be the other way round
}

TEST(Trainer, DeviceThatIsNotThereIsAnError) {
  TrainerParams params;
  for (const char* device : {"cuda:99", "torch:cuda:99", "tpu", ""}) {
    params.device = device;
    EXPECT_THROW(Trainer(randomModel(Rules(), {16, 0}, 1), params), Error) << device;
  }
}

}  // namespace
}  // namespace toguz
