// The program itself: `toguz perft` and `toguz replay`, their output and exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/core/helpers.h"
#include "tests/run_program.h"

namespace toguz::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Ran toguz(const std::string& arguments) {
  return runShell("'" TOGUZ_BINARY "' " + arguments + " </dev/null");
}

TEST(Cli, PerftPrintsALineADepth) {
  const Ran run = toguz("perft --depth 4");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "1 9\n2 73\n3 613\n4 5199\n");
  EXPECT_EQ(run.err, "");
}

TEST(Cli, PerftOfAPositionDividedByMoves) {
  const Ran run = toguz("perft --variant bestemshe --fen '4,2S/4,1S 23 24 S 9' --depth 1 --moves");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "1 1\n51: 1\n");
}

TEST(Cli, PerftNostopPlaysOn) {
  const std::string fen = "--fen '8,9S/8,9S 100 44 S 9' --depth 2";
  EXPECT_EQ(toguz("perft " + fen).out, "1 0\n2 0\n");
  EXPECT_EQ(toguz("perft --nostop " + fen).out.substr(0, 4), "1 1\n");
}

TEST(Cli, ReplayOfRealGames) {
  const Ran run = toguz("replay '" + dataPath("games/games.tsv") + "'");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "1429 ok, 0 failed\n");
}

TEST(Cli, ReplayNamesGamePlyAndReason) {
  const std::string path = testing::TempDir() + "/toguz_cli_games.txt";
  std::ofstream(path) << "1. 76 98\n1. 76 97\n";
  const Ran run = toguz("replay '" + path + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out,
            "1 ok, 1 failed\n"
            "game 2, line 2, ply 2: move '97': the last ball falls in pit 8, not 7\n");
  EXPECT_EQ(run.err, "");
  const Ran other = toguz("replay --variant bestemshe '" + path + "'");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, StartsWith("0 ok, 2 failed\n"));
  std::filesystem::remove(path);
}

TEST(Cli, BadUsageIsStatusTwoAndOneLine) {
  for (const auto& [arguments, what] : std::vector<std::pair<std::string, std::string>>{
           {"", "ubcommand is required"},
           {"pertf", "did you mean 'perft'"},
           {"perft --dpeth 3", "unknown option '--dpeth' of 'toguz perft'; did you mean '--depth'"},
           {"perft --dpeth=3", "did you mean '--depth'"},
           {"--versoin", "did you mean '--version'"},
           {"perft", "--depth is required"},
           {"perft --depth", "--depth"},
           {"perft --depth 0", "1"},
           {"perft --depth x", "x"},
           {"perft --depth -1", "-1"},
           {"perft --depth 2 more", "more"},
           {"perft --depth 2 --variant standart", "did you mean 'standard'"},
           {"perft --depth 2 --fen '9/9 81 81 S'", "position text"},
           {"replay", "file"},
           {"replay /nonexistent.tsv", "/nonexistent.tsv"},
           {"replay /", "/"},
           {"replay /dev/null --format pgm", "did you mean 'pgn'"},
           {"replay /dev/null", "holds no game"}}) {
    const Ran run = toguz(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_THAT(run.err, StartsWith("toguz: ")) << arguments;
    EXPECT_THAT(run.err, HasSubstr(what)) << arguments;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

TEST(Cli, EmptyAndDoubledValuesAreNotDefaults) {
  for (const char* arguments :
       {"perft --depth 2 --fen ''", "perft --depth 2 --variant standard,tuzdik=false,tuzdik=true",
        "bench rules --seconds nan", "match random greedy --games 2 --out .",
        "match model:no_such_file random", "engine --model no_such_file"}) {
    const Ran run = toguz(arguments);
    EXPECT_EQ(run.status, 2) << arguments << ": " << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << arguments << ": " << run.err;
  }
}

TEST(Cli, APlayerThatFailsInEveryGameFailsTheMatch) {
  const Ran run = toguz("match exec:false random --games 2 --quiet");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("failed in every game"));
  EXPECT_THAT(run.out, HasSubstr("games"));
}

// An engine that plays each opening of a pair the same way twice: half the games are copies.
TEST(Cli, AMatchOfRepeatedGamesFails) {
  const std::string player =
      std::string("model:") + TOGUZ_TEST_DATA + "/../../models/pretrained/bestemshe.tzn,nodes=30";
  const auto match = [&](const std::string& ties) {
    return toguz("match " + player + ties + " " + player + ties +
                 " --variant bestemshe --games 40 --quiet");
  };
  const Ran repeated = match(",ties=0");
  EXPECT_EQ(repeated.status, 1);
  EXPECT_THAT(repeated.err, HasSubstr("the match says little: only 20 of 40 games are distinct"));
  EXPECT_EQ(match(",ties=0.4").status, 0);
}

TEST(Cli, HelpAndVersion) {
  for (const char* arguments : {"--help", "-h", "perft --help", "replay --help"}) {
    const Ran run = toguz(arguments);
    EXPECT_EQ(run.status, 0) << arguments;
    EXPECT_THAT(run.out, HasSubstr("Examples:")) << arguments;
    EXPECT_EQ(run.err, "") << arguments;
  }
  const Ran run = toguz("--version");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, StartsWith("toguz "));
}

TEST(Cli, AFullDiskIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) return;
  const Ran run = toguz("perft --depth 2 >/dev/full");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("standard output"));
}

}  // namespace
}  // namespace toguz::test
