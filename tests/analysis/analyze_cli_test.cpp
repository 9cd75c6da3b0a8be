// `toguz analyze` as users meet it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "core/record.h"
#include "tests/run_program.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class AnalyzeCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("toguz_analyze_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    write("games.txt", "1. 76 98 2. 66 87 *\n\n1. 76 99 2. 66 12 1-0\n\n1. 76 98 2. 66 *\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    writeFileAtomically(folder_ / name, text);
  }
  // The exit status; what it printed is in out_ and err_.
  int run(const std::string& arguments) {
    const test::Ran ran =
        test::runShell("cd '" + folder_.string() + "' && '" TOGUZ_BINARY "' analyze " + arguments);
    out_ = ran.out;
    err_ = ran.err;
    return ran.status;
  }
  std::string text(const std::string& name) { return readFile(folder_ / name); }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(AnalyzeCommand, ReviewsWhatAgreesAndNamesTheRest) {
  ASSERT_EQ(run("games.txt --nodes 20 --pgn a.pgn --json a.json --html a.html"), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("skipped game 2: ply "));
  EXPECT_THAT(out_, HasSubstr("game 1: *, 4 plies; accuracy"));
  EXPECT_EQ(checkGames(readGames(folder_ / "a.pgn")).ok, 2u);
  const auto json = nlohmann::json::parse(text("a.json"));
  EXPECT_EQ(json["skipped"], 1);
  ASSERT_EQ(json["games"].size(), 2u);
  EXPECT_EQ(json["games"][1]["game"], 3);
  EXPECT_TRUE(json["games"][0]["tags"].is_object());
  EXPECT_EQ(json["games"][0]["moves"].size(), 4u);
  EXPECT_THAT(text("a.html"), HasSubstr("Analysis of games.txt"));
}

TEST_F(AnalyzeCommand, RulesWithoutAnEngineAreSkipped) {
  write("mixed.pgn",
        "[Variant \"standard,tuzdik=false\"]\n\n1. 76 98 *\n\n[Variant \"standard\"]\n\n1. 76 98 "
        "*\n");
  EXPECT_EQ(run("mixed.pgn --nodes 5"), 0);
  EXPECT_THAT(err_, HasSubstr("skipped game 1: no engine for 'standard,tuzdik=false'"));
  EXPECT_THAT(out_, HasSubstr("game 2: "));
  EXPECT_EQ(run("games.txt --variant standard,tuzdik=false --nodes 5"), 1);
}

TEST_F(AnalyzeCommand, NoFileIsWrittenOverAnother) {
  const std::string before = text("games.txt");
  for (const char* arguments :
       {"games.txt --pgn games.txt", "games.txt --json ./games.txt", "games.txt --json x --html x",
        "games.txt --pgn x --html ../$(basename $PWD)/x"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_THAT(err_, HasSubstr("are the same file")) << arguments;
  }
  EXPECT_EQ(text("games.txt"), before);
  EXPECT_FALSE(fs::exists(folder_ / "x"));
}

TEST_F(AnalyzeCommand, BadUsageIsOneLine) {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "no FILE"},
           {"games.txt --json-lines", "not both"},
           {"none.txt", "none.txt"},
           {"games.txt --nodes 0", "nodes"},
           {"games.txt --html none/x", "--html none/x"},
           {"games.txt --model none.tzn", "none.tzn"}}) {
    EXPECT_GT(run(arguments), 0) << arguments;
    const std::string& errors = err_;
    EXPECT_THAT(errors, HasSubstr(said));
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  }
}

TEST_F(AnalyzeCommand, AReaderThatGoesAwayIsAnError) {
  std::string queries;
  for (int i = 0; i < 2000; ++i)
    queries += "{\"id\": " + std::to_string(i) + ", \"limits\": {\"nodes\": 5}}\n";
  write("queries.txt", queries);
  EXPECT_EQ(run("--json-lines < queries.txt"), 0);
  const std::string& all = out_;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2000);
  const auto cut =
      test::runShell("cd '" + folder_.string() +
                     "' && bash -c \"set -o pipefail; '" TOGUZ_BINARY
                     "' analyze --json-lines < queries.txt | head -c 100 >/dev/null\"");
  EXPECT_EQ(cut.status, 1) << cut.err;
}

}  // namespace
}  // namespace toguz
