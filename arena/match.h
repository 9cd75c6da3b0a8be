// A match of two players: games in pairs, each opening played twice with sides swapped, on any
// number of threads.
//
// The result does not depend on the number of threads or on which game ends first: each game's
// random numbers come from the match's seed and the game's place, games are counted in their order,
// and a stop by the SPRT is decided on finished pairs in that order; games begun beyond the
// stopping pair are thrown away. (Limits of time make players themselves unrepeatable.)
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arena/openings.h"
#include "arena/player.h"
#include "arena/statistics.h"

namespace toguz {

struct TimeControl {
  double baseMs = 0;       // for the whole game
  double incrementMs = 0;  // added after each move
};

// What the mover thought; kept with MatchOptions::keepOpinions.
struct Opinion {
  std::optional<float> winLoss;
  std::optional<float> margin;
  std::uint64_t nodes = 0;
  float milliseconds = 0;
};

enum class GameEnd : std::uint8_t { Rules, Fault, Time, Adjudicated };

struct MatchGame {
  int index = 0;  // 0-based place in the match; the pair is index / 2
  bool aFirst = true;
  Position start;
  std::vector<std::uint8_t> moves;  // 0-based pits, those of the opening included
  int openingPlies = 0;
  GameEnd end = GameEnd::Rules;
  Result result = Result::Draw;
  EndReason reason = EndReason::None;    // where the rules ended it
  bool offenderIsA = false;              // where they did not
  std::string fault;                     // in words
  std::vector<Opinion> opinions;         // one a move after the opening
  std::array<std::uint64_t, 2> nodes{};  // of A and of B
  std::array<double, 2> seconds{};
  std::array<int, 2> choices{};

  // Points of A: 0, 0.5, 1.
  double pointsOfA() const;
};

struct MatchProgress {
  int gamesDone = 0;  // counted: in order
  int games = 0;      // asked for
  Tally tally;
  PairCounts pairs{};
  std::optional<double> llr;
};

struct MatchOptions {
  Rules rules;
  int games = 2;  // an odd number leaves the last opening played once
  // At least one. If there are fewer than pairs they are taken again in turn.
  std::vector<Opening> openings;
  std::uint64_t seed = 1;
  int concurrency = 1;  // games played here at a time; each has its own two players
  int plyCap = Game::kDefaultPlyCap;
  std::optional<SprtSettings> sprt;
  std::optional<TimeControl> clock;
  // Both players' own win rates must agree on a winner for that many plies in a row.
  struct Adjudication {
    float winRate = 0.99f;  // of the winner, as each of the two says, (0.5, 1]
    int plies = 8;          // at least 2, so that both have spoken
  };
  std::optional<Adjudication> adjudication;
  bool keepOpinions = false;
  // Somebody else who may play games of this match, so many at a time. `play` waits for the game at
  // `index` and returns it, or nothing: the game is then played here in its turn, and until that
  // comes `play` is asked again now and then. Called from several threads; to return soon when
  // `abandon` says so. A game hangs on nothing but these options, its index and the two players, so
  // that where it is played makes no difference. The players here are made when they are needed.
  struct Elsewhere {
    int concurrency = 1;
    std::function<std::optional<MatchGame>(int index, const std::function<bool()>& abandon)> play;
  };
  std::optional<Elsewhere> elsewhere;
  // Games of this match that were played before; they are counted and not played again. `onGame` is
  // called with each game that is, from the playing threads, in any order.
  std::vector<MatchGame> played;
  std::function<void(const MatchGame&)> onGame;
  // Called, under a lock, from the playing threads each time the count of games goes up.
  std::function<void(const MatchProgress&)> onProgress;
  // Set by another thread: games under way are dropped and the result is that of the games counted.
  const std::atomic<bool>* stop = nullptr;
};

// One side's doings over the match.
struct PlayerTotals {
  std::string name;
  int faults = 0;
  int timeLosses = 0;
  std::string firstFault;  // of either kind, in words
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::int64_t moves = 0;
  double nodesPerSecond() const { return seconds > 0 ? static_cast<double>(nodes) / seconds : 0; }
};

struct SprtResult {
  SprtSettings settings;
  double llr = 0;
  SprtVerdict verdict = SprtVerdict::None;
};

struct MatchResult {
  Tally tally;  // of A
  PairCounts pairs{};
  StrengthEstimate strength;
  std::optional<SprtResult> sprt;
  Tally firstPlayer;      // of whoever moved first
  int distinctGames = 0;  // by start and moves
  int adjudicated = 0;
  double meanPlies = 0;
  bool interrupted = false;  // by MatchOptions::stop
  // Share of the games' time that was not the players': rules, records, counting.
  double overhead = 0;
  PlayerTotals a;
  PlayerTotals b;
  std::vector<MatchGame> games;  // in order

  int gamesPlayed() const { return static_cast<int>(games.size()); }
  double distinctShare() const {
    return games.empty() ? 1.0 : distinctGames / static_cast<double>(games.size());
  }
};

// A player's faults cost it the game and no more. Any other exception of a player ends the match
// and is thrown here. Games are at most options.games, and exactly that many unless the SPRT or
// `stop` ends the match.
MatchResult playMatch(const PlayerFactory& a, const PlayerFactory& b, const MatchOptions& options);

}  // namespace toguz
