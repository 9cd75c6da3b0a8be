#include "arena/openings.h"

#include <bit>
#include <cstdlib>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/record.h"
#include "search/alphabeta.h"
#include "search/playout_evaluator.h"

namespace toguz {
namespace {

constexpr int kMaxRandomPlies = 200;
constexpr int kEvenBalls = 4;
// Draws in a row that bring nothing new before the variant is taken to have no more.
constexpr int kFruitlessDraws = 2000;

bool isMoveNumber(const std::string& word) {
  return word.size() > 1 && word.back() == '.' &&
         word.find_first_not_of("0123456789.") == std::string::npos;
}

Opening readOpening(const Rules& rules, const std::string& line) {
  Opening opening;
  if (line.find('/') != std::string::npos) {
    opening.start = parsePosition(rules, line).position;
    if (opening.game(rules).over()) throw UsageError("the game is over in this position");
    return opening;
  }
  opening.start = Position::start(rules.set());
  Game game = opening.game(rules);
  std::string words = line;
  for (char& c : words)
    if (c == '\t' || c == '\r') c = ' ';
  for (const std::string& word : split(words, ' ')) {
    if (word.empty() || isMoveNumber(word)) continue;
    game.play(parseMove(game, word, {.barePit = true}));
  }
  if (game.over()) throw UsageError("the game is over after these moves");
  opening.moves = game.moves();
  return opening;
}

}  // namespace

Game Opening::game(const Rules& rules, int plyCap) const {
  Game game(rules, start, plyCap);
  for (const std::uint8_t pit : moves) game.play(pit);
  return game;
}

std::vector<Opening> randomOpenings(const Rules& rules, int plies, std::size_t count,
                                    std::uint64_t seed) {
  std::vector<Opening> openings;
  std::set<std::array<std::uint64_t, 4>> seen;
  Rng rng = Rng::stream(seed, 0x09e41465);
  for (int fruitless = 0; openings.size() < count && fruitless < kFruitlessDraws;) {
    Game game(rules);
    while (game.ply() < plies && !game.over()) game.play(randomPit(game.legal(), rng));
    if (game.over() || !seen.insert(game.position().words()).second) {
      ++fruitless;
      continue;
    }
    fruitless = 0;
    openings.push_back({game.start(), game.moves()});
  }
  if (openings.empty())
    throw UsageError("no random opening of " + std::to_string(plies) +
                     " plies leaves a game to play: ask for fewer plies");
  return openings;
}

std::vector<Opening> readOpenings(const Rules& rules, const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw UsageError("openings '" + path + "': no such file (or write random:PLIES, as random:6)");
  std::vector<Opening> openings;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text(trim(line.substr(0, line.find('#'))));
    if (text.empty()) continue;
    try {
      openings.push_back(readOpening(rules, text));
    } catch (const Error& error) {
      throw UsageError("openings '" + path + "', line " + std::to_string(number) + ": " +
                       error.what());
    }
  }
  if (file.bad()) throw UsageError("openings '" + path + "' cannot be read to its end");
  if (openings.empty()) throw UsageError("openings '" + path + "' holds no opening");
  return openings;
}

std::vector<Opening> balancedOpenings(const Rules& rules, int plies, int balls, std::size_t count,
                                      std::uint64_t seed) {
  std::vector<Opening> balanced;
  AlphaBeta neutral(rules);
  Rng rng = Rng::stream(seed, 0xba1a4ced);
  // Three of four random openings are not even: draw more, and more again.
  for (std::size_t drawn = 0, ask = 4 * count; balanced.size() < count; ask *= 2) {
    const std::vector<Opening> all = randomOpenings(rules, plies, ask, seed);
    for (; drawn < all.size() && balanced.size() < count; ++drawn) {
      neutral.newGame();
      if (std::abs(neutral.search(all[drawn].game(rules), {.depth = kBalanceDepth}, rng).score) <=
          balls)
        balanced.push_back(all[drawn]);
    }
    if (all.size() < ask) break;  // there are no more
  }
  if (balanced.empty())
    throw UsageError("no random opening of " + std::to_string(plies) + " plies is within " +
                     std::to_string(balls) + " balls of even: allow more balls, or other plies");
  return balanced;
}

std::vector<Opening> recordedOpenings(const Rules& rules, const std::string& path, int plies,
                                      std::size_t count, std::uint64_t seed) {
  std::vector<Opening> openings;
  std::set<std::array<std::uint64_t, 4>> seen;
  for (const GameText& text : readGames(path)) {
    ReplayedGame replayed;
    try {
      replayed = replayGame(text, rules.name());
    } catch (const Error&) {
      continue;
    }
    if (!(replayed.rules == rules) || replayed.pits.size() < static_cast<std::size_t>(plies) ||
        !(replayed.positions.front() == Position::start(rules.set())))
      continue;
    Opening opening{replayed.positions.front(),
                    {replayed.pits.begin(), replayed.pits.begin() + plies}};
    const Game game = opening.game(rules);
    if (game.over() || !seen.insert(game.position().words()).second) continue;
    openings.push_back(std::move(opening));
  }
  if (openings.empty())
    throw UsageError("openings '" + path + "' holds no game of " + rules.name() + " of " +
                     std::to_string(plies) + " plies or more");
  Rng rng = Rng::stream(seed, 0x4ec04ded);
  for (std::size_t i = openings.size(); i > 1; --i)
    std::swap(openings[i - 1], openings[rng.below(static_cast<std::uint32_t>(i))]);
  if (openings.size() > count) openings.resize(count);
  return openings;
}

std::vector<Opening> parseOpenings(const Rules& rules, const std::string& text, std::size_t count,
                                   std::uint64_t seed) {
  constexpr std::string_view kRandom = "random:";
  if (text.starts_with(kRandom) || text == "random") {
    std::int64_t plies = 0;
    const std::string number = text.substr(std::min(text.size(), kRandom.size()));
    if (!parseInt(number, plies) || plies < 0 || plies > kMaxRandomPlies)
      throw UsageError("openings '" + text + "': random:PLIES wants a whole number from 0 to " +
                       std::to_string(kMaxRandomPlies));
    return randomOpenings(rules, static_cast<int>(plies), count, seed);
  }
  const auto pliesOf = [&](const std::string& number, std::int64_t most, const char* form) {
    std::int64_t value = 0;
    if (!parseInt(number, value) || value < 0 || value > most)
      throw UsageError("openings '" + text + "': write " + form + ", numbers from 0 to " +
                       std::to_string(most));
    return static_cast<int>(value);
  };
  if (text.starts_with("balanced:")) {
    constexpr const char* kForm = "balanced:PLIES or balanced:PLIES:BALLS";
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() > 3) pliesOf("", 0, kForm);
    const int balls = parts.size() == 3 ? pliesOf(parts[2], kMaxRandomPlies, kForm) : kEvenBalls;
    return balancedOpenings(rules, pliesOf(parts[1], kMaxRandomPlies, kForm), balls, count, seed);
  }
  if (text.starts_with("games:")) {
    constexpr const char* kForm = "games:PLIES:FILE";
    const std::size_t colon = text.find(':', 6);
    if (colon == std::string::npos) pliesOf("", kMaxRandomPlies, kForm);
    return recordedOpenings(rules, text.substr(colon + 1),
                            pliesOf(text.substr(6, colon - 6), kMaxRandomPlies, kForm), count,
                            seed);
  }
  auto openings = readOpenings(rules, text);
  if (openings.size() > count) openings.resize(count);
  return openings;
}

}  // namespace toguz
