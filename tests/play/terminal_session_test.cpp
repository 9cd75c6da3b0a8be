// Every command of a sitting, followed and refused.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "core/position_text.h"
#include "tests/play/client.h"
#include "tests/play/terminal_sitting.h"

namespace toguz {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::quickOptions;
using testing::Sitting;
using ::testing::StartsWith;

constexpr const char* kCaptures = "4,7S,3,1S/1S,1S,6,2S 80 70 S 50";

Sitting twoPeople(const std::string& variant = "standard") {
  return Sitting(quickOptions(variant, Seats::Both));
}

// A folder of this test alone, gone afterwards.
class TerminalFiles : public ::testing::Test {
 protected:
  TerminalFiles()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("toguz_terminal_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TerminalFiles() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

TEST(TerminalSession, GreetingSaysWhatIsPlayedAndHow) {
  const auto texts = [](SessionOptions options) {
    std::string all;
    Session session(std::move(options));
    for (const SessionEvent& event : session.begin()) all += event.text + "\n";
    return all;
  };
  EXPECT_EQ(texts(quickOptions()),
            "Toguz Kumalak. 'help' lists the commands; a move is the number of a pit.\n"
            "There is no network for these rules: the engine plays by random playouts, weaker.\n"
            "You play first against the engine at level 1.\n");
  EXPECT_THAT(texts(quickOptions("bestemshe", Seats::Both)), HasSubstr("Two people play"));
  EXPECT_THAT(texts(quickOptions("seven", Seats::None)), HasSubstr("plays both sides at level 1"));
  SessionOptions known = quickOptions();
  known.networkFor = [](const Rules& rules) { return testing::opinionatedNetwork(rules); };
  EXPECT_THAT(texts(known), ::testing::Not(HasSubstr("playouts")));
}

TEST(TerminalSession, OptionsOutOfRangeThrow) {
  SessionOptions options = quickOptions();
  options.level = 11;
  EXPECT_THROW(Session{options}, UsageError);
}

TEST(TerminalSession, AMoveIsAnsweredByTheEngine) {
  Sitting sitting;
  const auto texts = sitting.say("7");
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0], "You play 76(10): from pit 7 to pit 6 across, taking 10 balls.");
  EXPECT_THAT(texts[1], StartsWith("The engine plays "));
  EXPECT_EQ(sitting.game().ply(), 2);
  const auto& events = sitting.events();
  EXPECT_EQ(events[0].kind, SessionEvent::Kind::Move);
  EXPECT_EQ(events[0].pit, 6);
  EXPECT_EQ(events[0].before, Position::start(kStandard));
  EXPECT_EQ(events[1].before, sitting.game().positions()[1]);
  EXPECT_EQ(sitting.session().prompt(), "your move> ");
}

TEST(TerminalSession, TheEngineBeginsWhereThePersonIsSecond) {
  Sitting sitting(quickOptions("giveaway", Seats::Second));
  EXPECT_EQ(sitting.session().task(), Session::Task::Move);
  sitting.work();
  EXPECT_EQ(sitting.game().ply(), 1);
  EXPECT_EQ(sitting.session().scene().names[0], "First player (engine, level 1)");
  EXPECT_EQ(sitting.session().scene().names[1], "Second player (you)");
}

TEST(TerminalSession, MovesInFullAndRefusedOnes) {
  Sitting sitting = twoPeople();
  EXPECT_EQ(sitting.refusal(" 76\r"), "");
  EXPECT_EQ(sitting.refusal("9"), "");
  EXPECT_EQ(sitting.refusal("10"),
            "there are pits 1 to 9; a move is a pit, or a pit and the pit of its last ball");
  EXPECT_EQ(sitting.refusal("77"), "the last ball falls in pit 8, not 7");
  EXPECT_EQ(sitting.game().ply(), 2);
  EXPECT_EQ(sitting.refusal("position 8,3S/9 79 80 S 60"), "");
  EXPECT_THAT(sitting.refusal("1"), HasSubstr("the game is over"));
}

TEST(TerminalSession, TwoPeopleAreCalledByTheirSides) {
  Sitting sitting = twoPeople();
  EXPECT_EQ(sitting.session().prompt(), "first player> ");
  EXPECT_THAT(sitting.first("7"), StartsWith("The first player plays 76(10)"));
  EXPECT_EQ(sitting.session().prompt(), "second player> ");
  EXPECT_THAT(sitting.session().captions(),
              ElementsAre("Last move: 76(10) by the first player, from (7) to [6].",
                          "Move 1, the second player's turn."));
}

TEST(TerminalSession, TheEngineAgainstItselfPlaysToTheEnd) {
  Sitting sitting(quickOptions("bestemshe", Seats::None));
  sitting.work();
  EXPECT_TRUE(sitting.game().over());
  EXPECT_EQ(sitting.session().prompt(), "game over> ");
  EXPECT_THAT(sitting.session().captions(), Contains(StartsWith("The game is over: ")));
  EXPECT_THAT(sitting.refusal("resign"), HasSubstr("over"));
}

TEST(TerminalSession, StopAndGo) {
  Sitting sitting(quickOptions("standard", Seats::None));
  Session& session = sitting.session();
  session.handle("stop");
  EXPECT_EQ(session.task(), Session::Task::None);
  EXPECT_EQ(session.prompt(), "engine waits> ");
  EXPECT_THAT(session.captions(),
              ElementsAre("Move 1, the first player's turn; it waits for 'go'."));
  EXPECT_THAT(sitting.refusal("7"), HasSubstr("'side first' gives you its place"));
  EXPECT_THAT(sitting.refusal("resign"), HasSubstr("no side"));
  session.handle("go");
  EXPECT_EQ(session.task(), Session::Task::Move);
  session.handle("side both");
  EXPECT_THAT(sitting.refusal("go"), HasSubstr("your turn"));
  EXPECT_THAT(sitting.refusal("stop"), HasSubstr("not at play"));
}

TEST(TerminalSession, UndoTakesTheAnswerBackToo) {
  Sitting sitting;
  const std::string start = sitting.fen();
  EXPECT_EQ(sitting.refusal("undo"), "there is no move to take back");
  EXPECT_EQ(sitting.refusal("redo"), "there is no move to play again");
  sitting.say("7");
  const std::string one = sitting.fen();
  sitting.say("1");
  const std::string two = sitting.fen();
  EXPECT_THAT(sitting.say("undo"), ElementsAre("2 moves are taken back."));
  EXPECT_TRUE(sitting.has(SessionEvent::Kind::Board));
  EXPECT_EQ(sitting.fen(), one);
  sitting.say("u");
  EXPECT_EQ(sitting.fen(), start);
  EXPECT_THAT(sitting.say("redo"), ElementsAre("2 moves are played again."));
  EXPECT_EQ(sitting.fen(), one);
  sitting.say("redo all");
  EXPECT_EQ(sitting.fen(), two);
  sitting.say("undo");
  sitting.say("2");
  EXPECT_EQ(sitting.refusal("redo"), "there is no move to play again") << "another way was taken";
}

TEST(TerminalSession, UndoByNumberLetsTheEngineWait) {
  Sitting sitting;
  sitting.say("7");
  sitting.say("1");
  EXPECT_THAT(sitting.say("undo 1"), ElementsAre("One move is taken back."));
  EXPECT_EQ(sitting.game().ply(), 3);
  EXPECT_TRUE(sitting.session().paused());
  sitting.say("undo");
  EXPECT_EQ(sitting.game().ply(), 2) << "the person's own move, already without its answer";
  EXPECT_FALSE(sitting.session().paused());
  sitting.say("redo 1");
  EXPECT_EQ(sitting.game().ply(), 3);
  sitting.say("go");
  EXPECT_EQ(sitting.game().ply(), 4);
  for (const char* bad : {"undo 0", "undo -1", "undo x", "redo 1.5"})
    EXPECT_THAT(sitting.refusal(bad), HasSubstr("want 'all' or a number of moves")) << bad;
  sitting.say("undo all");
  EXPECT_EQ(sitting.game().ply(), 0);
}

TEST(TerminalSession, TheEnginesOpeningIsNotTakenBack) {
  Sitting sitting(quickOptions("standard", Seats::Second));
  sitting.work();
  EXPECT_EQ(sitting.refusal("undo"), "there is no move of yours to take back");
  EXPECT_EQ(sitting.game().ply(), 1);
}

TEST(TerminalSession, UndoFromAFinishedGame) {
  Sitting sitting;
  sitting.say(std::string("position ") + kCaptures);
  EXPECT_THAT(sitting.say("9"),
              ElementsAre("You play 91(82): from pit 9 to pit 1 across, taking 2 balls.",
                          HasSubstr("You win."), HasSubstr("'new' starts another")));
  EXPECT_TRUE(sitting.game().over());
  EXPECT_THAT(sitting.refusal("hint"), HasSubstr("over"));
  EXPECT_THAT(sitting.refusal("eval"), HasSubstr("over"));
  EXPECT_THAT(sitting.refusal("go"), HasSubstr("over"));
  EXPECT_THAT(sitting.say("undo"), ElementsAre("One move is taken back."));
  EXPECT_FALSE(sitting.game().over());
  EXPECT_THAT(sitting.say("redo"), Contains(HasSubstr("You win.")));
}

TEST(TerminalSession, ResignAndTakeItBack) {
  Sitting sitting;
  sitting.say("7");
  EXPECT_THAT(sitting.first("resign"), StartsWith("You resign: the engine wins. Kazans: you "));
  EXPECT_EQ(sitting.session().task(), Session::Task::None);
  EXPECT_THAT(sitting.refusal("1"), HasSubstr("the game is over"));
  EXPECT_THAT(sitting.refusal("resign"), HasSubstr("over already"));
  EXPECT_THAT(sitting.session().captions(), Contains("The game is over: 0-1."));
  EXPECT_THAT(sitting.say("undo"), ElementsAre("The resignation is taken back."));
  EXPECT_EQ(sitting.game().ply(), 2);
  Sitting two = twoPeople();
  two.say("7");
  EXPECT_THAT(two.first("resign"), StartsWith("The second player resigns: the first player wins."));
}

TEST(TerminalSession, SidesAndSwap) {
  Sitting sitting;
  EXPECT_THAT(sitting.say("swap"), Contains("You play second against the engine at level 1."));
  EXPECT_EQ(sitting.game().ply(), 1) << "the engine has the first side now";
  EXPECT_THAT(sitting.say("side both"), ElementsAre(HasSubstr("Two people")));
  EXPECT_THAT(sitting.refusal("swap"), HasSubstr("no places to change"));
  EXPECT_EQ(sitting.refusal("side"), "want a side, one of first, second, both, none");
  EXPECT_EQ(sitting.refusal("side third"),
            "want a side, one of first, second, both, none, not 'third'");
  sitting.say("side first");
  EXPECT_EQ(sitting.game().ply(), 2);
}

TEST(TerminalSession, Levels) {
  Sitting sitting;
  EXPECT_EQ(sitting.first("level 10"), "The engine plays at level 10 of 10.");
  sitting.say("7");
  EXPECT_EQ(sitting.game().ply(), 2);
  for (const char* bad : {"level", "level 0", "level 11", "level x", "level 3 4"})
    EXPECT_THAT(sitting.refusal(bad), StartsWith("want a level, a whole number from 1 to 10"))
        << bad;
  EXPECT_EQ(sitting.session().level(), 10);
  EXPECT_THAT(sitting.first("movetime 20"), HasSubstr("thinks 20 ms"));
  EXPECT_THAT(sitting.refusal("movetime 0"), HasSubstr("milliseconds"));
}

TEST(TerminalSession, HintsExplainAMoveOfThisPosition) {
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    Sitting sitting(quickOptions(variant));
    const std::string before = sitting.fen();
    const std::string hint = sitting.first("hint");
    ASSERT_THAT(hint, StartsWith("Play "));
    const int pit = hint[5] - '1';
    EXPECT_TRUE(sitting.game().legal() >> pit & 1u) << hint;
    EXPECT_EQ(sitting.fen(), before);
    EXPECT_THAT(sitting.refusal("hint 3"), HasSubstr("takes nothing"));
  }
}

