// A game of a match as a task for somebody else: asked for in a text, played, and answered in a
// text. Of the answer only the moves are taken at their word, and the rest is worked out by the
// rules, so that a worker can send a wrong game but no impossible one. Any thread.
//
// Task     {"format": 1, "variant": NAME, "ply_cap": N, "seed": S, "index": I,
//           "opening": {"start": POSITION TEXT, "moves": [0-BASED PITS]}, "a": PLAYER, "b": PLAYER}
// PLAYER   {"model": SHA-256 OF THE MODEL FILE, "nodes": N} or {"player": "alphabeta:depth=4"}
// Result   {"moves": [...], "nodes": [OF A, OF B], "seconds": [OF A, OF B]} or {"error": TEXT}
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "arena/match.h"
#include "base/hash.h"
#include "models/native/network.h"

namespace toguz {

struct FarmedPlayer {
  std::optional<Sha256> model = std::nullopt;  // of the model file
  int nodes = 0;                               // root visits a move, of a model
  std::string builtin = {};                    // without a model: a player's string
};

// Whether a built-in player's string may be farmed: random, greedy, alphabeta:depth=N and
// mcts:nodes=N, within bounds. No program, no file and no limit of time: those are of one machine.
bool isFarmable(const std::string& player);

// The task of the game at `index`. TOGUZ_CHECKs what no task can say: a clock, adjudication,
// opinions, a player that is not farmable.
std::string farmedGameTask(const MatchOptions& options, int index, const FarmedPlayer& a,
                           const FarmedPlayer& b);

// The fp32 network of the model file of that hash, null if there is none. May throw.
using ModelSource = std::function<std::shared_ptr<const NativeNetwork>(const Sha256&)>;

// Plays a task and returns its result. Whatever is wrong with the task is a result that says so;
// nothing is thrown. `stop` is asked before each move: nothing is returned if it says so, and the
// task is then for somebody else.
std::optional<std::string> playFarmedGame(const std::string& task, const ModelSource& models,
                                          const std::function<bool()>& stop);

// The game at `index` of the match of which it was asked. Throws Error saying what is wrong with
// the result, or what the worker said was wrong with the task.
MatchGame farmedGameOf(const std::string& result, const MatchOptions& options, int index);

}  // namespace toguz
