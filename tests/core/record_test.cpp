#include "core/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/notation.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string fileText(const std::string& name) {
  std::string text;
  for (const std::string& line : linesOf(name)) text += line + "\n";
  return text;
}

const std::vector<GameText>& realGames() {
  static const std::vector<GameText> games = readGames(dataPath("games/games.tsv"));
  return games;
}

// The only game of `text`, checked; "" if it agrees with the rules, else why not.
std::string verdict(const std::string& text, RecordFormat format = RecordFormat::Auto) {
  const std::vector<GameText> games = parseGames(text, format);
  EXPECT_EQ(games.size(), 1u);
  const RecordReport report = checkGames(games);
  return report.faults.empty() ? "" : report.faults[0].reason;
}

Game randomGame(const Rules& rules, Rng& rng) {
  Game game(rules);
  while (!game.over()) game.play(randomPit(game.legal(), rng));
  return game;
}

TEST(RealGames, AllAgreeWithTheRules) {
  ASSERT_EQ(realGames().size(), 1429u);
  const RecordReport report = checkGames(realGames());
  for (const RecordFault& fault : report.faults) ADD_FAILURE() << fault.text();
  EXPECT_EQ(report.ok, 1429u);
}

TEST(RealGames, ColumnsAreRead) {
  const GameText& game = realGames()[360];
  EXPECT_EQ(game.tag("Id"), "s0361");
  EXPECT_EQ(game.variant, "standard");
  EXPECT_EQ(game.tag("Source"), "playok");
  EXPECT_EQ(game.tag("WhiteElo"), "1244");
  EXPECT_EQ(game.tag("BlackElo"), "1167");
  EXPECT_EQ(game.ending, "majority");
  EXPECT_EQ(game.kazans, "85-21");
  EXPECT_EQ(game.moves.size(), 61u);
  EXPECT_EQ(game.tag("nothing"), "");
}

TEST(RealGames, SurviveEveryFormat) {
  const std::vector<GameText> some(realGames().begin(), realGames().begin() + 400);
  std::string pgn, text;
  for (const GameText& game : some) {
    pgn += pgnText(game);
    for (std::size_t i = 0; i < game.moves.size(); ++i)
      text += (i % 2 == 0 ? std::to_string(i / 2 + 1) + ". " : "") + game.moves[i].text + " ";
    text += game.result + "\n";
  }
  for (const auto& [name, games] : {std::pair{"tkg", parseGames(tkgText(some))},
                                    {"pgn", parseGames(pgn)},
                                    {"text", parseGames(text)}}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(games.size(), some.size());
    EXPECT_EQ(checkGames(games).ok, some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      ASSERT_EQ(games[i].moves.size(), some[i].moves.size());
      for (std::size_t j = 0; j < some[i].moves.size(); ++j)
        ASSERT_EQ(games[i].moves[j].text, some[i].moves[j].text);
      ASSERT_EQ(games[i].result, some[i].result);
    }
  }
  EXPECT_EQ(tkgText(parseGames(tkgText(some))), tkgText(some));
}

TEST(RealGames, AnyWrongDigitOrMarkOfAGameIsFound) {
  // Changing a second digit or a mark is always found at its own ply.
  const GameText& original = realGames()[361];
  for (std::size_t i = 0; i < original.moves.size(); ++i) {
    const std::string ply = "ply " + std::to_string(i + 1) + ": ";
    GameText game = original;
    std::string& move = game.moves[i].text;
    move[1] = move[1] == '9' ? '1' : static_cast<char>(move[1] + 1);
    EXPECT_THAT(checkGames({&game, 1}).faults.at(0).reason, StartsWith(ply));
    game = original;
    std::string& marked = game.moves[i].text;
    if (marked.size() == 3)
      marked.pop_back();
    else
      marked += 'X';
    EXPECT_THAT(checkGames({&game, 1}).faults.at(0).reason, StartsWith(ply));
  }
}

