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
        "games.txt --pgn x --html ../$(basename $PWD)/x", "games.txt --exercises games.txt",
        "games.txt --json x --exercises ./x"}) {
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
           {"games.txt --exercises none/x", "--exercises none/x"},
           {"games.txt --exercises .", "--exercises ."},
           {"games.txt --exercises x --exercises-per-level 0", "per-level"},
           {"games.txt --exercises x --exercises-nodes 1000001", "exercises-nodes"},
           {"none.txt --exercises x", "none.txt"},
           {"games.txt --model none.tzn", "none.tzn"}}) {
    EXPECT_GT(run(arguments), 0) << arguments;
    const std::string& errors = err_;
    EXPECT_THAT(errors, HasSubstr(said));
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  }
}

TEST_F(AnalyzeCommand, ExercisesAloneNeedNoReview) {
  const std::string games = "'" TOGUZ_TEST_DATA "/games/games.tsv'";
  ASSERT_EQ(
      test::runShell("head -n 5 " + games + " > '" + (folder_ / "human.tsv").string() + "'").status,
      0);
  const std::string options = " --nodes 50 --exercises-nodes 400 --exercises-per-level 2";
  ASSERT_EQ(run("human.tsv --exercises e.json" + options), 0) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("accuracy")));
  EXPECT_THAT(out_, HasSubstr("level 1 "));
  const auto json = nlohmann::json::parse(text("e.json"));
  ASSERT_FALSE(json["exercises"].empty());
  EXPECT_THAT(json["exercises"][0]["source"].get<std::string>(), HasSubstr("kz2018 s000"));

  // With another output it is made beside the review, and it is the same.
  const std::string alone = text("e.json");
  ASSERT_EQ(run("human.tsv --exercises e.json --json r.json --quiet" + options), 0) << err_;
  EXPECT_EQ(out_, "");
  EXPECT_EQ(text("e.json"), alone);
  EXPECT_EQ(nlohmann::json::parse(text("r.json"))["games"].size(), 4u);
}

TEST_F(AnalyzeCommand, FullExercisesOfATruncatedFile) {
  const std::string record = readFile(TOGUZ_TEST_DATA "/games/games.tsv").substr(0, 3000);
  const std::size_t lines = static_cast<std::size_t>(
      std::count(record.begin(), record.end(), '\n'));  // the last one is cut
  write("cut.tsv", record.substr(0, record.size() - record.size() % 7));
  ASSERT_EQ(run("cut.tsv --nodes 20 --exercises-nodes 100 --exercises e.json"), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("skipped game " + std::to_string(lines)));
  EXPECT_TRUE(nlohmann::json::parse(text("e.json"))["exercises"].is_array());

  write("cut.tsv", readFile(TOGUZ_TEST_DATA "/games/games.tsv").substr(0, 150));
  fs::remove(folder_ / "e.json");
  EXPECT_NE(run("cut.tsv --exercises e.json"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "e.json"));
}

TEST_F(AnalyzeCommand, NoExerciseIsSaidAndIsNoError) {
  write("short.txt", "1. 76 *\n");
  ASSERT_EQ(run("short.txt --nodes 20 --exercises-nodes 50 --exercises e.json"), 0);
  EXPECT_THAT(err_, HasSubstr("e.json: no position of these games makes an exercise"));
  EXPECT_EQ(text("e.json"), "{\"version\":1,\"exercises\":[\n]}\n");
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
