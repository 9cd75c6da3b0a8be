// A played game looked through by the engine: what each move cost, marks, accuracy, turning points.
// Every position is searched on its own; a move's worth is the value of the position that it led
// to, so that deep and shallow moves are measured alike.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "core/record.h"

namespace toguz {

// By the win rate that a move gave away, in points: the thresholds of lichess.org's analysis.
enum class Mark : std::uint8_t { None, Good, Inaccuracy, Mistake, Blunder };
inline constexpr double kInaccuracyPoints = 5, kMistakePoints = 10, kBlunderPoints = 15;
const char* text(Mark mark);  // "", "!", "?!", "?", "??"

// All from the mover's view; win rates in per cent, a draw counting half.
struct ReviewedMove {
  int pit = 0;                         // 0-based, as played
  int best = 0;                        // 0-based
  std::vector<std::uint8_t> bestLine;  // 0-based pits, `best` first
  double winRateBest = 50;             // if he plays `best`
  double winRate = 50;                 // after the move played; never above winRateBest
  double marginBest = 0;               // expected final balls ahead, the same two
  double margin = 0;
  double lostWinRate = 0;  // points, 0 or more
  double lostBalls = 0;    // 0 or more; in giveaway the balls taken too many
  double accuracy = 100;   // of the move, 0..100
  // Good: the best move, while every other that was looked at loses a mistake's worth, and it is
  // not simply the greatest capture.
  Mark mark = Mark::None;
  // The win rate crossed from 50 or more to less, and the move lost a mistake's worth.
  bool turning = false;
};

struct SideReview {
  int moves = 0;
  double accuracy = 100;       // mean over the moves
  double lostBalls = 0;        // mean a move
  std::array<int, 5> marks{};  // by Mark
  int count(Mark mark) const { return marks[static_cast<std::size_t>(mark)]; }
};

struct GameReview {
  Rules rules;
  int startFullmove = 1;
  std::vector<Position> positions;  // before each move, then the last
  std::vector<ReviewedMove> moves;
  Outcome outcome;  // reason None where the record stops before the end
  // Of the last position, for the player who is to move there.
  double lastWinRate = 50, lastMargin = 0;
  std::array<SideReview, 2> sides;

  // Of the first player before ply `i`, or at the end for i == moves.size(): what the players stood
  // to reach, which is the value of the position, not of a move.
  double firstWinRate(std::size_t i) const;
  double firstMargin(std::size_t i) const;
};

// Accuracy of a move that lost so many points of win rate: 103.1668 exp(-0.04354 x) - 3.1669 within
// 0..100 (lichess.org, "Lichess accuracy metric").
double moveAccuracy(double lostWinRate);

// The review of a game from the analyses of its positions, in their order; each has lines.
GameReview reviewOf(ReplayedGame&& game, std::span<const Analysis> answers);

// What became of the first plies in many games of one variant.
struct OpeningLine {
  std::vector<std::uint8_t> pits;  // 0-based
  int games = 0;
  std::array<int, 3>
      results{};             // first player won, drawn, lost; games without a result are in none
  double firstWinRate = 50;  // after the line, by the engine
};
// Lines of 1..`plies` moves that at least `least` of the games from the variant's start position
// begin with, in the order of a depth-first walk, the most played first. `results[i]` is what the
// record of game i says: "1-0", "0-1", "1/2-1/2", else unknown.
std::vector<OpeningLine> openingLines(std::span<const GameReview* const> games,
                                      std::span<const std::string> results, int plies, int least);

}  // namespace toguz