TEST(TerminalSession, Evaluation) {
  Sitting sitting;
  EXPECT_THAT(sitting.first("eval"),
              ::testing::MatchesRegex("Expected: you win with [0-9]+%; final kazans: you [0-9]+, "
                                      "the engine [0-9]+\\."));
  sitting.say("eval on");
  const auto texts = sitting.say("7");
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_THAT(texts[2], StartsWith("Expected: the engine wins with "));
  sitting.say("eval off");
  EXPECT_EQ(sitting.say("1").size(), 2u);
  EXPECT_EQ(sitting.refusal("eval maybe"), "want 'eval', 'eval on' or 'eval off'");
}

TEST(TerminalSession, PositionsInAndOut) {
  Sitting sitting = twoPeople();
  EXPECT_EQ(sitting.refusal("position " + std::string(kCaptures)), "");
  EXPECT_EQ(sitting.fen(), kCaptures);
  EXPECT_EQ(sitting.events()[0].kind, SessionEvent::Kind::Exact);
  EXPECT_THAT(sitting.refusal("position 9/9 0 0 S 1"), StartsWith("position text: "));
  EXPECT_THAT(sitting.refusal("position"), HasSubstr("startpos"));
  EXPECT_EQ(sitting.fen(), kCaptures);
  EXPECT_EQ(sitting.refusal("position startpos"), "");
  EXPECT_EQ(sitting.game().position(), Position::start(kStandard));
  EXPECT_THAT(sitting.say("position 8,3S/9 79 80 S 60"), Contains(HasSubstr("3 balls left")));
  const BoardScene scene = sitting.session().scene();
  EXPECT_EQ(scene.position.kazan[1], 83) << "leftovers are handed out on the board that is shown";
  EXPECT_EQ(scene.position.ballsOnBoard(), 0);
  EXPECT_FALSE(scene.toMove);
}

