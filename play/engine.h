// The playing program as a library: give it a model and a position, get a move.
//
//   Engine engine(Engine::loadNetwork("model.tgz"));
//   Game game(engine.rules());
//   engine.setPosition(game);
//   SearchReport report = engine.search({.moveTimeMs = 100});
//   game.play(*report.bestPit);
//
// It never explores for its own sake: no noise, no sampling; a search limited by nodes alone gives
// the same answer each time it follows the same calls. An Engine belongs to one thread at a time
// (a running search may be stopped from another through its StopSignal); the network may be shared
// by any number of engines and threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/game.h"
#include "models/native/network.h"
#include "play/level.h"
#include "play/search_line.h"
#include "play/stop_signal.h"
#include "play/time_budget.h"
#include "search/search.h"

namespace toguz {

struct EngineOptions {
  // marginWeight decides among won and among lost lines (its size was not validated). More balls
  // are taken as better, in giveaway as worse.
  SearchParams params{.marginWeight = 0.02f};
  // Root visits where no limit is given.
  std::int64_t defaultNodes = 800;
  // Kept back from limits of time for what passes between the clock and the engine (time_budget.h).
  double moveOverheadMs = 10;
  // Leaves evaluated together: one for each `visitsPerLeaf` root visits, 1..maxBatch, so that a
  // small search is exact and a long one fast (not validated).
  int maxBatch = 16;
  int visitsPerLeaf = 64;
  // Threads on one tree. With more than one a search does not repeat to the bit, and may make a
  // visit more for each than it was limited to.
  int threads = 1;  // 1..kMaxThreads
  static constexpr int kMaxThreads = Search::kMaxFlights;
  // The tree stops growing here: a search without `infinite` then ends.
  std::size_t maxTreeNodes = 4'000'000;
  // 1..kLevels. Below the last a search has the level's nodes, if its limits are not less, and the
  // level chooses the move (level.h); what the search found is reported as it is.
  int level = kLevels;
  int lines = 1;             // SearchInfo::lines, 1..kMaxPits
  double infoEveryMs = 250;  // how often a search reports; above 0
  // Of the choices of a level, and of the random playouts that stand in for a network.
  std::uint64_t seed = 1;
};

// What a search knows so far.
struct SearchInfo {
  std::uint64_t nodes = 0;     // visits of the root, those of a reused tree included
  std::uint64_t searched = 0;  // of these, by this search alone
  double nps = 0;              // the same
  double timeMs = 0;
  // Best first: as many as the options ask for and the search has looked at, one at least.
  std::vector<SearchLine> lines;
  const SearchLine& best() const { return lines.front(); }
};

struct SearchReport {
  std::optional<int> bestPit;  // 0-based, the level's choice; empty if the game is over
  // Its limits ended it, or the full tree, and not its StopSignal. A search that was stopped short
  // goes on by another of the same limits: node for node as if it had not been stopped.
  bool complete = true;
  SearchInfo info;
  std::vector<RootMove> moves;  // legal moves in the order of pits
};

class Engine {
 public:
  using InfoCallback = std::function<void(const SearchInfo&)>;
  using Network = std::shared_ptr<const NativeNetwork>;

  // Plays `rules` by tree search with random playouts until a network is set.
  explicit Engine(const Rules& rules = Rules(), const EngineOptions& options = {});
  // Plays the network's rules; it must not be null.
  explicit Engine(Network network, const EngineOptions& options = {});
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Throws Error with one line naming the file and what is wrong with it.
  static Network loadNetwork(const std::filesystem::path& path,
                             Precision precision = Precision::Auto);

  const Rules& rules() const { return game_.rules(); }
  const EngineOptions& options() const { return options_; }
  const Game& game() const { return game_; }

  // Null goes back to random playouts. Throws UsageError if it plays another variant than rules().
  // The tree is dropped.
  void setNetwork(Network network);
  const Network& network() const { return network_; }
  // Throws UsageError if one is out of range. The tree is dropped.
  void setOptions(const EngineOptions& options);

  // Any game, under any rules that the network (if there is one) plays: else UsageError. If it goes
  // on from the game before, the tree below its moves is kept.
  void setPosition(const Game& game);
  // What the network says of the current position without a search; without a network, what one
  // random playout does. UsageError if the game is over.
  Evaluation evaluate();
  // Forgets the tree, so that the next search is as the first of a new engine.
  void clear();

  // Searches the current position; at once if the game is over, and if there is a clock and only
  // one legal move. `info` is called on this thread every infoEveryMs and once at the end, and may
  // request the stop;
  // `stop` must be given with `infinite` (UsageError without) and ends any search early. At least
  // one visit of the root is made even if already stopped.
  SearchReport search(const EngineLimits& limits, const InfoCallback& info = {},
                      StopSignal* stop = nullptr);

 private:
  class Run;

  void prepareEvaluators();
  void prepareTree(const Run& run);
  SearchInfo snapshot(std::uint64_t visitsBefore, double elapsedMs);

  Game game_;
  EngineOptions options_;
  Network network_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // one a thread
  std::unique_ptr<Search> search_;
  // The game whose last position is the tree's root; empty when there is no tree.
  std::optional<Game> rooted_;
};

}  // namespace toguz
