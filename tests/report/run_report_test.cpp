// What a run's page is made of: read from files that another program wrote, whole or not.
#include "report/run_report.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "report/page.h"
#include "store/chunk.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Not;
using testing::TemporaryFolder;

constexpr const char* kGate =
    R"({"step":40,"kind":"gate","candidate":4,"best":2,"games":20,"wins":12,"draws":1,"losses":7,"score":0.625,"elo":88.7,"elo_error":null,"verdict":"H1","promoted":true})";

std::string trainLine(int step, double policy, double elapsed) {
  Json line = {{"step", step},
               {"kind", "train"},
               {"elapsed", elapsed},
               {"generation", step / 10},
               {"losses", {{"policy", policy}, {"result", 0.5}}},
               {"games", 100 * step}};
  line["calibration"]["late"] = {{"error", 0.1}, {"bins", {{10, 0.05, 0.15}, {30, 0.95, 0.85}}}};
  return line.dump() + "\n";
}

// A folder as a run leaves it.
class RunReport : public ::testing::Test {
 protected:
  RunReport() : run_(folder_.path()) {
    std::filesystem::create_directories(run_.games());
    writeFileAtomically(run_.config(), "[game]\nvariant = \"standard\"\n");
  }
  void writeGames(const std::vector<GameRecord>& games, const std::string& name = "00000000.tzg") {
    writeFileAtomically(run_.games() / name, encodeChunk(games));
  }
  void writeRating() {
    writeFileAtomically(run_.rating(), R"({"anchor":"random","nodes":100,
      "players":[{"name":"random","elo":0,"error":0},{"name":"generation 3","elo":250.5,"error":60},
                 {"name":"generation 1","elo":100,"error":null}],
      "results":[],"curve":[{"generation":1,"step":10,"elo":1,"error":1},{"generation":3,"step":30,"elo":2,"error":2}]})");
  }

  TemporaryFolder folder_;
  RunPaths run_;
};

TEST_F(RunReport, AFreshRunHasLittleToSay) {
  const Json report = runReport(run_);
  EXPECT_TRUE(report["train"]["minutes"].empty());
  EXPECT_TRUE(report["gates"].empty());
  EXPECT_TRUE(report["rating"].is_null());
  EXPECT_TRUE(report["annotated"].empty());
  EXPECT_THAT(report["config"].get<std::string>(), HasSubstr("standard"));
}

TEST_F(RunReport, NoRunIsSaid) {
  const RunPaths nowhere(folder_ / "nothing");
  EXPECT_THAT(messageOf<UsageError>([&] { runReport(nowhere); }), HasSubstr("there is no run in"));
}

TEST_F(RunReport, ColumnsGatesAndRatings) {
  writeFileAtomically(run_.metrics(), trainLine(10, 2.0, 60) + trainLine(30, 1.5, 180) + kGate +
                                          "\n" + trainLine(50, 1.25, 300));
  writeRating();
  const Json report = runReport(run_);
  EXPECT_EQ(report["train"]["minutes"], Json({1.0, 3.0, 5.0}));
  EXPECT_EQ(report["train"]["policy"], Json({2.0, 1.5, 1.25}));
  EXPECT_EQ(report["train"]["plies"], Json({nullptr, nullptr, nullptr})) << "an older run has none";
  ASSERT_EQ(report["gates"].size(), 1u);
  EXPECT_EQ(report["gates"][0]["minutes"], 4.0) << "between the lines around its step";
  EXPECT_TRUE(report["gates"][0]["elo_error"].is_null());
  ASSERT_EQ(report["rating"]["curve"].size(), 2u);
  EXPECT_EQ(report["rating"]["curve"][0]["generation"], 1) << "in order of age";
  EXPECT_EQ(report["rating"]["curve"][1]["elo"], 250.5) << "of the last fit of all";
  EXPECT_EQ(report["rating"]["curve"][1]["minutes"], 3.0);
  EXPECT_EQ(report["rating"]["anchors"].size(), 1u);
  EXPECT_NEAR(report["calibration"]["late"]["error"].get<double>(), 0.1, 1e-9);
}

TEST_F(RunReport, LongRunsAreThinned) {
  std::string lines;
  for (int i = 1; i <= 1000; ++i) lines += trainLine(i, i, 60 * i);
  writeFileAtomically(run_.metrics(), lines);
  RunReportOptions options;
  options.points = 100;
  const Json train = runReport(run_, options)["train"];
  ASSERT_EQ(train["minutes"].size(), 100u);
  EXPECT_EQ(train["policy"][0], 5.5);
  EXPECT_EQ(train["minutes"][99], 1000.0);
}

