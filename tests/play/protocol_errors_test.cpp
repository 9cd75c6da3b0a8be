// Everything that can be wrong: one line, no change, and the program goes on.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "base/error.h"
#include "tests/play/client.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using testing::Client;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

struct Fault {
  std::string line;
  std::string what;  // part of the answer
};

class ProtocolError : public ::testing::TestWithParam<Fault> {};

TEST_P(ProtocolError, OneLineAndNothingChanges) {
  Client client;
  client.send("position startpos moves 76");
  const std::string before = client.state();
  EXPECT_THAT(client.ask(GetParam().line),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr(GetParam().what))));
  EXPECT_EQ(client.state(), before);
  EXPECT_THAT(client.bestMove("go nodes 10"), MatchesRegex("[1-9][1-9]X?"));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, ProtocolError,
    ::testing::Values(Fault{"positoin startpos", "'position'"}, Fault{"hello", "unknown command"},
                      Fault{"UCI", "unknown command"}, Fault{"isready now", "'now'"},
                      Fault{"quit 3", "'3'"}, Fault{"d d", "'d'"}, Fault{"newgame x", "'x'"},
                      Fault{std::string("uci\0", 4), "unknown command"},
                      Fault{"\xff\xfe\xfd", "unknown command"},
                      Fault{std::string(Protocol::kMaxLine + 1, ' '), "a line of more than"},
                      Fault{std::string(Protocol::kMaxLine, 'a'), "unknown command"}));

INSTANTIATE_TEST_SUITE_P(
    Options, ProtocolError,
    ::testing::Values(Fault{"setoption", "want"}, Fault{"setoption name", "want"},
                      Fault{"setoption value 3 name Nodes", "want"},
                      Fault{"setoption name value 3", "no name"},
                      Fault{"setoption name Node value 3", "'Nodes'"},
                      Fault{"setoption name Nodes", "no value"},
                      Fault{"setoption name Nodes value", "not a whole number"},
                      Fault{"setoption name Nodes value 0", "from 1 to"},
                      Fault{"setoption name Nodes value 99999999999999999999", "from 1 to"},
                      Fault{"setoption name Nodes value 12x", "not a whole number"},
                      Fault{"setoption name Nodes value 1 2", "not a whole number"},
                      Fault{"setoption name Threads value 257", "from 1 to 256"},
                      Fault{"setoption name Threads value -1", "from 1 to 256"},
                      Fault{"setoption name Hash value 0", "from 1"},
                      Fault{"setoption name MoveOverhead value -1", "from 0"},
                      Fault{"setoption name PlyCap value 0", "from 1"},
                      Fault{"setoption name Variant value standart", "standard"},
                      Fault{"setoption name Variant value standard,tuzdk=false", "tuzdik"},
                      Fault{"setoption name Variant value", ""},
                      Fault{"setoption name Model value no such file.tgz", "no such file.tgz"}));

INSTANTIATE_TEST_SUITE_P(
    Positions, ProtocolError,
    ::testing::Values(
        Fault{"position", "want"}, Fault{"position startpso", "'startpos'"},
        Fault{"position startpos 76", "'76'"}, Fault{"position moves", "at least one"},
        Fault{"position startpos moves 0", "ply 1"}, Fault{"position startpos moves a", "ply 1"},
        Fault{"position startpos moves 77", "falls in pit 6"},
        Fault{"position startpos moves 76X", "no tuzdik"},
        Fault{"position startpos moves 76 55 78 111", "ply 4"},
        Fault{"position startpos moves 76 6", "pit 6 is empty"},
        Fault{"position moves 6", "pit 6 is empty"}, Fault{"position moves 55 10", "ply 3"},
        Fault{"position startpos moves 76 moves 55", "'moves'"},
        Fault{"position fen", "position text"}, Fault{"position fen moves 76", "position text"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1", "no /"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 9 S 1", "fewer"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,8S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1",
              "balls"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 W 1", "'W'"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 0",
              "move number"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1 x",
              "five parts"},
        Fault{"position fen 9S,9S,t,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,t,9S,9S 9 9 S 1", "tuzdik"},
        Fault{"position fen t,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 1",
              "tuzdik"},
        Fault{"position fen 9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1 moves 0",
              "ply 1"}));

INSTANTIATE_TEST_SUITE_P(
    Go, ProtocolError,
    ::testing::Values(Fault{"go node 3", "'nodes'"}, Fault{"go nodes", "no value"},
                      Fault{"go nodes 0", "from 1 to"}, Fault{"go nodes -5", "from 1 to"},
                      Fault{"go nodes 1e3", "whole number"}, Fault{"go nodes infinite", "whole"},
                      Fault{"go nodes 99999999999999999999", "whole number"},
                      Fault{"go movetime 0", "from 1 to"}, Fault{"go movetime -1", "from 1 to"},
                      Fault{"go nodes 1 nodes 2", "twice"}, Fault{"go infinite infinite", "twice"},
                      Fault{"go winc 5", "btime"}, Fault{"go wtime 1000", "btime"},
                      Fault{"go btime 1000 binc -1", "from 0 to"}, Fault{"go 5", "'5'"}));

TEST(ProtocolErrors, AMoveListIsPlayedWholeOrNotAtAll) {
  Client client;
  client.send("position startpos moves 76");
  const std::string before = client.state();
  EXPECT_THAT(client.ask("position moves 55 78 13"), ElementsAre(StartsWith("error ply 4")));
  EXPECT_EQ(client.state(), before);
  EXPECT_THAT(client.ask("position moves 55"), IsEmpty());
}

