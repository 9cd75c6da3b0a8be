// The board as text, and a move ball by ball.
#include <gmock/gmock.h>

#include <bit>
#include <numeric>

#include "base/text.h"
#include "core/position_text.h"
#include "core/reference.h"
#include "play/sowing_frames.h"
#include "play/terminal/board_drawing.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

constexpr const char* kTuzdiks =
    "13S,2S,12S,3S,t,1S,1,12S,12S/12S,2S,13S,11S,1S,t,12S,12S,1S 28 15 S 4";

BoardScene sceneOf(const std::string& variant, const std::string& fen) {
  const Rules rules = Rules::named(variant);
  BoardScene scene;
  scene.rules = rules.set();
  scene.position = fen.empty() ? Position::start(rules.set()) : parsePosition(rules, fen).position;
  scene.names = {"First player (you)", "Second player (engine, level 5)"};
  scene.toMove = scene.position.side;
  scene.legal = legalMoves(rules, scene.position);
  return scene;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text = "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(TerminalBoard, StandardWithTuzdiksAtEightyColumns) {
  BoardScene scene = sceneOf("standard", kTuzdiks);
  scene.from = 16;
  scene.last = 1;
  EXPECT_EQ(joined(drawBoard(scene, {})), R"(
    Second player (engine, level 5)
      9      (8)      7       6       5       4       3       2       1
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
  |  13   |   2   |  12   |   3   |tuzdik |   1   |   .   |  12   |  12   |
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
    kazan  15  #########..........................................  82 wins
    kazan  28  #################..................................  82 wins
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
  |  12   |   2   |  13   |  11   |   1   |tuzdik |  12   |  12   |   1   |
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
      1      [2]      3       4       5       6       7       8       9
  > First player (you), to move
)");
}

TEST(TerminalBoard, StandardAtAHundredAndTwentyColumnsHasBalls) {
  EXPECT_EQ(joined(drawBoard(sceneOf("standard", kTuzdiks), {.width = 120})), R"(
    Second player (engine, level 5)
        9           8           7           6           5           4           3           2           1
  +-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
  |    13     |     2     |    12     |     3     |  tuzdik   |     1     |     .     |    12     |    12     |
  |oooooooooo |oo         |oooooooooo |ooo        | ========= |o          |           |oooooooooo |oooooooooo |
  |ooo        |           |oo         |           | ========= |           |           |oo         |oo         |
  +-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
    kazan  15  ##########..................................................  82 wins
    kazan  28  ####################........................................  82 wins
  +-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
  |oo         |           |ooo        |o          |           | ========= |oo         |oo         |           |
  |oooooooooo |oo         |oooooooooo |oooooooooo |o          | ========= |oooooooooo |oooooooooo |o          |
  |    12     |     2     |    13     |    11     |     1     |  tuzdik   |    12     |    12     |     1     |
  +-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
        1           2           3           4           5           6           7           8           9
  > First player (you), to move
)");
}

TEST(TerminalBoard, GiveawayFlipped) {
  EXPECT_EQ(joined(drawBoard(sceneOf("giveaway", "8,20S/121S,8 11 10 N 4"), {.flip = true})), R"(
    First player (you)
      9       8       7       6       5       4       3       2       1
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
  |   .   |   .   |   .   |   .   |   .   |   .   |   .   |   .   |  121  |
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
    kazan  11  ######............................................  82 loses
    kazan  10  ######............................................  82 loses
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
  |  20   |   .   |   .   |   .   |   .   |   .   |   .   |   .   |   .   |
  +-------+-------+-------+-------+-------+-------+-------+-------+-------+
      1       2       3       4       5       6       7       8       9
  > Second player (engine, level 5), to move
)");
}

TEST(TerminalBoard, BestemsheInUnicode) {
  EXPECT_EQ(joined(drawBoard(sceneOf("bestemshe", "23S,4/1S,4 14 12 S 9"), {.unicode = true})), R"(
    Second player (engine, level 5)
        5           4           3           2           1
  ┌───────────┬───────────┬───────────┬───────────┬───────────┐
  │    23     │     ·     │     ·     │     ·     │     ·     │
  │●●●●●●●●●● │           │           │           │           │
  │●●●●●●●●●+ │           │           │           │           │
  └───────────┴───────────┴───────────┴───────────┴───────────┘
    kazan  12  ██████████████████░░░░░░░░░░░░░░░░░░░░░  26 wins
    kazan  14  █████████████████████░░░░░░░░░░░░░░░░░░  26 wins
  ┌───────────┬───────────┬───────────┬───────────┬───────────┐
  │           │           │           │           │           │
  │●          │           │           │           │           │
  │     1     │     ·     │     ·     │     ·     │     ·     │
  └───────────┴───────────┴───────────┴───────────┴───────────┘
        1           2           3           4           5
  > First player (you), to move
)");
}

TEST(TerminalBoard, SevenWithoutBalls) {
  EXPECT_EQ(joined(drawBoard(sceneOf("seven", ""), {.dots = false})), R"(
    Second player (engine, level 5)
       7         6         5         4         3         2         1
  +---------+---------+---------+---------+---------+---------+---------+
  |    7    |    7    |    7    |    7    |    7    |    7    |    7    |
  +---------+---------+---------+---------+---------+---------+---------+
    kazan   0  .................................................  50 wins
    kazan   0  .................................................  50 wins
  +---------+---------+---------+---------+---------+---------+---------+
  |    7    |    7    |    7    |    7    |    7    |    7    |    7    |
  +---------+---------+---------+---------+---------+---------+---------+
       1         2         3         4         5         6         7
  > First player (you), to move
)");
}