TEST_F(RunReport, ALineStillBeingWrittenIsLeftOut) {
  writeFileAtomically(run_.metrics(), trainLine(10, 2.0, 60) + R"({"step":20,"kind":"tr)");
  EXPECT_EQ(runReport(run_)["train"]["minutes"].size(), 1u);
}

TEST_F(RunReport, ADamagedLineIsNamed) {
  for (
      const char* bad :
      {"{\"step\":20,", "[1]", "{\"step\":3}", "", R"({"kind":"gate","candidate":1})",
       R"({"step":-5,"kind":"train","elapsed":1})", R"({"step":"x","kind":"train","elapsed":1})",
       R"({"step":5,"kind":"train","elapsed":null})", R"({"step":5,"kind":"train"})",
       R"({"step":5,"kind":"train","elapsed":1,"calibration":5})",
       R"({"step":5,"kind":"train","elapsed":1,"calibration":{"late":{"error":1,"bins":[1,2]}}})",
       R"({"step":5,"kind":"train","elapsed":1,"calibration":{"late":{"error":1,"bins":[[1,2,"x"]]}}})",
       R"({"step":5,"kind":"gate","games":1,"wins":1,"draws":0,"losses":0})",
       R"({"step":5,"kind":"gate","games":1,"wins":1,"draws":0,"losses":0,"score":1,"elo":"x"})"}) {
    writeFileAtomically(run_.metrics(), trainLine(10, 2.0, 60) + bad + "\n");
    EXPECT_THAT(messageOf<Error>([&] { runReport(run_); }), HasSubstr("metrics.jsonl:2: ")) << bad;
  }
}

TEST_F(RunReport, ADamagedRatingTableIsNamed) {
  for (const char* bad :
       {"", "[]", "{\"curve\":[],\"nodes\":1,\"players\":[{\"name\":\"generation x\"}]}",
        R"({"curve":[],"nodes":1,"players":[{"name":"random","elo":"abc","error":0}]})",
        R"({"curve":[],"nodes":1,"players":[{"name":"random","elo":1,"error":[]}]})"}) {
    writeFileAtomically(run_.rating(), bad);
    EXPECT_THAT(messageOf<Error>([&] { runReport(run_); }), HasSubstr("rating.json: ")) << bad;
  }
}

TEST_F(RunReport, ADamagedGameFileIsNamed) {
  writeFileAtomically(run_.games() / "00000000.tzg", "TZGAMES1 and no more");
  EXPECT_THAT(messageOf<Error>([&] { runReport(run_); }), HasSubstr("00000000.tzg"));
}

TEST_F(RunReport, TheWrongAgreementFileIsNamed) {
  RunReportOptions options;
  options.agreement = (folder_ / "other.json").string();
  EXPECT_THAT(messageOf<UsageError>([&] { runReport(run_, options); }), HasSubstr("other.json"));
  for (const char* bad :
       {"{}", "", "{\"bands\":5}",
        R"({"bands":[{"band":"a","moves":"x","first":0,"in_three":0}],"calibration":{}})",
        R"({"bands":[],"calibration":{"late":{}}})"}) {
    writeFileAtomically(folder_ / "other.json", bad);
    EXPECT_THAT(messageOf<UsageError>([&] { runReport(run_, options); }), HasSubstr("other.json"))
        << bad;
  }
  writeFileAtomically(folder_ / "other.json", R"({"bands":[],"calibration":{}})");
  EXPECT_TRUE(runReport(run_, options).contains("agreement"));
}

TEST_F(RunReport, GamesOfEveryVariant) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(variant);
    writeGames(testing::randomRecords(0, 20, rules));
    const Json report = runReport(run_);
    EXPECT_EQ(report["variant"], variant);
    EXPECT_EQ(report["pits"], rules.set().pits);
    EXPECT_EQ(report["annotated"].size(), 6u);
    for (const Json& game : report["annotated"]) {
      const Json& end = game["plies"].back();
      EXPECT_EQ(end["board"].size(), 2u * rules.set().pits);
      for (const Json& ply : game["plies"]) {
        int balls = ply["kazan"][0].get<int>() + ply["kazan"][1].get<int>();
        for (const Json& count : ply["board"]) balls += count.get<int>();
        EXPECT_EQ(balls, rules.set().total());
      }
    }
  }
}

