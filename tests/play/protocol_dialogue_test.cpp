// Dialogues as clients hold them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

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

nlohmann::json json(Client& client) {
  return nlohmann::json::parse(client.state());
}

TEST(ProtocolDialogue, Greeting) {
  Client client;
  const auto uci = client.ask("uci");
  ASSERT_GT(uci.size(), 4u);
  EXPECT_THAT(uci[0], StartsWith("id name Toguz Zero"));
  EXPECT_THAT(uci[1], StartsWith("id author "));
  for (std::size_t i = 2; i + 1 < uci.size(); ++i)
    EXPECT_THAT(uci[i], StartsWith("option name ")) << i;
  EXPECT_EQ(uci.back(), "uciok");
  EXPECT_EQ(client.ask("ugi").back(), "ugiok");
  EXPECT_THAT(client.ask("isready"), ElementsAre("readyok"));
  EXPECT_THAT(uci, ::testing::Contains("option name Threads type spin default 1 min 1 max 256"));
  EXPECT_THAT(uci, ::testing::Contains(AllOf(StartsWith("option name Variant type combo default "
                                                        "standard var"),
                                             HasSubstr(" var bestemshe"))));
}

TEST(ProtocolDialogue, StartStateIsTheWholeJson) {
  Client client;
  EXPECT_EQ(client.state(),
            R"({"variant":"standard","fen":"9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S)"
            R"( 0 0 S 1","pits":[[9,9,9,9,9,9,9,9,9],[9,9,9,9,9,9,9,9,9]],"kazan":[0,0],)"
            R"("tuzdik":[0,0],"turn":0,"legal":[1,2,3,4,5,6,7,8,9],"over":false,"reason":null,)"
            R"("result":null})");
}

TEST(ProtocolDialogue, MovesAsPitsAndInFull) {
  Client client;
  EXPECT_THAT(client.ask("position startpos moves 7 55"), IsEmpty());
  const std::string bare = client.state();
  EXPECT_THAT(client.ask("position startpos moves 76 5"), IsEmpty());
  EXPECT_EQ(client.state(), bare);
  EXPECT_EQ(json(client)["turn"], 0);
  EXPECT_EQ(json(client)["kazan"], nlohmann::json::array({10, 10}));
}

TEST(ProtocolDialogue, PositionMovesGoesOn) {
  Client client;
  client.send("position startpos moves 76");
  EXPECT_THAT(client.ask("position moves 55"), IsEmpty());
  const std::string inSteps = client.state();
  client.send("position startpos moves 76 55");
  EXPECT_EQ(client.state(), inSteps);
}

TEST(ProtocolDialogue, PositionTextWithMovesCountsOn) {
  Client client;
  const std::string fen = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4";
  EXPECT_THAT(client.ask("position fen " + fen), IsEmpty());
  EXPECT_EQ(json(client)["fen"], fen);
  EXPECT_EQ(json(client)["tuzdik"], nlohmann::json::array({0, 5}));
  EXPECT_THAT(client.ask("position fen " + fen + " moves 1 1"), IsEmpty());
  EXPECT_THAT(json(client)["fen"].get<std::string>(), ::testing::EndsWith(" S 5"));
}

TEST(ProtocolDialogue, StartposAloneAndEmptyMoves) {
  Client client;
  const std::string start = client.state();
  client.send("position startpos moves 76");
  EXPECT_THAT(client.ask("position startpos"), IsEmpty());
  EXPECT_EQ(client.state(), start);
  EXPECT_THAT(client.ask("position startpos moves"), IsEmpty());
  EXPECT_EQ(client.state(), start);
}

TEST(ProtocolDialogue, NewGameInItsThreeNames) {
  Client client;
  const std::string start = client.state();
  for (const char* name : {"newgame", "ucinewgame", "uginewgame"}) {
    client.send("position startpos moves 76");
    EXPECT_THAT(client.ask(name), IsEmpty());
    EXPECT_EQ(client.state(), start);
  }
}

TEST(ProtocolDialogue, GoAnswersWithInfoAndAFullMove) {
  Client client;
  client.send("position startpos moves 76");
  const auto answer = client.search("go nodes 200");
  ASSERT_GE(answer.size(), 2u);
  EXPECT_THAT(answer[answer.size() - 2],
              MatchesRegex("info nodes 200 nps [0-9]+ time [0-9]+ score winrate [0-9.]+ margin "
                           "-?[0-9.]+ pv [1-9][1-9]X?( [1-9][1-9]X?)*"));
  EXPECT_THAT(answer.back(), MatchesRegex("bestmove [1-9][1-9]X?"));
  const std::string move = answer.back().substr(9);
  EXPECT_THAT(answer[answer.size() - 2], HasSubstr(" pv " + move));
  EXPECT_THAT(client.ask("position moves " + move), IsEmpty()) << "it is legal and well written";
}

TEST(ProtocolDialogue, GoLeavesThePosition) {
  Client client;
  client.send("position startpos moves 76");
  const std::string before = client.state();
  client.search("go nodes 50");
  EXPECT_EQ(client.state(), before);
}

TEST(ProtocolDialogue, ABareGoUsesTheOptionNodes) {
  Client client;
  client.send("setoption name nodes value 33");
  EXPECT_THAT(client.search("go")[0], StartsWith("info nodes 33 "));
}

