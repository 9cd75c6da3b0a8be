#include "arena/openings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "base/error.h"
#include "core/position_text.h"

namespace toguz {
namespace {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("toguz_openings_" + std::to_string(getpid()) + ".txt")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string messageOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OpeningsTest, RandomOnesAreDistinctAndSeeded) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    const auto openings = randomOpenings(rules, 6, 300, 5);
    ASSERT_EQ(openings.size(), 300u);
    std::set<std::array<std::uint64_t, 4>> positions;
    for (const Opening& opening : openings) {
      const Game game = opening.game(rules);
      EXPECT_EQ(game.ply(), 6);
      EXPECT_FALSE(game.over());
      positions.insert(game.position().words());
    }
    EXPECT_EQ(positions.size(), 300u);
    const auto same = randomOpenings(rules, 6, 300, 5), other = randomOpenings(rules, 6, 300, 6);
    int equal = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      EXPECT_EQ(same[i].moves, openings[i].moves);
      equal += other[i].moves == openings[i].moves;
    }
    EXPECT_LT(equal, 30);
    // A longer list begins with the shorter.
    const auto longer = randomOpenings(rules, 6, 400, 5);
    for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(longer[i].moves, openings[i].moves);
  }
}

TEST(OpeningsTest, NoMoreThanThereAre) {
  EXPECT_EQ(randomOpenings(Rules(), 0, 10, 1).size(), 1u);
  EXPECT_EQ(randomOpenings(Rules(), 1, 100, 1).size(), 9u);
  EXPECT_EQ(randomOpenings(Rules::named("bestemshe"), 1, 100, 1).size(), 5u);
  EXPECT_EQ(randomOpenings(Rules::named("giveaway"), 1, 100, 1).size(), 8u);  // 19 is illegal
}

TEST(OpeningsTest, ReadsMovesAndPositions) {
  Game after;
  after.play(6);
  const std::string fen = formatPosition(Rules(), after.position());
  const TemporaryFile file("# a comment\n76 98\n\n1. 7 9  2. 3   # tail\r\n" + fen + "\n");
  const auto openings = readOpenings(Rules(), file.path());
  ASSERT_EQ(openings.size(), 3u);
  EXPECT_EQ(openings[0].moves, (std::vector<std::uint8_t>{6, 8}));
  EXPECT_EQ(openings[1].moves, (std::vector<std::uint8_t>{6, 8, 2}));
  EXPECT_TRUE(openings[2].moves.empty());
  EXPECT_EQ(openings[2].game(Rules()).position(), after.position());
  EXPECT_EQ(parseOpenings(Rules(), file.path(), 2, 1).size(), 2u);
}

TEST(OpeningsTest, FaultsNameFileAndLine) {
  for (const char* bad :
       {"76 77", "0", "10", "x", "7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7", "9S/9S 0 0 S 1"}) {
    const TemporaryFile file(std::string("76\n") + bad + "\n");
    const std::string message = messageOf([&] { readOpenings(Rules(), file.path()); });
    EXPECT_NE(message.find(file.path()), std::string::npos) << bad << ": " << message;
    EXPECT_NE(message.find("line 2"), std::string::npos) << bad << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  const TemporaryFile over("5 1 3 5 8 3 7 4 6 5 4\n");  // the shortest game
  EXPECT_NE(messageOf([&] { readOpenings(Rules(), over.path()); }).find("over"), std::string::npos);
  const TemporaryFile empty("# nothing\n");
  EXPECT_NE(messageOf([&] { readOpenings(Rules(), empty.path()); }).find("no opening"),
            std::string::npos);
  EXPECT_NE(messageOf([] { readOpenings(Rules(), "/no/such/file"); }).find("/no/such/file"),
            std::string::npos);
}

TEST(OpeningsTest, BadRandomForms) {
  for (const char* bad :
       {"random", "random:", "random:x", "random:-1", "random:1000", "random:2.5"})
    EXPECT_NE(messageOf([&] { parseOpenings(Rules(), bad, 5, 1); }).find(bad), std::string::npos)
        << bad;
  // So long that no game lasts.
  const Rules tiny(RuleSet{.pits = 2, .balls = 1, .tuzdik = false});
  EXPECT_NE(messageOf([&] { randomOpenings(tiny, 200, 5, 1); }).find("fewer"), std::string::npos);
}

}  // namespace
}  // namespace toguz
