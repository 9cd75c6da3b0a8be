// The protocol over streams.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/play/client.h"

namespace toguz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::msSince;
using ::testing::StartsWith;

std::vector<std::string> serve(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  serveProtocol(in, out, {});
  std::vector<std::string> lines;
  std::istringstream answers(out.str());
  for (std::string line; std::getline(answers, line);) lines.push_back(line);
  return lines;
}

TEST(Serve, LinesUntilQuit) {
  EXPECT_THAT(serve("isready\nquit\nisready\n"), ElementsAre("readyok"));
}

TEST(Serve, TheLastLineMayLackItsEnd) {
  EXPECT_THAT(serve("isready\nisready"), ElementsAre("readyok", "readyok"));
  EXPECT_THAT(serve(""), ElementsAre());
}

TEST(Serve, CarriageReturnsAndNuls) {
  EXPECT_THAT(serve(std::string("isready\r\n\0\nisready\n", 18)),
              ElementsAre("readyok", StartsWith("error "), "readyok"));
}

TEST(Serve, ALineWithoutMeasureIsOneError) {
  EXPECT_THAT(serve(std::string(5 << 20, 'x') + "\nisready\n"),
              ElementsAre(HasSubstr("a line of more than"), "readyok"));
  EXPECT_THAT(serve("position startpos moves" + std::string(3 << 20, '7') + "\nisready"),
              ElementsAre(HasSubstr("a line of more than"), "readyok"));
}

TEST(Serve, ALongListOfMovesIsReadToItsFirstFault) {
  std::string moves;
  while (moves.size() < 1'000'000) moves += " 7";
  EXPECT_THAT(serve("position startpos moves" + moves + "\nisready\n"),
              ElementsAre(StartsWith("error ply "), "readyok"));
}

TEST(Serve, EndOfInputEndsASearch) {
  for (const char* go : {"go infinite\n", "go movetime 600000\n", "go infinite"}) {
    const auto start = std::chrono::steady_clock::now();
    const auto lines = serve(go);
    EXPECT_LT(msSince(start), 3000) << go;
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.back(), StartsWith("bestmove ")) << go;
  }
}

TEST(Serve, EndOfInputLetsAShortSearchFinish) {
  const auto lines = serve("position startpos moves 76\ngo nodes 250\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], StartsWith("info nodes 250 "));
  EXPECT_THAT(lines[1], StartsWith("bestmove "));
}

TEST(Serve, ThousandsOfLines) {
  std::string input;
  for (int i = 0; i < 20'000; ++i) input += i % 2 ? "isready\n" : "nonsense\n";
  const auto lines = serve(input);
  ASSERT_EQ(lines.size(), 20'000u);
  for (std::size_t i = 0; i < lines.size(); ++i)
    ASSERT_EQ(lines[i].starts_with(i % 2 ? "readyok" : "error "), true) << i;
}

}  // namespace
}  // namespace toguz
