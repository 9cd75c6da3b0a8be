#include "play/engine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "search/playout_evaluator.h"

namespace toguz {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kMaxBatch = 256;
// Where threads share a tree: up to so many times as many leaves a gather, one for each so many
// visits. Leaves in flight are chosen without what the others will say: with a leaf for each 256
// visits two threads lost 40 Elo at equal nodes, with one for each 1,024 none (docs/results.md).
constexpr int kSharedBatch = 4;
constexpr int kSharedVisitsPerLeaf = 1024;
// The tree's sums are single precision: beyond this many visits another one no longer counts.
constexpr std::int64_t kMaxVisits = 1 << 24;
constexpr std::int64_t kVisitsPerDecision = 128;

EngineOptions checked(const EngineOptions& options) {
  if (options.params.selection != Selection::Puct)
    throw UsageError("the engine searches by PUCT alone: set selection to it");
  if (options.defaultNodes < 1) throw UsageError("defaultNodes must be at least 1");
  if (options.moveOverheadMs < 0) throw UsageError("moveOverheadMs must not be negative");
  if (options.maxBatch < 1 || options.maxBatch > kMaxBatch)
    throw UsageError("maxBatch must be 1 to " + std::to_string(kMaxBatch));
  if (options.threads < 1 || options.threads > EngineOptions::kMaxThreads)
    throw UsageError("threads must be 1 to " + std::to_string(EngineOptions::kMaxThreads));
  if (!(options.infoEveryMs > 0)) throw UsageError("infoEveryMs must be above 0");
  if (options.visitsPerLeaf < 1) throw UsageError("visitsPerLeaf must be at least 1");
  if (options.maxTreeNodes < 1) throw UsageError("maxTreeNodes must be at least 1");
  if (options.level < 1 || options.level > kLevels)
    throw UsageError("level must be 1 to " + std::to_string(kLevels));
  if (options.lines < 1 || options.lines > kMaxPits)
    throw UsageError("lines must be 1 to " + std::to_string(kMaxPits));
  return options;
}

const Rules& rulesOf(const Engine::Network& network) {
  TOGUZ_CHECK(network != nullptr, "an engine of no network");
  return network->rules();
}

void checkVariant(const Engine::Network& network, const Rules& rules) {
  if (network && !(network->rules() == rules))
    throw UsageError("the model plays '" + network->rules().name() + "', not '" + rules.name() +
                     "': choose a model of that variant");
}

// Whether `later` is `earlier` or goes on from it.
bool continues(const Game& earlier, const Game& later) {
  return earlier.rules() == later.rules() && earlier.plyCap() == later.plyCap() &&
         earlier.start() == later.start() && earlier.moves().size() <= later.moves().size() &&
         std::equal(earlier.moves().begin(), earlier.moves().end(), later.moves().begin());
}

}  // namespace

// One search under way: its limits and the clock.
class Engine::Run {
 public:
  Run(Engine& engine, const EngineLimits& limits, StopSignal* stop)
      : engine_(engine),
        start_(SteadyClock::now()),
        stop_(stop),
        infinite_(limits.infinite),
        onClock_(limits.remainingMs.has_value() && !limits.infinite) {
    if (limits.infinite && !stop)
      throw UsageError("an infinite search needs a signal that can stop it");
    if (limits.nodes && *limits.nodes < 1) throw UsageError("a search needs at least one node");
    budgetMs_ = timeBudgetMs(limits, engine.game_, engine.options_.moveOverheadMs);
    // A level has its own number where nothing else is said, and never more.
    const std::int64_t ofLevel = levelOf(engine.rules(), engine.options_.level).nodes;
    maxVisits_ = ofLevel > 0 ? ofLevel : kMaxVisits;
    if (limits.nodes)
      maxVisits_ = std::min(maxVisits_, *limits.nodes);
    else if (!budgetMs_ && !limits.infinite && ofLevel == 0)
      maxVisits_ = std::min(maxVisits_, engine.options_.defaultNodes);
    // Nothing to think about: one visit says what the position is worth.
    if (onClock_ && std::popcount(engine.game_.legal()) == 1) maxVisits_ = 1;
  }