TEST_F(RunReport, TheNewestGamesAreLookedAt) {
  writeGames(testing::randomRecords(0, 600), "00000000.tzg");
  writeGames(testing::randomRecords(600, 600), "00000001.tzg");
  const Json report = runReport(run_);
  EXPECT_EQ(report["annotated"][0]["id"], 1199);
  for (const Json& game : report["annotated"]) EXPECT_GE(game["id"], 600);
}

TEST(AnnotatedGame, WinRatesAreTheFirstPlayersAndFallsAreMarked) {
  GameRecord record = testing::randomRecord(1);
  record.moves.resize(4);
  const float values[] = {0.0f, 0.6f, 0.2f, -0.2f};  // each for its mover
  for (std::size_t i = 0; i < 4; ++i) record.moves[i].rootWinLoss = values[i];
  const Json game = annotatedGame(record, "a game");
  ASSERT_EQ(game["plies"].size(), 5u);
  EXPECT_EQ(game["plies"][0]["win"], 50.0);
  EXPECT_EQ(game["plies"][1]["win"], 20.0);
  EXPECT_EQ(game["plies"][2]["win"], 60.0);
  EXPECT_EQ(game["plies"][0]["mark"], "?") << "50 to 20 for the first player";
  EXPECT_EQ(game["plies"][1]["mark"], "??") << "80 to 40 for the second";
  EXPECT_EQ(game["plies"][2]["mark"], "") << "60 to 60";
  EXPECT_FALSE(game["plies"][3].contains("mark")) << "nothing follows it";
}

TEST(GamesWorthSeeing, EachOnceWithItsReason) {
  std::vector<GameRecord> games = testing::randomRecords(0, 30);
  for (GameRecord& game : games)
    for (MoveRecord& move : game.moves) move.rootWinLoss = 0;
  // The winner of game 7 was once nearly lost.
  ASSERT_NE(games[7].outcome.score(Side::First), 0);
  games[7].moves[10].fullSearch = true;
  games[7].moves[10].rootWinLoss = games[7].outcome.score(Side::First) > 0 ? -0.9f : 0.9f;
  const auto chosen = gamesWorthSeeing(games, 6);
  ASSERT_EQ(chosen.size(), 6u);
  EXPECT_EQ(chosen[0].first, &games.back());
  EXPECT_EQ(chosen[1].first, &games[7]);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(chosen[i].first, chosen[k].first);
  EXPECT_TRUE(gamesWorthSeeing({}, 6).empty());
  EXPECT_TRUE(gamesWorthSeeing(games, 0).empty());
  EXPECT_EQ(gamesWorthSeeing({games[0]}, 6).size(), 1u);
}

TEST(RunPage, OneFileThatNeedsNoOther) {
  const std::string page = runPage("a <run> & \"more\"", {{"name", "x</script><script>alert(1)"}});
  EXPECT_THAT(page, HasSubstr("<title>a &lt;run&gt; &amp; &quot;more&quot;</title>"));
  EXPECT_THAT(page, HasSubstr("x\\u003c/script>\\u003cscript>alert(1)"));
  EXPECT_THAT(page, HasSubstr("Chart.js v"));
  EXPECT_THAT(page, Not(HasSubstr("{{style}}")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
}

TEST(RunPage, LivePagesSayWhereTheirEventsAre) {
  const std::string run = liveRunPage("a <run>", "/run/a/events");
  EXPECT_NE(run.find("{\"events\":\"/run/a/events\"}"), std::string::npos);
  EXPECT_NE(run.find("<title>a &lt;run&gt;</title>"), std::string::npos);
  EXPECT_NE(run.find("href=\"/icon.svg\""), std::string::npos);
  const std::string list = runsPage("Runs", "/runs/events");
  EXPECT_NE(list.find("{\"events\":\"/runs/events\"}"), std::string::npos);
  for (const std::string* page : {&run, &list}) {
    EXPECT_EQ(page->find("{{"), std::string::npos);
    EXPECT_EQ(page->find("src=\""), std::string::npos);
  }
}

TEST(RunPage, TextsThatLookLikePlaceholdersStay) {
  EXPECT_THAT(runPage("t", {{"name", "{{script}} \xff"}}), HasSubstr("{{script}} \xef\xbf\xbd"));
}

}  // namespace
}  // namespace toguz
