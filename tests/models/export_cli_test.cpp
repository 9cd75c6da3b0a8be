// `toguz export` as users meet it: files, their names, and one clear line for what cannot be.
#include <gmock/gmock.h>

#include "base/file.h"
#include "models/export.h"
#include "models/int8_model.h"
#include "models/native/network.h"
#include "tests/models/export_support.h"
#include "tests/run_program.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

using test::Ran;

class ExportCommand : public test::ExportFolder {
 protected:
  void SetUp() override {
    test::ExportFolder::SetUp();
    model_ = test::busyModel(Rules::named("bestemshe"), {.width = 16, .blocks = 1}, 3);
    path_ = folder_ / "net.tzn";
    saveModel(model_, path_);
  }

  Ran toguz(const std::string& arguments) {
    return test::runShell("cd '" + folder_.string() + "' && '" TOGUZ_BINARY "' " + arguments +
                          " </dev/null");
  }

  // Status 2, one line, and nothing written.
  std::string refusal(const std::string& arguments) {
    const std::size_t before = files().size();
    const Ran run = toguz(arguments);
    EXPECT_EQ(run.status, 2) << arguments << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(files().size(), before);
    return run.err;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      names.push_back(fs::relative(entry.path(), folder_).string());
    return names;
  }

  bool writes(const std::string& format) const {
    return writtenFormats().find(format) != std::string::npos;
  }

  Model model_;
  fs::path path_;
};

TEST_F(ExportCommand, NativeIsTheSameFile) {
  const Ran run = toguz("export net.tzn -o copy.tzn");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "copy.tzn\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(readFile(folder_ / "copy.tzn"), readFile(path_));
  const auto card = nlohmann::json::parse(readFile(folder_ / "copy.tzn.json"));
  EXPECT_EQ(card["model_id"], modelId(model_));
  EXPECT_EQ(card["format"], "native");
}

TEST_F(ExportCommand, FullInt8PlaysWhereverAModelDoes) {
  EXPECT_EQ(toguz("export net.tzn --precision int8 -o small.tzn").status, 0);
  EXPECT_LT(fs::file_size(folder_ / "small.tzn"), fs::file_size(path_) * 6 / 10);
  EXPECT_EQ(toguz("match model:small.tzn,nodes=5 random --variant bestemshe --games 2").status, 0);
  const Ran fp32 =
      toguz("match model:small.tzn,nodes=5,precision=fp32 random --variant bestemshe --games 2");
  EXPECT_EQ(fp32.status, 2);
  EXPECT_THAT(fp32.err, AllOf(HasSubstr("small.tzn: an int8 model file"), HasSubstr("auto")));
  for (const char* format : {"native", "onnx", "torchscript"})
    if (writes(format)) {
      EXPECT_THAT(refusal(std::string("export small.tzn -o x --format ") + format),
                  AllOf(HasSubstr("small.tzn: an int8 model file"), HasSubstr(modelId(model_))));
    }
}

TEST_F(ExportCommand, FullFilesAreNamedAfterTheModelOrThePrefix) {
  EXPECT_EQ(toguz("export net.tzn -o out/").out, "out/net.tzn\n");
  EXPECT_EQ(toguz("export net.tzn -o this.bin").out, "this.bin\n");
  EXPECT_EQ(toguz("export net.tzn --precision int8 -o out").out, "out/net.int8.tzn\n");
  EXPECT_TRUE(fs::exists(folder_ / "out/net.int8.tzn.json"));
  if (!writes("onnx")) return;  // the one format that every build has was looked at
  EXPECT_EQ(toguz("export net.tzn --format native,onnx -o both/").out,
            "both/net.tzn\nboth/net.onnx\n");
  EXPECT_EQ(toguz("export net.tzn --format onnx,native -o best").out, "best.onnx\nbest.tzn\n");
  EXPECT_EQ(toguz("export net.tzn --format onnx -o .").out, "./net.onnx\n");
  const auto card = nlohmann::json::parse(readFile(folder_ / "best.onnx.json"));
  EXPECT_EQ(card["format"], "onnx");
}