TEST(TerminalBoard, ColourOfABoardOfTwoPits) {
  BoardScene scene;
  scene.rules = {.pits = 2, .balls = 2};
  scene.position = Position::start(scene.rules);
  scene.position.board = {3, 0, 0, 2};
  scene.position.tuzdik = {2, Position::kNoSquare};
  scene.position.kazan = {3, 0};
  scene.names = {"A", "B"};
  scene.toMove = Side::First;
  scene.legal = 1;
  scene.from = 1;
  scene.now = 3;
  const std::string border = "\033[2m+-------+-------+\033[0m", bar = "\033[2m|\033[0m";
  EXPECT_EQ(joined(drawBoard(scene, {.width = 21, .colour = true})),
            "\n  \033[35m  B\033[0m\n"
            "      \033[2m2\033[0m       \033[2m1\033[0m\n"
            "  " +
                border +
                "\n"
                "  " +
                bar + "\033[1;7m   2   \033[0m" + bar + "\033[1;32mtuzdik \033[0m" + bar +
                "\n"
                "  " +
                border +
                "\n"
                "  \033[1;35m  kazan   0\033[0m  5 wins\n"
                "  \033[1;32m  kazan   3\033[0m  5 wins\n"
                "  " +
                border +
                "\n"
                "  " +
                bar + "\033[1m   3   \033[0m" + bar + "\033[2m   .   \033[0m" + bar +
                "\n"
                "  " +
                border +
                "\n"
                "      \033[1;32m1\033[0m      \033[1;32m(2)\033[0m\n"
                "  \033[1;32m> A, to move\033[0m\n");
}

TEST(TerminalBoard, FitsItsWidthAndColourChangesNoCharacter) {
  Rng rng(3);
  for (int pits = 2; pits <= kMaxPits; ++pits) {
    const RuleSet rules{.pits = static_cast<std::uint8_t>(pits),
                        .balls = static_cast<std::uint8_t>(81 / pits)};
    for (int width = 1; width <= 160; ++width) {
      BoardScene scene;
      scene.rules = rules;
      scene.position = test::wildPosition(rules, rng);
      scene.names = {"First player", "Second player"};
      scene.toMove = scene.position.side;
      scene.from = static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * pits)));
      scene.last = rng.chance(0.5) ? scene.from : 0;
      scene.now = scene.last;
      for (const bool unicode : {false, true}) {
        const auto plain = drawBoard(scene, {.width = width, .unicode = unicode});
        for (const std::string& line : plain)
          EXPECT_LE(columnsOf(line), std::max({width, 4 * pits + 1, 30})) << line;
        std::string coloured =
            joined(drawBoard(scene, {.width = width, .colour = true, .unicode = unicode}));
        for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
          coloured.erase(at, coloured.find('m', at) + 1 - at);
        // Blanks before the end of a colour are not cut.
        std::string cut;
        for (std::string line : split(coloured, '\n'))
          cut += line.erase(line.find_last_not_of(' ') + 1) + "\n";
        EXPECT_EQ(cut, joined(plain) + "\n");
      }
    }
  }
}

TEST(TerminalBoard, WrapsAtBlanks) {
  EXPECT_THAT(wrapText("one two three", 7), ::testing::ElementsAre("one two", "three"));
  EXPECT_THAT(wrapText("one twothree", 5), ::testing::ElementsAre("one", "twothree"));
  EXPECT_THAT(wrapText("  7   play pit 7", 12, 6),
              ::testing::ElementsAre("  7   play", "      pit 7"));
  EXPECT_THAT(wrapText("", 5), ::testing::ElementsAre(""));
  EXPECT_THAT(wrapText("●● ●●", 5), ::testing::ElementsAre("●● ●●"));
}

// Each frame drops one ball; the last is the position of a second implementation of the rules.
void expectFrames(const Rules& rules, const Position& before, int pit) {
  const auto frames = sowingFrames(rules, before, pit);
  const auto balls = [](const Position& position) {
    return position.ballsOnBoard() + position.kazan[0] + position.kazan[1];
  };
  ASSERT_GE(frames.size(), 2u);
  EXPECT_EQ(frames[0].inHand, before.pit(rules.set(), before.side, pit));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_EQ(balls(frames[i].position) + frames[i].inHand, rules.set().total());
    if (i > 0 && !frames[i].capture) {
      EXPECT_EQ(frames[i].inHand, frames[i - 1].inHand - 1);
    }
  }
  Position after = playBallByBall(rules.set(), before, pit);
  after.side = before.side;
  ASSERT_EQ(frames.back().position, after) << rules.name() << " pit " << pit + 1;
  EXPECT_EQ(frames.back().inHand, 0);
}

TEST(SowingFrames, EndInTheMovesPosition) {
  for (const char* name :
       {"standard", "giveaway", "bestemshe", "seven", "standard,sow_origin=false",
        "standard,capture_singles_only=true", "standard,bar_last_pit=false"}) {
    const Rules rules = Rules::named(name);
    test::forRandomPositions(rules, 300, 5, [&](const Position& position, PitMask legal) {
      for (PitMask rest = legal; rest; rest &= rest - 1)
        expectFrames(rules, position, std::countr_zero(rest));
    });
  }
}

}  // namespace
}  // namespace toguz
