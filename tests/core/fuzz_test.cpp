// Text that nobody meant: random bytes, and good text with random changes. Readers may refuse it
// with an Error of one line, and nothing else may happen.
#include <gtest/gtest.h>

#include "core/notation.h"
#include "core/position_text.h"
#include "core/record.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

std::string randomBytes(Rng& rng, std::size_t most) {
  // Half of it from the letters that the formats use, which get further.
  static const std::string kLetters = "0123456789 XxSNt,/()[]{}.*-\n\t\"#;\xd0\xa5\xd1\x85";
  std::string text(rng.below(static_cast<std::uint32_t>(most)), '\0');
  const bool any = rng.chance(0.5);
  for (char& c : text)
    c = any ? static_cast<char>(rng.below(256))
            : kLetters[rng.below(static_cast<std::uint32_t>(kLetters.size()))];
  return text;
}

std::string changed(std::string text, Rng& rng) {
  for (std::uint32_t changes = 1 + rng.below(4); changes > 0 && !text.empty(); --changes) {
    const auto at = rng.below(static_cast<std::uint32_t>(text.size()));
    switch (rng.below(4)) {
      case 0:
        text[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        text.erase(at, 1 + rng.below(5));
        break;
      case 2:
        text.insert(at, randomBytes(rng, 6));
        break;
      case 3:
        text.insert(at, text.substr(rng.below(static_cast<std::uint32_t>(text.size())), 12));
        break;
    }
  }
  return text;
}

// True if `f` ran through; false if it threw an Error of one line.
template <class F>
bool accepted(F&& f) {
  try {
    f();
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return false;
  }
}

void tryPosition(const Rules& rules, const std::string& text) {
  accepted([&] {
    const PositionText read = parsePosition(rules, text);
    // What is accepted is sound and means the same when written out.
    ASSERT_EQ(read.position.fault(rules.set()), nullptr);
    ASSERT_EQ(parsePosition(rules, formatPosition(rules, read.position)).position, read.position);
  });
}

void tryMove(const Game& game, const std::string& text) {
  accepted([&] {
    const int pit = parseMove(game, text, {.barePit = true});
    ASSERT_TRUE(game.legal() >> pit & 1u) << inQuotes(text);
  });
}

void tryRecord(const std::string& text) {
  for (const RecordFormat format :
       {RecordFormat::Auto, RecordFormat::Tkg, RecordFormat::Pgn, RecordFormat::Text})
    accepted([&] {
      const auto games = parseGames(text, format);
      const RecordReport report = checkGames(games);
      ASSERT_EQ(report.ok + report.faults.size(), games.size());
      for (const RecordFault& fault : report.faults)
        ASSERT_EQ(fault.text().find('\n'), std::string::npos) << fault.text();
      // Writing never fails, and a game that was good stays so.
      for (const GameText& game : games) {
        const bool good = accepted([&] { replayGame(game); });
        const RecordReport again = checkGames(parseGames(pgnText(game), RecordFormat::Pgn));
        ASSERT_TRUE(!good || again.ok == 1) << pgnText(game);
      }
    });
}

TEST(Fuzz, RandomBytes) {
  Rng rng(31);
  const Game game;
  for (int i = 0; i < 20'000; ++i) {
    tryMove(game, randomBytes(rng, 12));
    tryPosition(Rules(), randomBytes(rng, 80));
  }
  for (int i = 0; i < 3'000; ++i) tryRecord(randomBytes(rng, 300));
}

TEST(Fuzz, ChangedText) {
  Rng rng(32);
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    Game game(rules);
    for (int i = 0; i < 4'000; ++i) {
      if (game.over()) game = Game(rules);
      const int pit = randomPit(game.legal(), rng);
      tryMove(game, changed(formatMove(rules, game.position(), pit, true), rng));
      tryPosition(rules, changed(formatPosition(rules, game.position()), rng));
      game.play(pit);
    }
  }
}

TEST(Fuzz, ChangedRecords) {
  Rng rng(33);
  for (int i = 0; i < 1'500; ++i) {
    Game game{Rules::named(Rules::names()[rng.below(5)])};
    const int plies = static_cast<int>(rng.below(60));
    std::vector<std::string> comments;
    while (game.ply() < plies && !game.over()) {
      game.play(randomPit(game.legal(), rng));
      comments.push_back(rng.chance(0.3) ? "0.5 (x)" : "");
    }
    const GameText saved = describeGame(game, {{"Id", "f"}}, comments);
    tryRecord(changed(pgnText(saved), rng));
    tryRecord(changed(tkgText({&saved, 1}), rng));
  }
}

TEST(Fuzz, TruncatedRecordsAtEveryByte) {
  Rng rng(34);
  Game game;
  while (game.ply() < 30) game.play(randomPit(game.legal(), rng));
  const GameText saved = describeGame(game, {{"Id", "t"}}, {"a", "b", "c"});
  for (const std::string& text : {pgnText(saved), tkgText({&saved, 1})})
    for (std::size_t length = 0; length < text.size(); ++length) tryRecord(text.substr(0, length));
}

}  // namespace
}  // namespace toguz::test