TEST(ProtocolErrors, NoLineHasControlCharacters) {
  Client client;
  for (const std::string& line :
       {std::string("a\x01\x02\x1b[31m"), std::string("go \0\0", 5),
        std::string("position fen \x7f\xff 0"), std::string("setoption name \x1b value \x1b")}) {
    const auto answer = client.ask(line);
    ASSERT_EQ(answer.size(), 1u);
    for (const char c : answer[0]) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
}

class ProtocolModels : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("toguz models " + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    saveModel(testing::opinionatedModel(Rules::named("standard"), 1), path("standard.net"));
    saveModel(testing::opinionatedModel(Rules::named("bestemshe"), 2), path("bestemshe.net"));
    std::ofstream(path("garbage.net")) << "not a model";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string setModel(const std::string& path) {
    return "setoption name Model value " + path;
  }
  std::filesystem::path folder_;
};

TEST_F(ProtocolModels, LoadPlayAndUnload) {
  Client client;
  const auto playouts = client.search("go nodes 300");
  EXPECT_THAT(client.ask(setModel(path("standard.net"))), IsEmpty());
  const auto network = client.search("go nodes 300");
  EXPECT_NE(network[0].substr(network[0].find("score")),
            playouts[0].substr(playouts[0].find("score")));
  EXPECT_THAT(client.ask(setModel("<empty>")), IsEmpty());
  const auto again = client.search("go nodes 300");
  EXPECT_EQ(again[0].substr(again[0].find("score")), playouts[0].substr(playouts[0].find("score")));
}

TEST_F(ProtocolModels, AModelOfAnotherVariantIsRefused) {
  Client client;
  client.send("position startpos moves 76");
  const std::string before = client.state();
  EXPECT_THAT(
      client.ask(setModel(path("bestemshe.net"))),
      ElementsAre(AllOf(StartsWith("error "), HasSubstr("bestemshe"), HasSubstr("standard"))));
  EXPECT_EQ(client.state(), before);
  EXPECT_THAT(client.ask("setoption name Variant value bestemshe"), IsEmpty());
  EXPECT_THAT(client.ask(setModel(path("bestemshe.net"))), IsEmpty());
  EXPECT_THAT(client.bestMove("go nodes 50"), MatchesRegex("[1-5][1-5]"));
  EXPECT_THAT(client.ask("setoption name Variant value standard"),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("<empty>"))));
  EXPECT_THAT(client.bestMove("go nodes 50"), MatchesRegex("[1-5][1-5]"));
  EXPECT_THAT(client.ask("setoption name Model value"), IsEmpty());
  EXPECT_THAT(client.ask("setoption name Variant value standard"), IsEmpty());
}

TEST_F(ProtocolModels, ABadFileLeavesTheLoadedModel) {
  Client client;
  client.send(setModel(path("standard.net")));
  const auto before = client.search("go nodes 64");
  for (const char* bad : {"garbage.net", "missing.net", ""})
    EXPECT_THAT(client.ask(setModel(path(bad))), ElementsAre(StartsWith("error "))) << bad;
  client.send("newgame");
  const auto after = client.search("go nodes 64");
  EXPECT_EQ(after[0].substr(after[0].find("score")), before[0].substr(before[0].find("score")));
}

TEST_F(ProtocolModels, PrecisionReadsTheFileAgain) {
  Client client;
  EXPECT_THAT(client.ask("setoption name Precision value fp16"),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("int8"), HasSubstr("'fp16'"))));
  EXPECT_THAT(client.ask("setoption name Precision value int8"), IsEmpty());
  EXPECT_THAT(client.ask(setModel(path("standard.net"))), IsEmpty());
  const auto int8 = client.search("go nodes 300");
  EXPECT_THAT(client.ask("setoption name Precision value fp32"), IsEmpty());
  client.search("go nodes 300");
  EXPECT_THAT(client.ask("setoption name precision value int8"), IsEmpty());
  const auto again = client.search("go nodes 300");
  EXPECT_EQ(again[0].substr(again[0].find("score")), int8[0].substr(int8[0].find("score")));
  std::filesystem::remove(path("standard.net"));
  EXPECT_THAT(client.ask("setoption name Precision value fp32"),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("standard.net"))));
  EXPECT_THAT(client.ask("setoption name Precision value int8"), IsEmpty());  // as it still is
  client.send("newgame");
  const auto kept = client.search("go nodes 300");
  EXPECT_EQ(kept[0].substr(kept[0].find("score")), int8[0].substr(int8[0].find("score")));
}

TEST_F(ProtocolModels, PrecisionNeedsAFile) {
  Client client("standard", testing::opinionatedNetwork(Rules()));
  EXPECT_THAT(client.ask("setoption name Precision value int8"),
              ElementsAre(AllOf(StartsWith("error "), HasSubstr("Model"))));
  EXPECT_THAT(client.ask("setoption name Precision value fp32"), IsEmpty());
}

TEST_F(ProtocolModels, TheSetupMustAgreeWithItself) {
  EXPECT_THROW(Client("bestemshe", testing::opinionatedNetwork(Rules())), UsageError);
}

}  // namespace
}  // namespace toguz
