// The int8 form of a model file.
#include <gmock/gmock.h>

#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "models/features.h"
#include "models/int8_model.h"
#include "models/native/int8_trunk.h"
#include "models/native/network.h"
#include "tests/models/export_support.h"

namespace toguz {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<float> rawOf(std::shared_ptr<const NativeNetwork> network,
                         const std::vector<Position>& positions) {
  const HeadLayout layout{network->rules().set().pits};
  std::vector<float> raw(positions.size() * static_cast<std::size_t>(layout.size()));
  NativeEvaluator(std::move(network)).evaluateRaw(positions, raw);
  return raw;
}

std::string errorOf(const std::string& bytes) {
  try {
    parseAnyModel(bytes, "net.tzn");
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("net.tzn: ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  return "";
}

Int8Model smallModel() {
  Model model = test::busyModel(Rules::named("bestemshe"), {.width = 16, .blocks = 1}, 3);
  model.provenance["games"] = 12;
  return quantized(model);
}

using Int8File = test::ExportFolder;

TEST_F(Int8File, AnswersToTheBitAsTheFp32FileInInt8) {
  const auto path = folder_ / "net.tzn";
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    saveModel(quantized(model), path);
    const auto positions = test::randomPositions(model.rules, 300, 5);
    const auto stored = NativeNetwork::load(path, Precision::Auto);
    EXPECT_EQ(stored->precision(), Precision::Int8);
    EXPECT_EQ(rawOf(stored, positions),
              rawOf(std::make_shared<NativeNetwork>(model, Precision::Int8), positions));
  }
}

TEST_F(Int8File, AnswersTheSameOnAllKernels) {
  const Model model = test::busyModel(Rules(), {48, 3, FeatureSet::Rows2}, 9);
  const auto rows = static_cast<std::size_t>(activeRows(model.rules.set(), FeatureSet::Rows2));
  constexpr int kCount = native::Int8Trunk::kChunk;
  const auto positions = test::randomPositions(model.rules, kCount, 3);
  std::vector<FeatureRow> active(positions.size() * rows);
  for (std::size_t i = 0; i < positions.size(); ++i)
    encodeFeatures(model.rules, FeatureSet::Rows2, positions[i],
                   std::span(active).subspan(i * rows, rows));
  const native::Int8Trunk made(model, native::measurePeaks(model));
  const native::Int8Trunk stored(
      std::get<Int8Model>(parseAnyModel(serializeModel(quantized(model)), "net.tzn")));
  native::Int8Trunk::Scratch want(48), got(48);
  made.run(native::kPortableInt8, active.data(), static_cast<int>(rows), kCount, want);
  for (const native::Int8Kernels* kernels : native::int8Kernels()) {
    stored.run(*kernels, active.data(), static_cast<int>(rows), kCount, got);
    for (std::size_t i = 0; i < got.trunk.size(); ++i)
      ASSERT_EQ(got.trunk.data()[i], want.trunk.data()[i]) << kernels->name;
  }
}

TEST_F(Int8File, ComesBackAsItWasAndIsSmall) {
  Model model = test::busyModel(Rules(), {}, 7);
  model.provenance["run"] = "unit";
  const Int8Model int8 = quantized(model);
  const std::string bytes = serializeModel(int8);
  const Int8Model back = std::get<Int8Model>(parseAnyModel(bytes, "net.tzn"));
  EXPECT_EQ(serializeModel(back), bytes);
  EXPECT_EQ(modelId(back), tensorFileId(bytes));
  EXPECT_EQ(back.rules, model.rules);
  EXPECT_EQ(back.architecture, model.architecture);
  EXPECT_EQ(back.provenance.at("run"), "unit");
  EXPECT_EQ(back.origin(), "id " + modelId(model));
  EXPECT_LT(bytes.size(), serializeModel(model).size() * 42 / 100);
}

// Caches and match journals must not take one for the other.
TEST_F(Int8File, IsAPlayerOfItsOwn) {
  const Model model = test::busyModel(Rules::named("seven"), {32, 1}, 8);
  const NativeNetwork made(model, Precision::Int8), stored(quantized(model)), fp32(model);
  EXPECT_NE(stored.id(), made.id());
  EXPECT_NE(stored.cacheKey(), made.cacheKey());
  EXPECT_NE(stored.cacheKey(), fp32.cacheKey());
}

TEST_F(Int8File, OldFormIsAsItWas) {
  const Model model = test::busyModel(Rules::named("seven"), {32, 1}, 8);
  const std::string bytes = serializeModel(model);
  EXPECT_EQ(bytes[8], 1) << "fp32 files can still be read by older programs";
  EXPECT_EQ(serializeModel(quantized(model))[8], 2);
  EXPECT_EQ(modelId(std::get<Model>(parseAnyModel(bytes, "net.tzn"))), modelId(model));
}

TEST_F(Int8File, CutShortAnywhereIsOneClearError) {
  const std::string bytes = serializeModel(smallModel());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string error = errorOf(bytes.substr(0, length));
    ASSERT_THAT(error, HasSubstr(length == 0 ? "empty" : "cut short")) << length;
  }
  EXPECT_NE(errorOf(bytes + "x"), "");
}

TEST_F(Int8File, AnyFlippedBitIsOneClearError) {
  const std::string bytes = serializeModel(smallModel());
  for (std::size_t at = 0; at < bytes.size(); at += at < 1500 ? 1 : 13)
    for (int bit = 0; bit < 8; bit += at < 1500 ? 1 : 7) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ASSERT_NE(errorOf(damaged), "") << at << ' ' << bit;
    }
}

