// The kinds of player, one factory each, for code that has the parts in hand rather than a string
// (the training gate, tests). Factories are immutable: any thread may call make().
#pragma once

#include <memory>
#include <string>

#include "arena/player.h"
#include "models/native/network.h"
#include "play/engine.h"
#include "search/alphabeta.h"

namespace toguz {

std::unique_ptr<PlayerFactory> makeRandomFactory();
// The move that adds most to the mover's kazan; in giveaway, where balls lose, least.
std::unique_ptr<PlayerFactory> makeGreedyFactory();
// With a clock and limits that set no time, the depth rules.
std::unique_ptr<PlayerFactory> makeAlphaBetaFactory(const Rules& rules,
                                                    const AlphaBetaLimits& limits);

struct EngineSettings {
  std::int64_t nodes = 0;  // root visits a move; 0: no limit
  double movetimeMs = 0;   // 0: no limit
  int threads = 1;         // on one tree
  int level = kLevels;     // play/level.h
  // At full strength: moves whose visits are within this share of the best one's are drawn by
  // the game's seed.
  double ties = 0;
  // Of the search, for matches that tune it; see EngineOptions.
  SearchParams params = EngineOptions().params;
  int maxBatch = EngineOptions().maxBatch;
};
// Tree search over a network's or random playouts' values. Without a limit it thinks by the clock
// where the match has one, and EngineOptions::defaultNodes where not. No noise: with nodes alone,
// full strength and ties 0 a game's moves depend on nothing but the position's history.
std::unique_ptr<PlayerFactory> makeModelFactory(std::shared_ptr<const NativeNetwork> network,
                                                const EngineSettings& settings, std::string name);
std::unique_ptr<PlayerFactory> makeMctsFactory(const Rules& rules, const EngineSettings& settings);

// A program that speaks the engine protocol over its standard input and output, started by
// `/bin/sh -c` when its first game begins and again after a fault.
struct ExecSettings {
  double movetimeMs = 1000;  // of a move where the match has no clock
  double startMs = 20000;    // to answer `uci` and `isready`
  double graceMs = 2000;     // beyond its time for a move before it is given up
};
std::unique_ptr<PlayerFactory> makeExecFactory(const std::string& command,
                                               const ExecSettings& settings = {});

}  // namespace toguz