TEST(TerminalSession, TheEngineGoesOnFromAPositionOfItsOwn) {
  Sitting sitting(quickOptions("standard", Seats::Second));
  sitting.say(std::string("position ") + kCaptures);
  EXPECT_EQ(sitting.game().ply(), 1);
}

TEST(TerminalSession, ListOfMoves) {
  Sitting sitting = twoPeople();
  EXPECT_EQ(sitting.first("moves"), "No move has been made.");
  for (const char* move : {"7", "9", "1"}) sitting.say(move);
  EXPECT_EQ(sitting.first("moves"), "1. 76(10) 98 2. 11");
  sitting.say("position 9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 N 7");
  sitting.say("7");
  sitting.say("1");
  EXPECT_EQ(sitting.first("moves"), "7... 76(10) 8. 11(10)");
}

TEST(TerminalSession, NewGamesAndVariants) {
  Sitting sitting;
  sitting.say("7");
  EXPECT_THAT(sitting.say("new"), ElementsAre("A new game."));
  EXPECT_EQ(sitting.game().ply(), 0);
  EXPECT_THAT(sitting.say("new bestemshe"),
              ElementsAre("Bestemshe.", HasSubstr("no network"), "A new game."));
  EXPECT_EQ(sitting.game().rules().name(), "bestemshe");
  sitting.say("5");
  EXPECT_EQ(sitting.game().ply(), 2);
  sitting.say("new standard,tuzdik=false");
  EXPECT_EQ(sitting.game().rules().name(), "standard,tuzdik=false");
  EXPECT_THAT(sitting.refusal("new chess"), HasSubstr("unknown variant 'chess'"));
  EXPECT_EQ(sitting.game().rules().name(), "standard,tuzdik=false");
}