// Files that are whole, with a right checksum, but wrong inside.
TEST_F(Int8File, WrongInsidesAreNamed) {
  const Int8Model good = smallModel();
  const auto errorWith = [&](auto change) {
    Int8Model model = good;
    change(model);
    return errorOf(serializeModel(model));
  };
  EXPECT_EQ(errorOf(serializeModel(good)), "");
  EXPECT_THAT(errorWith([](Int8Model& m) { m.codes.pop_back(); }), HasSubstr("tensors"));
  EXPECT_THAT(errorWith([](Int8Model& m) { m.tensors.pop_back(); }), HasSubstr("tensors"));
  EXPECT_THAT(errorWith([](Int8Model& m) { std::swap(m.codes[2], m.codes[3]); }),
              HasSubstr("block.0.1.weight where block.0.0.weight"));
  EXPECT_THAT(errorWith([](Int8Model& m) {
                m.codes[1].shape = {4, 4};
              }),
              HasSubstr("input.bias has shape [4, 4]"));
  EXPECT_THAT(errorWith([](Int8Model& m) { m.codes[2].bytes = 2; }), HasSubstr("another type"));
  EXPECT_THAT(errorWith([](Int8Model& m) { m.codes[0].data[3] = 32767; }), HasSubstr("16 bits"));
  EXPECT_THAT(errorWith([](Int8Model& m) { m.tensors[1].data[3] = -1; }),
              HasSubstr("input.inverse holds a negative number"));
  EXPECT_THAT(errorWith([](Int8Model& m) { m.architecture.blocks = 2; }), HasSubstr("tensors"));
  EXPECT_THAT(errorWith([](Int8Model& m) {
                m.tensors[0].data[0] = std::numeric_limits<float>::infinity();
              }),
              HasSubstr("input.scale holds NaN or infinity"));

  Int8Model bad = good;
  bad.tensors[0].data[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(saveModel(bad, folder_ / "bad.tzn"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.tzn"));

  const TensorFileKind kind{"TOGUZNET", 2, "a Toguz Zero model"};
  nlohmann::json header = readTensorFile(kind, serializeModel(good), "net.tzn").header;
  header["precision"] = "int4";
  EXPECT_THAT(errorOf(writeTensorFile(kind, header, good.tensors, good.codes)), HasSubstr("int4"));
  header.erase("precision");
  EXPECT_THAT(errorOf(writeTensorFile(kind, header, good.tensors, good.codes)),
              HasSubstr("whole numbers"));
}

// What an older program says of one.
TEST_F(Int8File, OlderProgramsAskForANewerOne) {
  const TensorFileKind old{"TOGUZNET", 1, "a Toguz Zero model"};
  try {
    readTensorFile(old, serializeModel(smallModel()), "net.tzn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("use a newer toguz"));
  }
}

TEST_F(Int8File, ProgramsThatNeedFp32SaySo) {
  const Model model = test::busyModel(Rules::named("seven"), {32, 1}, 8);
  const auto path = folder_ / "net.tzn";
  saveModel(quantized(model), path);
  const auto clear = testing::AllOf(StartsWith(path.string() + ": an int8 model file"),
                                    HasSubstr(modelId(model)), testing::Not(HasSubstr("\n")));
  EXPECT_THAT([&] { loadModel(path); }, testing::ThrowsMessage<UsageError>(clear));
  EXPECT_THAT([&] { NativeNetwork::load(path, Precision::Fp32); },
              testing::ThrowsMessage<UsageError>(testing::AllOf(clear, HasSubstr("auto"))));
  EXPECT_THROW(NativeNetwork::load(folder_ / "missing.tzn", Precision::Auto), UsageError);
  saveModel(model, path);
  EXPECT_EQ(NativeNetwork::load(path, Precision::Fp32)->precision(), Precision::Fp32);
  EXPECT_EQ(NativeNetwork::load(path, Precision::Int8)->precision(), Precision::Int8);
}

}  // namespace
}  // namespace toguz