TEST(Columns, EachIsChecked) {
  const GameText& good = realGames()[360];
  const auto reason = [&](auto change) {
    GameText game = good;
    change(game);
    const RecordReport report = checkGames({&game, 1});
    return report.faults.empty() ? std::string() : report.faults[0].text();
  };
  EXPECT_EQ(reason([](GameText&) {}), "");
  EXPECT_EQ(reason([](GameText& g) { g.result = "*"; }), "");
  EXPECT_THAT(reason([](GameText& g) { g.result = "0-1"; }),
              HasSubstr("game 1 (s0361), line 362, ply 61: result 0-1, but the moves give 1-0"));
  EXPECT_THAT(reason([](GameText& g) { g.result = "2-0"; }), HasSubstr("none of"));
  EXPECT_THAT(reason([](GameText& g) { g.ending = "open"; }), HasSubstr("the moves give majority"));
  EXPECT_THAT(reason([](GameText& g) { g.ending = "repetition"; }), HasSubstr("give majority"));
  EXPECT_THAT(reason([](GameText& g) { g.kazans = "85-22"; }), HasSubstr("give 85-21"));
  EXPECT_THAT(reason([](GameText& g) { g.plies = "60"; }), HasSubstr("there are 61"));
  EXPECT_THAT(reason([](GameText& g) { g.plies = "many"; }), HasSubstr("'many'"));
  EXPECT_THAT(reason([](GameText& g) {
                g.moves.push_back({"12", ""});
              }),
              HasSubstr("ply 62: move '12': the game is over (majority)"));
  EXPECT_THAT(reason([](GameText& g) { g.moves.pop_back(); }), HasSubstr("the moves give open"));
  EXPECT_THAT(reason([](GameText& g) { g.variant = "standart"; }), HasSubstr("'standard'"));
  EXPECT_THAT(reason([](GameText& g) { g.fen = "9/9 81 81 S"; }),
              HasSubstr("ply 0: position text"));
}

TEST(Pgn, WrapsAnywhere) {
  const std::string tags = "[Event \"a \\\"quoted\\\" \\\\ name\"]\n[Result \"*\"]\n\n";
  for (const char* moves :
       {"1. 76(10) 98 2. 66 *", "1.\n76\n(10)\n98\n2.\n66\n*", "1. 76(\n10) 98 2. 66 *",
        "1. 7\n6(10) 98 2. 6\r\n6 *", "1.76 98 2.66 *", "1. 76 1... 98 2. 66",
        "1. 76 {a\ncomment} 98 ; to the end of line\n2. 66 *"}) {
    const auto games = parseGames(tags + moves);
    ASSERT_EQ(games.size(), 1u) << moves;
    EXPECT_EQ(checkGames(games).ok, 1u) << moves << checkGames(games).faults[0].text();
    EXPECT_EQ(games[0].moves.size(), 3u) << moves;
    EXPECT_EQ(games[0].tag("Event"), "a \"quoted\" \\ name");
  }
}

TEST(Pgn, LongMoveNumbersMayBeCut) {
  EXPECT_EQ(verdict("[Variant \"standard\"]\n1\n00. 76 98 10\n1. 66 *"), "");
}

TEST(Pgn, CommentsGoWhereTheyBelong) {
  const auto games =
      parseGames("[A \"b\"]\n{before} 1. 76 {first} {more} 98 {second} 1-0 {after}\n");
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].comment, "before after");
  EXPECT_EQ(games[0].moves[0].comment, "first more");
  EXPECT_EQ(games[0].moves[1].comment, "second");
}

TEST(Pgn, StartPositionAndVariant) {
  EXPECT_EQ(verdict("[Variant \"bestemshe\"]\n[Result \"*\"]\n1. 55 11 *"),
            "ply 1: move '55': the last ball falls in pit 4, not 5");
  EXPECT_EQ(verdict("[Variant \"Togyz Kumalak\"]\n\n1. 76 *"), "");
  const std::string start = "[FEN \"9,9S/8,1S 70 82 N 30\"]\n";
  EXPECT_THAT(verdict(start + "30... 12 *"), HasSubstr("north row has more"));
  EXPECT_EQ(verdict("[FEN \"8,9S/8,1S 71 81 N 30\"]\n30... 19 31. 91 *"), "");
  EXPECT_THAT(verdict("[FEN \"8,9S/8,1S 71 82 N 30\"]\n30... 19 *"), HasSubstr("do not add up"));
}

TEST(Pgn, TagAndMoveTextMustGiveOneResult) {
  EXPECT_THAT(verdict("[Result \"1-0\"]\n\n1. 76 0-1\n"), HasSubstr("1-0 in the tags but 0-1"));
  EXPECT_EQ(verdict("[Result \"1-0\"]\n\n1. 76 *\n"), "");
}