TEST_F(ExportCommand, FullSamplesAreAnsweredInThePrecisionAskedFor) {
  EXPECT_EQ(toguz("export net.tzn -o a.tzn --samples a.json --sample-count 5").status, 0);
  EXPECT_EQ(
      toguz("export net.tzn -o b.tzn --precision int8 --samples b.json --sample-count 5").status,
      0);
  const auto positions = samplePositions(model_.rules, 5);
  EXPECT_EQ(nlohmann::json::parse(readFile(folder_ / "a.json"))["samples"],
            exportExamples(std::make_shared<NativeNetwork>(model_), positions));
  EXPECT_EQ(nlohmann::json::parse(readFile(folder_ / "b.json"))["samples"],
            exportExamples(std::make_shared<NativeNetwork>(model_, Precision::Int8), positions));
}

TEST_F(ExportCommand, FullWhatCannotBeIsOneLine) {
  EXPECT_THAT(refusal("export net.tzn -o x --format onx"),
              AllOf(HasSubstr("'onx'"), HasSubstr("did you mean '"), HasSubstr("native")));
  EXPECT_THAT(refusal("export net.tzn -o x --format ''"), HasSubstr("--format"));
  EXPECT_THAT(refusal("export net.tzn -o x --format native,native"), HasSubstr("twice"));
  EXPECT_THAT(refusal("export net.tzn -o x --precision fp16"), HasSubstr("--precision"));
  EXPECT_THAT(refusal("export net.tzn -o x --precision auto"), HasSubstr("not auto"));
  for (const auto& [format, remedy] :
       {std::pair("onnx", "libonnx-dev"), {"torchscript", "LibTorch"}}) {
    const std::string arguments = std::string("export net.tzn -o x --format native,") + format;
    if (writes(format)) {
      EXPECT_THAT(refusal(arguments + " --precision int8"),
                  AllOf(HasSubstr("--precision int8"), HasSubstr(format)));
    } else {
      EXPECT_THAT(refusal(arguments), HasSubstr(remedy));
    }
  }
  EXPECT_THAT(refusal("export missing.tzn -o x"), HasSubstr("missing.tzn"));
  EXPECT_THAT(refusal("export net.tzn -o none/x"), HasSubstr("--out none/x"));
  EXPECT_THAT(refusal("export net.tzn -o net.tzn/"), HasSubstr("--out net.tzn/"));
  EXPECT_THAT(refusal("export net.tzn -o x --samples none/y"), HasSubstr("--samples none/y"));
  EXPECT_THAT(refusal("export net.tzn -o net.tzn --precision int8"),
              HasSubstr("are the same file"));
  EXPECT_THAT(refusal("export net.tzn -o ."), HasSubstr("are the same file"));
  for (const char* onto : {"-o x --samples net.tzn", "-o x --samples x", "-o x --samples x.json"})
    EXPECT_THAT(refusal(std::string("export net.tzn ") + onto), HasSubstr("are the same file"));
  EXPECT_THAT(refusal("export net.tzn"), HasSubstr("--out"));
  EXPECT_THAT(refusal("export -o x"), HasSubstr("model"));
  EXPECT_THAT(refusal("export net.tzn -o x --formats native"),
              HasSubstr("did you mean '--format'"));
  writeFileAtomically(folder_ / "text.tzn", "hello");
  EXPECT_THAT(refusal("export text.tzn -o x"), HasSubstr("text.tzn: not a Toguz Zero model"));
  EXPECT_EQ(readFile(path_), serializeModel(model_));
}

TEST_F(ExportCommand, HelpListsWhatThisBuildWrites) {
  const Ran run = toguz("export --help");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("native"), HasSubstr("Examples:"), HasSubstr("int8")));
  for (const ExportFormat& format : exportFormats())
    EXPECT_EQ(run.out.find(format.name) != std::string::npos, format.missing == nullptr)
        << format.name;
}

}  // namespace
}  // namespace toguz
