// Exercises made from played games: positions where there is one thing to find.
//
// 1. A first look with few nodes at every position finds candidates: one move stands out, or the
//    move that was played turned out better than the look had thought any to be. A board that has
//    occurred before, with either player's name, is left out.
// 2. Probes with 1, 10, 50, 200 and 1000 nodes see when the search finds the move, for the level.
// 3. A closer look, at the most promising of each kind, level and phase, searches the position that
//    each legal move leads to with equal nodes: what is called wrong has been looked at like what
//    is right. The solution is the moves within kSolutionPoints of the best, two at most, the
//    root's own best among them.
// 4. So many a level are chosen, kinds and phases in turn, over as many games as possible.
// 5. A last look at those, with five times the nodes of the closer one: another choice, or less
//    than half the gap, and another exercise is chosen in its place.
//
// The level says how hard the solution is to find; its points are added up:
//   found    0..5  by the search at 1, 10, 50, 200, 1000 nodes, or only later; at one node there is
//                  no search: the network's choice at sight
//   unlikely 0..2  the network at sight gives the solution less than a half; less than a sixth
//   unseen   0..1  it is not the move that takes most
// 0 points are level 1; 1 level 2; 2 level 3; 3 and 4 level 4; 5 and more level 5.
//
// The same games, network and options give the same exercises.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/analyst.h"
#include "analysis/exercise_kind.h"
#include "core/record.h"

namespace toguz {

inline constexpr int kExerciseLevels = 5;
inline constexpr double kExerciseGap = 15;    // points of win rate between solution and others
inline constexpr double kSolutionPoints = 3;  // within which two moves are equally good
inline constexpr double kLeastWinRate = 35;   // of the solution: there is something to play for
inline constexpr double kLeastCapture = 50;   // the same where a capture is to decide
inline constexpr double kMostOthers = 80;     // of the others: the game is not won anyway

struct Exercise {
  Rules rules;
  Position position;
  int fullmove = 1;
  ExerciseKind kind = ExerciseKind::Best;
  std::vector<std::uint8_t> solution;  // 0-based pits, all accepted; the root's best first
  int level = 1;                       // 1..kExerciseLevels
  double winRate = 0;                  // per cent, for the mover after the first of the solution
  double others = 0;                   // after the best move that is none
  std::vector<std::uint8_t> line;      // 0-based pits from the first of the solution on
  std::string source;                  // "kz2018 s0002 ply 34": the ply that is to be found
  bool played = false;                 // in the game the solution was found
};

struct ExerciseGame {
  const ReplayedGame* game = nullptr;
  std::string source;  // "kz2018 s0002"
};

struct ExerciseOptions {
  int nodes = 400;           // of the first look
  int closerNodes = 20'000;  // of the closer one; each move's own position gets a quarter
  int perLevel = 16;         // of each level, as far as there are
};

// What the search and the eye see of a solution.
struct ExerciseSigns {
  int found = 0;  // place in kExerciseProbes from which on it was the search's choice
  double policy = 0;
  bool takesMost = false;
};
inline constexpr std::array<int, 5> kExerciseProbes{1, 10, 50, 200, 1000};
int exerciseLevel(const ExerciseSigns& signs);

// How far a stage is; called by the thread that makes the exercises.
using ExerciseProgress =
    std::function<void(const char* stage, std::size_t done, std::size_t positions)>;

// The games are of the analyst's rules. By level, and within one in the order of the games.
std::vector<Exercise> makeExercises(Analyst& analyst, std::span<const ExerciseGame> games,
                                    const ExerciseOptions& options,
                                    const ExerciseProgress& progress = {});

}  // namespace toguz