TEST(TerminalSession, NetworksFollowTheRules) {
  SessionOptions options = quickOptions();
  std::vector<std::string> asked;
  options.networkFor = [&](const Rules& rules) -> Engine::Network {
    asked.push_back(rules.name());
    if (rules.name() == "giveaway") throw Error("the file is gone");
    return rules.name() == "seven" ? nullptr : testing::opinionatedNetwork(rules);
  };
  Sitting sitting(options);
  EXPECT_EQ(sitting.say("7").size(), 2u);
  EXPECT_THAT(sitting.say("new bestemshe"), ElementsAre("Bestemshe.", "A new game."));
  EXPECT_THAT(sitting.say("new seven"), Contains(HasSubstr("no network")));
  EXPECT_EQ(sitting.refusal("new giveaway"), "the file is gone");
  EXPECT_EQ(sitting.game().rules().name(), "seven");
  EXPECT_EQ(sitting.say("7").size(), 2u);
  EXPECT_THAT(asked, ElementsAre("standard", "bestemshe", "seven", "giveaway"));
}

TEST(TerminalSession, WhatIsShown) {
  Sitting sitting;
  EXPECT_EQ(sitting.session().speed(), Speed::Normal);
  EXPECT_EQ(sitting.first("speed fast"), "Moves are shown ball by ball, fast.");
  EXPECT_EQ(sitting.session().speed(), Speed::Fast);
  EXPECT_THAT(sitting.refusal("speed 3"),
              StartsWith("want a speed, one of off, slow, normal, fast"));
  sitting.say("flip");
  EXPECT_TRUE(sitting.session().flip());
  sitting.say("board");
  EXPECT_TRUE(sitting.has(SessionEvent::Kind::Board));
  EXPECT_GT(sitting.say("help").size(), 15u);
  for (const std::string& line : Session::help()) EXPECT_LE(columnsOf(line), 78) << line;
}