TEST(Pgn, WhatIsWrongIsNamedAndTheOtherGamesAreRead) {
  const std::string good = "[Id \"g\"]\n\n1. 76 98 *\n\n";
  for (const auto& [bad, why] : std::vector<std::pair<std::string, std::string>>{
           {"[Id \"b\"]\n\n1. 76 resigns *\n\n", "ply 2: neither a move nor"},
           {"[Id \"b\"]\n\n1. 76 9 *\n\n", "ply 2: move '9': want two digits"},
           {"[Id \"b\"]\n\n1. 76 987 *\n\n", "unexpected '7'"},
           {"[Id \"b\"]\n\n(10) 1. 76 *\n\n", "ply 1: neither"},
           {"[Id \"b\"]\n[Broken]\n1. 76 *\n\n", "a tag is"},
           {"[Id \"b\"]\n\n1. 76(ten) *\n\n", "whole number in parentheses"},
           {"[Id \"b\"]\n\n1. 76(10 98 2. 66 and on *\n\n", "is not a number in parentheses"}}) {
    const auto games = parseGames(good + bad + good);
    ASSERT_EQ(games.size(), 3u) << bad;
    const RecordReport report = checkGames(games);
    EXPECT_EQ(report.ok, 2u) << bad;
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].game, 2u);
    EXPECT_THAT(report.faults[0].text(), HasSubstr(why));
  }
  EXPECT_THAT(verdict("[A \"b\"]\n1. 76 {never closed"), HasSubstr("line 2 is never closed"));
}

TEST(Text, OneGameALine) {
  const auto games =
      parseGames("# numbered\n1. 76 98 2. 66 1-0 {good}\n1. 19 19\n\n76 98 66\n76 98\n");
  ASSERT_EQ(games.size(), 4u);
  EXPECT_EQ(checkGames(games).ok, 4u);
  EXPECT_EQ(games[0].result, "1-0");
  EXPECT_EQ(games[0].comment, "good");
  EXPECT_EQ(games[3].line, 6);
}

TEST(Text, OnePairALine) {
  const auto games = parseGames("1. 76 98\n2. 66 87\n3. 12 76\n\n1. 76 98\n2. 66\n1. 19\n");
  ASSERT_EQ(games.size(), 3u);
  EXPECT_EQ(games[0].moves.size(), 6u);
  EXPECT_EQ(games[1].moves.size(), 3u);
  EXPECT_EQ(games[2].moves.size(), 1u);
  EXPECT_EQ(checkGames(games).ok, 3u);
}

TEST(Text, SmallMarksAndKha) {
  // s0002 of the real games, with the marks that other databases use.
  const GameText& game = realGames()[1];
  for (const char* mark : {"x", "\xd0\xa5", "\xd1\x85"}) {
    std::string line;
    for (const RecordedMove& move : game.moves) {
      line += move.text.substr(0, 2);
      if (move.text.size() > 2) line += mark;
      line += ' ';
    }
    EXPECT_EQ(verdict(line, RecordFormat::Text), "");
  }
}

TEST(Tkg, HeaderDecidesTheColumns) {
  const auto games =
      parseGames("# tkg1: moves, variant, note (tab separated)\n55\tbestemshe\tx y\n");
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].variant, "bestemshe");
  EXPECT_EQ(games[0].tag("Note"), "x y");
  EXPECT_THROW(parseGames("# tkg2: moves\n76\n"), UsageError);
  EXPECT_THROW(parseGames("# tkg1: id, variant\na\tb\n"), UsageError);
}

TEST(Tkg, WrongNumberOfColumnsIsAFaultOfThatGame) {
  const std::string text = fileText("games/games.tsv");
  std::string cut = text.substr(0, text.find('\n') + 1);
  cut += "s0001\tstandard\tkz2018\n" + text.substr(text.find('\n') + 1);
  const RecordReport report = checkGames(parseGames(cut));
  EXPECT_EQ(report.ok, 1429u);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].text(),
            "game 1 (s0001), line 2, ply 1: line 2 has 3 columns, but the header names 11");
}

TEST(Formats, NamesAndFiles) {
  EXPECT_EQ(recordFormat("pgn"), RecordFormat::Pgn);
  EXPECT_THROW(recordFormat("pgm"), UsageError);
  EXPECT_THROW(readGames("/nonexistent/games.tsv"), UsageError);
  const auto path = std::filesystem::path(testing::TempDir()) / "toguz_empty_record.txt";
  writeGames(path, {});
  EXPECT_THROW(readGames(path), UsageError);
  std::filesystem::remove(path);
  EXPECT_THROW(writeGames("/nonexistent/folder/games.pgn", {}), Error);
}

