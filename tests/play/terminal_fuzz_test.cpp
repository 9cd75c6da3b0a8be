// Command lines at random, from sensible to bytes: nothing fails, the game stays sound and a
// refused line changes nothing.
#include <gtest/gtest.h>

#include "core/position_text.h"
#include "play/words.h"
#include "tests/core/helpers.h"
#include "tests/play/terminal_sitting.h"

namespace toguz {
namespace {

using testing::quickOptions;
using testing::Sitting;

std::string randomLine(Rng& rng, const std::string& file) {
  static const char* const kLines[] = {"hint",
                                       "eval",
                                       "eval on",
                                       "eval off",
                                       "undo",
                                       "undo",
                                       "undo 1",
                                       "undo 3",
                                       "undo all",
                                       "redo",
                                       "redo 2",
                                       "redo all",
                                       "swap",
                                       "side first",
                                       "side second",
                                       "side both",
                                       "go",
                                       "stop",
                                       "level 1",
                                       "level 3",
                                       "level 7",
                                       "level 10",
                                       "new",
                                       "new giveaway",
                                       "new bestemshe",
                                       "new seven",
                                       "new standard,sow_origin=false",
                                       "resign",
                                       "fen",
                                       "moves",
                                       "board",
                                       "flip",
                                       "speed off",
                                       "help",
                                       "position startpos",
                                       "position 4,7S,3,1S/1S,1S,6,2S 80 70 S 50",
                                       "position 8,1S/1S,8 80 80 S 1",
                                       "position 4,2S/4,1S 23 24 S 9",
                                       "quit"};
  std::string line;
  const double kind = rng.uniform();
  if (kind < 0.5)
    line = std::to_string(rng.below(10));
  else if (kind < 0.55)
    line = std::to_string(rng.below(100));
  else if (kind < 0.6)
    line = (rng.chance(0.5) ? "save! " : "load ") + file;
  else
    line = kLines[rng.below(std::size(kLines))];
  if (rng.chance(0.1)) {
    for (std::uint32_t n = rng.below(3) + 1; n > 0; --n) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(line.size()) + 1);
      if (rng.chance(0.5))
        line.insert(at, 1, static_cast<char>(rng.below(256)));
      else if (at < line.size())
        line.erase(at, 1);
    }
    // A mutated name of a file would leave files about.
    if (line.find("sav") != std::string::npos) line = "sav";
  }
  return line;
}

void fuzz(std::uint64_t seed, int lines) {
  Rng rng(seed);
  const std::string file =
      ::testing::TempDir() + "/toguz_terminal_fuzz_" + std::to_string(::getpid()) + ".pgn";
  SessionOptions options = quickOptions();
  options.fullStrength = {.nodes = 4};
  Sitting sitting(options);
  for (int i = 0; i < lines; ++i) {
    const std::string line = randomLine(rng, file);
    const Game before = sitting.game();
    sitting.say(line);
    const Game& game = sitting.game();
    ASSERT_EQ(game.position().fault(game.rules().set()), nullptr) << line;
    ASSERT_EQ(parsePosition(game.rules(), formatPosition(game.rules(), game.position())).position,
              game.position());
    for (std::size_t ply = 0; ply < game.moves().size(); ++ply)
      ASSERT_EQ(play(game.rules(), game.positions()[ply], game.moves()[ply]),
                game.positions()[ply + 1]);
    for (const SessionEvent& event : sitting.events()) {
      ASSERT_EQ(cleanLine(event.text, event.text.size()), event.text) << line;
      if (event.kind != SessionEvent::Kind::Refuse) continue;
      ASSERT_EQ(sitting.events().size(), 1u) << line;
      ASSERT_EQ(game.positions(), before.positions()) << line;
      ASSERT_FALSE(event.text.empty()) << line;
    }
    BoardLook look;
    look.width = static_cast<int>(rng.below(140));
    look.colour = rng.chance(0.5);
    ASSERT_GE(drawBoard(sitting.session().scene(), look).size(), 12u);
    ASSERT_FALSE(sitting.session().captions().empty());
    ASSERT_FALSE(sitting.session().prompt().empty());
  }
  std::filesystem::remove(file);
}

TEST(TerminalFuzz, RandomLines) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) fuzz(seed, 400);
}

TEST(TerminalFuzz, FullRandomLines) {
  for (std::uint64_t seed = 100; seed < 140; ++seed) fuzz(seed, 2000);
}

}  // namespace
}  // namespace toguz