TEST(TerminalSession, UnknownCommandsNameTheNearest) {
  Sitting sitting;
  EXPECT_EQ(sitting.refusal("hnit"),
            "there is no command 'hnit'; the nearest is 'hint', and 'help' lists them all");
  EXPECT_THAT(sitting.refusal("\x01\xff\n"), HasSubstr("there is no command"));
  EXPECT_EQ(sitting.refusal(std::string(5000, '7')), "that line is too long");
  EXPECT_THAT(sitting.say(""), IsEmpty());
  EXPECT_THAT(sitting.say(" \t\r"), IsEmpty());
  EXPECT_THAT(sitting.say("HELP"), ::testing::Not(IsEmpty()));
}

TEST(TerminalSession, Quit) {
  Sitting sitting;
  for (const char* word : {"quit", "exit", "q"}) {
    sitting.say(word);
    EXPECT_TRUE(sitting.has(SessionEvent::Kind::Quit)) << word;
  }
  EXPECT_THAT(sitting.refusal("quit now"), HasSubstr("takes nothing"));
}

TEST_F(TerminalFiles, SaveAndLoadAgain) {
  for (const std::string variant : {"standard", "giveaway", "bestemshe", "seven,tuzdik=false"}) {
    for (const char* name : {"a.pgn", "a.tsv"}) {
      Sitting sitting(quickOptions(variant));
      for (const char* move : {"4", "3", "2", "5"})
        if (!sitting.game().over()) sitting.say(move);
      ASSERT_GT(sitting.game().ply(), 1);
      EXPECT_EQ(sitting.first("save! " + path(name)), "The game is in " + path(name) + ".");
      // Of other rules before: the record brings its own.
      Sitting other(quickOptions(variant == "standard" ? "seven" : "standard", Seats::Both));
      const auto said = other.say("load " + path(name));
      EXPECT_TRUE(other.has(SessionEvent::Kind::Board));
      EXPECT_EQ(other.game().rules(), sitting.game().rules());
      EXPECT_EQ(other.game().moves(), sitting.game().moves());
      EXPECT_EQ(other.fen(), sitting.fen());
      other.say("undo");
      EXPECT_EQ(other.game().ply(), sitting.game().ply() - 1);
    }
  }
}