TEST(SavedGames, ComeBackWithCommentsInEveryVariant) {
  Rng rng(21);
  for (const std::string& name : Rules::names()) {
    SCOPED_TRACE(name);
    const Game game = randomGame(Rules::named(name), rng);
    std::vector<std::string> comments;
    for (int i = 0; i < game.ply(); ++i)
      comments.push_back("+0." + std::to_string(i) + " 12ms {" + std::string(40, 'a') + "}");
    const GameText written =
        describeGame(game, {{"Id", "m1"}, {"White", "model:a \"b\".net,nodes=100"}}, comments);
    const auto path = std::filesystem::path(testing::TempDir()) / ("toguz_saved_" + name + ".pgn");
    writeGames(path, {&written, 1});
    const auto games = readGames(path);
    std::filesystem::remove(path);
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].tags, written.tags);
    EXPECT_EQ(games[0].variant, name);
    EXPECT_EQ(games[0].moves[0].comment, "+0.0 12ms {" + std::string(40, 'a') + ")");
    const ReplayedGame replayed = replayGame(games[0]);
    EXPECT_EQ(replayed.rules.name(), name);
    EXPECT_EQ(replayed.pits, game.moves());
    EXPECT_EQ(replayed.positions, game.positions());
    EXPECT_EQ(checkGames(parseGames(tkgText(games))).ok, 1u);
  }
}

TEST(SavedGames, StartPositionsAreKept) {
  Rng rng(22);
  std::vector<GameText> games;
  while (games.size() < 50) {
    const Position start = wildPosition(kSeven, rng);
    Game game(Rules(kSeven), start);
    if (game.over()) continue;
    for (int i = 0; i < 30 && !game.over(); ++i) game.play(randomPit(game.legal(), rng));
    games.push_back(describeGame(game, {}, {}, 17));
  }
  std::string pgn;
  for (const GameText& game : games) pgn += pgnText(game);
  for (const std::string& text : {pgn, tkgText(games)}) {
    const auto read = parseGames(text);
    ASSERT_EQ(read.size(), games.size());
    EXPECT_EQ(checkGames(read).ok, games.size());
    EXPECT_EQ(replayGame(read[7]).startFullmove, 17);
    EXPECT_EQ(read[7].fen, games[7].fen);
  }
}

TEST(SavedGames, RepetitionAndPlyCapAreDraws) {
  std::vector<int> list(22, 0);
  list[0] = list[9] = 1, list[18] = list[19] = 80;
  Game game(Rules(), positionOf(kStandard, list, 0));
  while (!game.over()) game.play(std::bit_width(game.legal()) - 1);
  GameText saved = describeGame(game);
  EXPECT_EQ(saved.ending, "repetition");
  EXPECT_EQ(verdict(pgnText(saved)), "");
  saved.result = "1-0";
  EXPECT_THAT(verdict(pgnText(saved)), HasSubstr("is a draw"));
  saved.result = "1/2-1/2";
  saved.moves.resize(20);
  saved.plies = "20";
  EXPECT_THAT(verdict(pgnText(saved)), HasSubstr("occurs 2 times"));
  saved.ending = "ply_cap";
  EXPECT_EQ(verdict(pgnText(saved)), "");
}

TEST(SavedGames, RecordedMovesGoOnAfterARepetition) {
  std::vector<int> list(22, 0);
  list[0] = list[9] = 1, list[18] = list[19] = 80;
  Game game(Rules(), positionOf(kStandard, list, 0));
  while (!game.over()) game.play(std::bit_width(game.legal()) - 1);
  GameText saved = describeGame(game);
  saved.ending = "open";
  saved.plies.clear();
  saved.moves.push_back(saved.moves[0]);
  EXPECT_EQ(verdict(pgnText(saved)), "");
}

TEST(SavedGames, AnUnfinishedGameIsOpen) {
  Game game;
  game.play(6);
  GameText saved = describeGame(game);
  EXPECT_EQ(saved.result, "*");
  EXPECT_EQ(saved.ending, "open");
  EXPECT_EQ(saved.kazans, "10-0");
  saved.result = "0-1";  // resigned
  EXPECT_EQ(verdict(pgnText(saved)), "");
}

}  // namespace
}  // namespace toguz::test
