#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "models/features.h"
#include "tests/models/support.h"

namespace toguz {
namespace {

using testing::HasSubstr;

std::string errorOf(const std::string& bytes) {
  try {
    parseModel(bytes, "net.bin");
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("net.bin: ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  return "";
}

Model smallModel() {
  Model model = test::busyModel(Rules::named("bestemshe"), {.width = 16, .blocks = 1}, 3);
  model.provenance["run"] = "unit";
  model.provenance["games"] = 12;
  return model;
}

void expectSame(const Model& a, const Model& b) {
  EXPECT_EQ(a.rules, b.rules);
  EXPECT_EQ(a.architecture, b.architecture);
  EXPECT_EQ(a.provenance, b.provenance);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    EXPECT_EQ(a.tensors[i].name, b.tensors[i].name);
    EXPECT_EQ(a.tensors[i].shape, b.tensors[i].shape);
    EXPECT_EQ(a.tensors[i].data, b.tensors[i].data);
  }
}

class ModelFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("toguz_model_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ModelFile, ComesBackAsItWas) {
  for (const std::string& variant : test::variantsAndSwitches()) {
    Model model = test::busyModel(Rules::named(variant), {.width = 32, .blocks = 2}, 5);
    model.provenance["step"] = 77;
    const auto path = folder_ / "net.bin";
    saveModel(model, path);
    const Model back = loadModel(path);
    expectSame(model, back);
    EXPECT_EQ(modelId(model), modelId(back));
    EXPECT_EQ(modelId(model), tensorFileId(readFile(path)));
  }
  // Nothing but the file itself is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(ModelFile, IdTellsModelsApart) {
  Model model = smallModel();
  const std::string before = modelId(model);
  EXPECT_EQ(before.size(), 32u);
  model.tensors[2].data[5] = std::nextafter(model.tensors[2].data[5], 1.0f);
  EXPECT_NE(modelId(model), before);
}

TEST_F(ModelFile, CutShortAnywhereIsOneClearError) {
  const std::string bytes = serializeModel(smallModel());
  for (std::size_t length = 0; length < bytes.size(); length += length < 600 ? 1 : 97) {
    const std::string error = errorOf(bytes.substr(0, length));
    ASSERT_NE(error, "") << length;
    if (length == 0)
      ASSERT_THAT(error, HasSubstr("empty"));
    else
      ASSERT_THAT(error, HasSubstr("cut short")) << length;
  }
  EXPECT_NE(errorOf(bytes + "x"), "");
}

TEST_F(ModelFile, AnyFlippedBitIsOneClearError) {
  const std::string bytes = serializeModel(smallModel());
  for (std::size_t at = 0; at < bytes.size(); at += at < 600 ? 1 : 31)
    for (int bit = at < 600 ? 0 : 5; bit < (at < 600 ? 8 : 6); ++bit) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ASSERT_NE(errorOf(damaged), "") << at << ' ' << bit;
    }
  std::string damaged = bytes;
  damaged[bytes.size() / 2] ^= 1;
  EXPECT_THAT(errorOf(damaged), HasSubstr("altered"));
}

TEST_F(ModelFile, WrongKindsAreNamed) {
  std::string bytes = serializeModel(smallModel());
  EXPECT_THAT(errorOf("GIF89a" + bytes), HasSubstr("not a Toguz Zero model"));
  const std::uint32_t next = 3;
  std::memcpy(bytes.data() + 8, &next, 4);
  EXPECT_THAT(errorOf(bytes), HasSubstr("newer"));
  EXPECT_THROW(loadModel(folder_ / "missing.bin"), Error);
  EXPECT_THROW(loadModel(folder_), Error);
}

// Files that are whole, with a right checksum, but wrong inside.
TEST_F(ModelFile, WrongInsidesAreNamed) {
  const Model good = smallModel();

  Model model = good;
  std::swap(model.tensors[2], model.tensors[4]);
  EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("block.0.1.weight where block.0.0.weight"));

  model = good;
  model.tensors.pop_back();
  EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("tensors"));

  model = good;
  model.tensors[1].shape = {8, 2};
  EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("input.bias has shape [8, 2]"));

  model = good;
  model.architecture.width = 24;
  EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("width 24"));

  model = good;
  model.architecture.blocks = 2;
  EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("tensors"));

  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    model = good;
    model.tensors[0].data[7] = bad;
    EXPECT_THAT(errorOf(serializeModel(model)), HasSubstr("input.weight holds NaN or infinity"));
    EXPECT_THROW(saveModel(model, folder_ / "bad.bin"), Error);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.bin"));
  }
}

TEST_F(ModelFile, WrongHeadersAreNamed) {
  const Model good = smallModel();
  const TensorFileKind kind{"TOGUZNET", 1, "a Toguz Zero model"};
  const nlohmann::json header = readTensorFile(kind, serializeModel(good), "net.bin").header;
  const auto with = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json changed = header;
    changed[key] = value;
    return errorOf(writeTensorFile(kind, changed, good.tensors));
  };
  EXPECT_THAT(with("variant", "standart"), HasSubstr("did you mean 'standard'"));
  EXPECT_THAT(with("variant", "standard"), HasSubstr("input.weight has shape"));
  EXPECT_THAT(with("variant", 3), HasSubstr("variant"));
  EXPECT_THAT(with("features", "rows-9"), HasSubstr("rows-9"));
  EXPECT_THAT(with("architecture", nullptr), HasSubstr("architecture"));
  EXPECT_THAT(with("architecture", {{"width", "wide"}, {"blocks", 1}}), HasSubstr("width"));
  EXPECT_THAT(with("architecture", {{"width", 16}, {"blocks", -1}}), HasSubstr("blocks"));
}

TEST_F(ModelFile, OldFileSurvivesAWriteThatFails) {
  const auto path = folder_ / "net.bin";
  saveModel(smallModel(), path);
  const std::string before = readFile(path);
  std::filesystem::create_directories(folder_ / "taken" / "full");
  EXPECT_THROW(writeFileAtomically(folder_ / "taken", "x"), Error);  // a folder stands there
  EXPECT_THROW(writeFileAtomically(folder_ / "none" / "net.bin", "x"), Error);
  EXPECT_EQ(readFile(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST(RandomModel, AnswersUniformAndLevel) {
  const Model model = randomModel(Rules(), {}, 1);
  for (const char* name : {"head.weight", "head.bias", "block.3.1.weight", "input.bias"})
    EXPECT_THAT(model.tensor(name).data, testing::Each(0.0f)) << name;
  double squares = 0;
  const Tensor& first = model.tensor("block.0.0.weight");
  for (const float x : first.data) squares += static_cast<double>(x) * static_cast<double>(x);
  EXPECT_NEAR(squares / static_cast<double>(first.data.size()), 2.0 / 128, 0.001);
  EXPECT_EQ(modelId(model), modelId(randomModel(Rules(), {}, 1)));
  EXPECT_NE(modelId(model), modelId(randomModel(Rules(), {}, 2)));
}

TEST(TensorTable, HasTheDocumentedShapes) {
  const auto table = tensorTable(Rules(), {.width = 128, .blocks = 1});
  ASSERT_EQ(table.size(), 8u);
  EXPECT_EQ(table[0].shape, (std::vector<std::int64_t>{1192, 128}));
  EXPECT_EQ(table[6].name, "head.weight");
  EXPECT_EQ(table[6].shape, (std::vector<std::int64_t>{23, 128}));
}

}  // namespace
}  // namespace toguz