TEST(ProtocolDialogue, VariantGoesToItsStart) {
  Client client;
  client.send("position startpos moves 76");
  for (const auto& [variant, pits] : {std::pair{"bestemshe", 5}, {"seven", 7}, {"giveaway", 9}}) {
    EXPECT_THAT(client.ask(std::string("setoption name Variant value ") + variant), IsEmpty());
    EXPECT_EQ(json(client)["variant"], variant);
    EXPECT_EQ(json(client)["pits"][1].size(), static_cast<std::size_t>(pits));
    EXPECT_EQ(json(client)["kazan"], nlohmann::json::array({0, 0}));
    EXPECT_THAT(client.bestMove("go nodes 60"), MatchesRegex("[1-9][1-9]"));
  }
  client.send("setoption name VARIANT value standard,tuzdik=false");
  EXPECT_EQ(json(client)["variant"], "standard,tuzdik=false");
}

TEST(ProtocolDialogue, GiveawayCompulsionIsKept) {
  Client client("giveaway");
  const auto legal = json(client)["legal"].get<std::vector<int>>();
  EXPECT_THAT(legal, ::testing::Not(::testing::Contains(1)));
  const std::string before = client.state();
  for (const char* move : {"1", "19"})
    EXPECT_THAT(client.ask(std::string("position startpos moves ") + move),
                ElementsAre(AllOf(StartsWith("error "), HasSubstr("compulsory"))));
  EXPECT_EQ(client.state(), before);
  for (int round = 0; round < 30; ++round) {
    const std::string move = client.bestMove("go nodes 30");
    if (move == "none") break;
    EXPECT_THAT(json(client)["legal"].get<std::vector<int>>(), ::testing::Contains(move[0] - '0'));
    EXPECT_THAT(client.ask("position moves " + move), IsEmpty());
  }
}

TEST(ProtocolDialogue, TuzdikMarksInAndOut) {
  Client client;
  // The last ball makes three in the second player's pit 3.
  const std::string fen = "9S,9S,9S,9S,9S,9S,2S,9S,9S/9S,9S,9S,9S,9S,9S,9S,3S,4S 11 7 S 9";
  client.send("position fen " + fen);
  EXPECT_THAT(client.ask("position moves 93X"), IsEmpty());
  EXPECT_EQ(json(client)["tuzdik"], nlohmann::json::array({3, 0}));
  client.send("position fen " + fen);
  EXPECT_THAT(client.ask("position moves 93"), IsEmpty()) << "the mark may be left out";
  client.send("position fen " + fen);
  EXPECT_THAT(client.ask("position moves 81X"), ElementsAre(HasSubstr("no tuzdik")));
}

TEST(ProtocolDialogue, FinishedGamesHaveNoMove) {
  Client client;
  client.send("position fen 4,7S,3,1S/1S,1S,6,2S 80 70 S 50 moves 91");
  EXPECT_EQ(json(client)["reason"], "majority");
  EXPECT_THAT(client.search("go infinite"), ElementsAre("bestmove none"));
  // No ball for the side to move: the rest is the opponent's.
  client.send("position fen 8,3S/9 79 80 S 60");
  EXPECT_EQ(json(client)["reason"], "no_moves");
  EXPECT_EQ(json(client)["kazan"], nlohmann::json::array({79, 83}));
  EXPECT_THAT(client.search("go nodes 10"), ElementsAre("bestmove none"));
  EXPECT_THAT(client.ask("position moves 1"), ElementsAre(HasSubstr("over")));
}

TEST(ProtocolDialogue, RepetitionEndsTheGame) {
  Client client;
  std::string round;
  for (char pit = '1'; pit <= '9'; ++pit) round += std::string{' ', pit, ' ', pit};
  client.send("position fen 8,1S/1S,8 80 80 S 1 moves" + round);
  EXPECT_EQ(json(client)["over"], false);
  EXPECT_THAT(client.ask("position moves" + round), IsEmpty());
  EXPECT_EQ(json(client)["reason"], "repetition");
  EXPECT_EQ(json(client)["result"], "1/2-1/2");
  EXPECT_THAT(client.search("go movetime 1000"), ElementsAre("bestmove none"));
}

TEST(ProtocolDialogue, PlyCapEndsTheGame) {
  Client client;
  EXPECT_THAT(client.ask("setoption name PlyCap value 4"), IsEmpty());
  client.send("position startpos moves 7 5 1");
  EXPECT_EQ(json(client)["over"], false);
  EXPECT_THAT(client.bestMove("go nodes 40"), MatchesRegex("[1-9][1-9]"));
  client.send("position moves 1");
  EXPECT_EQ(json(client)["reason"], "ply_cap");
  EXPECT_THAT(client.search("go"), ElementsAre("bestmove none"));
}

TEST(ProtocolDialogue, StopAndBlankLinesAreQuiet) {
  Client client;
  EXPECT_THAT(client.ask("stop"), IsEmpty());
  EXPECT_THAT(client.ask(""), IsEmpty());
  EXPECT_THAT(client.ask(" \t\r"), IsEmpty());
  EXPECT_THAT(client.ask("isready\r"), ElementsAre("readyok"));
}

TEST(ProtocolDialogue, Quit) {
  Client client;
  EXPECT_TRUE(client.send("isready"));
  EXPECT_FALSE(client.send("quit"));
}

}  // namespace
}  // namespace toguz