  void search(const InfoCallback& info) {
    visitsBefore_ = visits();
    SearchLimits bounds;
    bounds.nodes = static_cast<int>(std::max<std::int64_t>(maxVisits_, 1));
    if (engine_.options_.threads > 1) bounds.sharedNodes = engine_.options_.maxTreeNodes;
    engine_.search_->begin(bounds);
    {
      // Helpers take their share until this thread sees the end; jthread joins them.
      std::vector<std::jthread> helpers;
      const struct Ender {
        std::atomic<bool>& ending;
        ~Ender() { ending = true; }
      } ender{ending_};
      for (int t = 1; t < engine_.options_.threads; ++t)
        helpers.emplace_back([this, t] { help(t); });
      lead(info);
    }
    if (failure_) std::rethrow_exception(failure_);
    if (infinite_ && !stop_->requested()) {
      if (info) info(snapshot());
      stop_->wait();
    }
  }

  // A tree is not worth keeping if that takes a good part of the time, or outlasts a stop.
  bool pressed() const {
    constexpr double kShare = 0.2;
    if (stop_ && stop_->requested()) return true;
    return budgetMs_ && !infinite_ && elapsedMs() > kShare * *budgetMs_;
  }

  bool cutShort() const { return stop_ && stop_->requested() && !limitReached(); }
  bool limitReached() const {
    if (visits() >= maxVisits_) return true;
    if (engine_.search_->nodesInTree() >= engine_.options_.maxTreeNodes) return true;
    return budgetMs_ && !infinite_ && elapsedMs() >= *budgetMs_;
  }

  SearchInfo snapshot() {
    return engine_.snapshot(static_cast<std::uint64_t>(visitsBefore_), elapsedMs());
  }

 private:
  std::int64_t visits() const { return engine_.search_->rootVisits(); }
  double elapsedMs() const {
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - start_).count();
  }

  bool finished() const { return (stop_ && stop_->requested()) || limitReached(); }

  // No other move can catch up in the time that is left.
  bool decided() {
    std::array<std::uint32_t, 2> most{};
    for (const RootMove& move : engine_.search_->rootMoves()) {
      if (move.visits > most[0])
        most = {move.visits, most[0]};
      else if (move.visits > most[1])
        most[1] = move.visits;
    }
    const double elapsed = elapsedMs();
    const double rate = static_cast<double>(visits() - visitsBefore_) / std::max(elapsed, 1e-3);
    const double left = rate * (*budgetMs_ - elapsed);
    return static_cast<double>(most[0] - most[1]) > left;
  }

  // The searching thread: the limits, the reports, and its own share of the walks.
  void lead(const InfoCallback& info) {
    Scratch scratch;
    double nextInfo = engine_.options_.infoEveryMs;
    std::int64_t nextDecision = visitsBefore_ + kVisitsPerDecision;
    for (;;) {
      step(0, scratch);
      if (ending_ || (visits() >= 1 && finished())) return;
      // With threads the root may still be with another.
      if (info && elapsedMs() >= nextInfo && !engine_.search_->rootMoves().empty()) {
        info(snapshot());
        nextInfo = elapsedMs() + engine_.options_.infoEveryMs;
      }
      if (onClock_ && visits() >= nextDecision) {
        if (decided()) return;
        nextDecision = visits() + kVisitsPerDecision;
      }
    }
  }

  void help(int thread) {
    try {
      Scratch scratch;
      while (!ending_.load(std::memory_order_relaxed)) step(thread, scratch);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      ending_ = true;
    }
  }

  struct Scratch {
    std::array<Position, kMaxBatch> leaves;
    std::array<Evaluation, kMaxBatch> evaluations;
  };

  void step(int thread, Scratch& scratch) {
    Search& search = *engine_.search_;
    const EngineOptions& options = engine_.options_;
    auto batch = std::clamp<std::int64_t>(visits() / options.visitsPerLeaf, 1, options.maxBatch);
    // A node that threads share has to come over from the other's cache each time: in a large tree
    // larger gathers pass it less often.
    if (options.threads > 1)
      batch = std::max(batch, std::min({visits() / kSharedVisitsPerLeaf,
                                        std::int64_t{kSharedBatch} * options.maxBatch,
                                        std::int64_t{kMaxBatch}}));
    const auto count = static_cast<std::size_t>(
        search.gather({scratch.leaves.data(), static_cast<std::size_t>(batch)}, thread));
    if (count == 0) {
      // Nothing but finished positions, or every leaf is with another thread.
      if (options.threads > 1) std::this_thread::yield();
      return;
    }
    engine_.evaluators_[static_cast<std::size_t>(thread)]->evaluate(
        {scratch.leaves.data(), count}, {scratch.evaluations.data(), count});
    search.provide({scratch.evaluations.data(), count}, thread);
  }

  Engine& engine_;
  SteadyClock::time_point start_;
  StopSignal* stop_;
  bool infinite_;
  bool onClock_;
  std::optional<double> budgetMs_;
  std::int64_t maxVisits_ = 1;
  std::int64_t visitsBefore_ = 0;
  std::atomic<bool> ending_{false};
  std::mutex mutex_;  // over failure_
  std::exception_ptr failure_;
};