TEST_F(TerminalFiles, SavedTagsNameWhoPlayed) {
  Sitting sitting;
  sitting.say("7");
  sitting.say("level 2");
  sitting.say("swap");
  sitting.say("resign");
  sitting.say("save " + path("game.pgn"));
  const auto games = readGames(path("game.pgn"));
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].tag("White"), "Player, Toguz Zero level 2");
  EXPECT_EQ(games[0].tag("Black"), "Toguz Zero level 1");
  EXPECT_EQ(games[0].tag("Level"), "2");
  EXPECT_THAT(games[0].tag("Date"), ::testing::MatchesRegex("20[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_EQ(games[0].variant, "standard");
  EXPECT_EQ(games[0].result, "1-0") << "the person had changed to the second side";
  EXPECT_EQ(checkGames(games).faults.size(), 0u);
  EXPECT_THAT(sitting.say("load " + path("game.pgn")),
              Contains(HasSubstr("ends here with 1-0, by resignation")));
}

TEST_F(TerminalFiles, AFileOfSomeoneElseIsNotReplaced) {
  std::ofstream(path("letter.txt")) << "dear";
  Sitting sitting;
  EXPECT_THAT(sitting.refusal("save " + path("letter.txt")), HasSubstr("exists; 'save! "));
  EXPECT_EQ(readFile(path("letter.txt")), "dear");
  EXPECT_EQ(sitting.refusal("save! " + path("letter.txt")), "");
  EXPECT_EQ(sitting.refusal("save " + path("letter.txt")), "") << "its own by now";
  EXPECT_EQ(sitting.refusal("save " + path("with a blank.pgn")), "");
  EXPECT_EQ(sitting.refusal("load " + path("with a blank.pgn")), "");
}

TEST_F(TerminalFiles, FilesThatCannotBe) {
  Sitting sitting;
  sitting.say("7");
  const std::string before = sitting.fen();
  EXPECT_EQ(sitting.refusal("save"), "name a file, as: save game.pgn");
  EXPECT_EQ(sitting.refusal("load"), "name a file, as: load game.pgn");
  EXPECT_THAT(sitting.refusal("save " + path("")), HasSubstr("is a folder"));
  EXPECT_THAT(sitting.refusal("save! " + path("")), HasSubstr("is a folder"));
  EXPECT_THAT(sitting.refusal("load " + path("")), HasSubstr("is no file"));
  EXPECT_THAT(sitting.refusal("save " + path("none/a.pgn")), HasSubstr("none/a.pgn"));
  EXPECT_THAT(sitting.refusal("load " + path("none.pgn")), HasSubstr("none.pgn"));
  EXPECT_THAT(sitting.refusal("load /dev/zero"), HasSubstr("is no file"));
  EXPECT_THAT(sitting.refusal(std::string("save a\x01") + "b"), HasSubstr("control characters"));
  std::ofstream(path("bad.pgn")) << "1. 76 97\n";
  EXPECT_THAT(sitting.refusal("load " + path("bad.pgn")), StartsWith("ply 2: "));
  std::ofstream(path("empty.pgn")) << "\n";
  EXPECT_THAT(sitting.refusal("load " + path("empty.pgn")), HasSubstr("holds no game"));
  EXPECT_EQ(sitting.fen(), before);
}

TEST_F(TerminalFiles, AGameOfManyByItsNumber) {
  std::ofstream(path("two.txt")) << "1. 76 98\n1. 19 98 2. 45\n";
  Sitting sitting = twoPeople();
  sitting.say("load " + path("two.txt") + " 2");
  EXPECT_EQ(sitting.first("moves"), "1. 19 98 2. 45(10)");
  sitting.say("load " + path("two.txt"));
  EXPECT_EQ(sitting.game().ply(), 2);
  EXPECT_THAT(sitting.refusal("load " + path("two.txt") + " 3"), HasSubstr("holds 2 games"));
  EXPECT_THAT(sitting.refusal("load " + path("two.txt") + " 0"), HasSubstr("numbered from 1"));
}

TEST_F(TerminalFiles, TheEngineWaitsInALoadedGame) {
  std::ofstream(path("one.txt")) << "1. 76\n";
  Sitting sitting;
  EXPECT_THAT(sitting.say("load " + path("one.txt")), Contains(HasSubstr("'go' lets it play")));
  EXPECT_EQ(sitting.game().ply(), 1);
  sitting.say("go");
  EXPECT_EQ(sitting.game().ply(), 2);
}

TEST_F(TerminalFiles, ARecordBeyondAThirdRepetitionStopsThere) {
  std::string moves;
  for (int lap = 0; lap < 3; ++lap)
    for (int pit = 1; pit <= 9; ++pit) {
      const std::string one = std::to_string(pit) + std::to_string(pit % 9 + 1);
      moves += " " + one + " " + one;
    }
  std::ofstream(path("long.pgn")) << "[FEN \"8,1S/1S,8 80 80 S 1\"]\n\n" << moves << " *\n";
  Sitting sitting = twoPeople();
  EXPECT_THAT(sitting.say("load " + path("long.pgn")),
              ::testing::AllOf(Contains(HasSubstr("for the third time")),
                               Contains(HasSubstr("those moves are left out"))));
  EXPECT_EQ(sitting.game().ply(), 36);
}

}  // namespace
}  // namespace toguz