Engine::Engine(const Rules& rules, const EngineOptions& options)
    : game_(rules), options_(checked(options)) {}

Engine::Engine(Network network, const EngineOptions& options)
    : game_(rulesOf(network)), options_(checked(options)), network_(std::move(network)) {}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Engine::Network Engine::loadNetwork(const std::filesystem::path& path, Precision precision) {
  return NativeNetwork::load(path, precision);
}

void Engine::setNetwork(Network network) {
  checkVariant(network, rules());
  network_ = std::move(network);
  evaluators_.clear();
  rooted_.reset();
}

void Engine::setOptions(const EngineOptions& options) {
  options_ = checked(options);
  clear();
}

void Engine::setPosition(const Game& game) {
  checkVariant(network_, game.rules());
  if (!(game.rules() == rules())) clear();
  game_ = game;
}

void Engine::clear() {
  search_.reset();
  evaluators_.clear();
  rooted_.reset();
}

void Engine::prepareEvaluators() {
  const auto threads = static_cast<std::size_t>(options_.threads);
  if (!network_) evaluators_.clear();  // so that a search does not hang on earlier playouts
  while (evaluators_.size() < threads) {
    if (network_)
      evaluators_.push_back(std::make_unique<NativeEvaluator>(network_));
    else
      evaluators_.push_back(
          std::make_unique<PlayoutEvaluator>(rules(), options_.seed + evaluators_.size()));
  }
}

Evaluation Engine::evaluate() {
  if (game_.over()) throw UsageError("nothing to evaluate: the game is over");
  prepareEvaluators();
  Evaluation evaluation;
  evaluators_.front()->evaluate({&game_.position(), 1}, {&evaluation, 1});
  return evaluation;
}

void Engine::prepareTree(const Run& run) {
  prepareEvaluators();
  if (!search_) {
    search_ = std::make_unique<Search>(rules(), options_.params, options_.seed);
    rooted_.reset();
  }
  if (!rooted_ || !continues(*rooted_, game_)) {
    rooted_.reset();
    search_->setRoot(game_);
    rooted_ = game_;
    return;
  }
  // All plies at once: the tree that is kept is copied, and own and opponent's move make one copy.
  const std::span<const std::uint8_t> moves(game_.moves());
  if (rooted_->moves().size() < moves.size())
    search_->advance(game_, moves.subspan(rooted_->moves().size()),
                     [&run] { return run.pressed(); });
  // A weak level must not live on what was found before at a greater strength, or while pondering.
  const Level& level = levelOf(rules(), options_.level);
  if (level.nodes > 0 && search_->rootVisits() > level.nodes) search_->setRoot(game_);
  rooted_ = game_;
}

SearchInfo Engine::snapshot(std::uint64_t visitsBefore, double elapsedMs) {
  SearchInfo info;
  info.nodes = search_->rootVisits();
  info.searched = info.nodes - visitsBefore;
  info.timeMs = elapsedMs;
  // A search of less than a microsecond has no rate.
  info.nps = 1000.0 * static_cast<double>(info.searched) / std::max(elapsedMs, 1e-3);
  info.lines = linesOf(*search_, options_.lines);
  return info;
}

SearchReport Engine::search(const EngineLimits& limits, const InfoCallback& info,
                            StopSignal* stop) {
  Run run(*this, limits, stop);
  SearchReport report;
  if (game_.over()) {
    const Outcome& outcome = game_.outcome();
    const Side side = game_.position().side;
    report.info.lines.push_back(
        {0, static_cast<float>(outcome.score(side)), static_cast<float>(outcome.margin(side)), {}});
    return report;
  }
  try {
    prepareTree(run);
    run.search(info);
    report.complete = !run.cutShort();
    report.info = run.snapshot();
    const auto moves = search_->rootMoves();
    report.moves.assign(moves.begin(), moves.end());
    Rng rng(options_.seed ^ game_.position().hash() ^
            static_cast<std::uint64_t>(game_.ply()) << 48);
    report.bestPit =
        chooseByLevel(levelOf(rules(), options_.level), report.moves, search_->bestMove(), rng);
    if (info) info(report.info);
  } catch (...) {
    clear();  // leaves may be in flight
    throw;
  }
  return report;
}

}  // namespace toguz
