#include "analysis/analyst.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/error.h"
#include "base/machine.h"
#include "search/evaluation_cache.h"

namespace toguz {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Searches of a thread under way: enough for full batches at one leaf each.
constexpr std::size_t kInFlight = 48;
// Their nodes together, beyond which no more are begun: some hundred MB of trees.
constexpr std::int64_t kNodesInFlight = 1'000'000;
// Neighbouring positions of a game share most of their trees.
constexpr std::size_t kCacheEntries = 1 << 16;

// Nodes that a search may come to, for that sum: by time alone no more than a fast machine makes.
std::int64_t mostNodes(const AnalysisLimits& limits) {
  constexpr double kNodesPerMs = 1000;
  if (!limits.timeMs) return limits.nodes;
  return std::min(limits.nodes, static_cast<std::int64_t>(1 + kNodesPerMs * *limits.timeMs));
}

Analysis neverBegun() {
  Analysis analysis;
  analysis.cancelled = true;
  return analysis;
}

double msSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

}  // namespace

class Analyst::Thread {
 public:
  explicit Thread(Analyst& analyst)
      : analyst_(analyst), evaluator_(analyst.network_), cache_(kCacheEntries) {}

  void run() {
    for (;;) {
      while (slots_.size() < kInFlight && (slots_.empty() || nodes_ < kNodesInFlight)) {
        QueryPointer query = analyst_.take(slots_.empty());
        if (!query) break;
        begin(std::move(query));
      }
      if (slots_.empty()) return;
      step();
    }
  }

 private:
  struct Slot {
    QueryPointer query;
    std::unique_ptr<Search> search;
    SteadyClock::time_point start;
    std::size_t leaves = 0;  // gathered in this step
  };

  void begin(QueryPointer query) {
    Slot slot;
    if (spare_.empty()) {
      slot.search = std::make_unique<Search>(analyst_.rules(), options_.params, options_.seed);
    } else {
      slot.search = std::move(spare_.back());
      spare_.pop_back();
    }
    slot.search->reseed(options_.seed);
    slot.search->setRoot(query->game);
    slot.search->begin({.nodes = static_cast<int>(query->limits.nodes)});
    slot.start = SteadyClock::now();
    nodes_ += mostNodes(query->limits);
    slot.query = std::move(query);
    slots_.push_back(std::move(slot));
  }

  // One gather of each search, the leaves that the cache does not know in one batch.
  void step() {
    leaves_.clear();
    for (Slot& slot : slots_) {
      const std::int64_t wanted = std::clamp<std::int64_t>(
          slot.search->rootVisits() / options_.visitsPerLeaf, 1, options_.maxBatch);
      const std::size_t before = leaves_.size();
      leaves_.resize(before + static_cast<std::size_t>(wanted));
      slot.leaves = static_cast<std::size_t>(
          slot.search->gather({leaves_.data() + before, static_cast<std::size_t>(wanted)}));
      leaves_.resize(before + slot.leaves);
    }
    evaluate();
    const Evaluation* next = evaluations_.data();
    for (Slot& slot : slots_) {
      if (slot.leaves > 0) slot.search->provide({next, slot.leaves});
      next += slot.leaves;
    }
    for (std::size_t i = slots_.size(); i-- > 0;)
      if (ended(slots_[i])) end(i);
  }

  void evaluate() {
    const std::uint64_t key = analyst_.network_->cacheKey();
    evaluations_.resize(leaves_.size());
    unknown_.clear();
    unknownAt_.clear();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (const Evaluation* known = cache_.find(leaves_[i], key)) {
        evaluations_[i] = *known;
        continue;
      }
      unknown_.push_back(leaves_[i]);
      unknownAt_.push_back(i);
    }
    if (unknown_.empty()) return;
    fresh_.resize(unknown_.size());
    evaluator_.evaluate(unknown_, fresh_);
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      cache_.store(unknown_[i], key, fresh_[i]);
      evaluations_[unknownAt_[i]] = fresh_[i];
    }
  }

  static bool ended(const Slot& slot) {
    if (slot.search->done()) return true;
    if (slot.search->rootVisits() == 0) return false;
    if (slot.query->cancelled.load(std::memory_order_relaxed)) return true;
    return slot.query->limits.timeMs && msSince(slot.start) >= *slot.query->limits.timeMs;
  }

  void end(std::size_t at) {
    Slot slot = std::move(slots_[at]);
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(at));
    nodes_ -= mostNodes(slot.query->limits);
    Analysis analysis;
    analysis.cancelled = slot.query->cancelled && !slot.search->done();
    analysis.nodes = slot.search->rootVisits();
    analysis.timeMs = msSince(slot.start);
    analysis.bestPit = slot.search->bestMove();
    analysis.lines = linesOf(*slot.search, slot.query->limits.lines);
    const auto moves = slot.search->rootMoves();
    analysis.moves.assign(moves.begin(), moves.end());
    // A large tree is not kept for small ones.
    if (slot.search->nodesInTree() < 20'000) spare_.push_back(std::move(slot.search));
    analyst_.answer(*slot.query, std::move(analysis));
  }

  Analyst& analyst_;
  const EngineOptions options_;
  NativeEvaluator evaluator_;
  EvaluationCache cache_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Search>> spare_;
  std::int64_t nodes_ = 0;  // that the slots are allowed together
  std::vector<Position> leaves_, unknown_;
  std::vector<std::size_t> unknownAt_;
  std::vector<Evaluation> evaluations_, fresh_;
};

Analyst::Analyst(Engine::Network network, int threads) : network_(std::move(network)) {
  TOGUZ_CHECK(network_ != nullptr, "an analyst without a network");
  TOGUZ_CHECK(threads >= 0, "a negative number of threads");
  const auto count = threads > 0 ? static_cast<std::size_t>(threads) : usableCores().size();
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { Thread(*this).run(); });
}

Analyst::~Analyst() {
  std::deque<QueryPointer> dropped;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    dropped.swap(queue_);
    for (const auto& [ticket, query] : unanswered_) query->cancelled = true;
  }
  queued_.notify_all();
  for (const QueryPointer& query : dropped) answer(*query, neverBegun());
  for (std::thread& thread : threads_) thread.join();
}

Analyst::Ticket Analyst::submit(const Game& game, const AnalysisLimits& limits, Done done) {
  if (!(game.rules() == rules()))
    throw UsageError("the model plays '" + rules().name() + "', not '" + game.rules().name() + "'");
  if (limits.nodes < 1 || limits.nodes > kMaxAnalysisNodes)
    throw UsageError("nodes must be 1 to " + std::to_string(kMaxAnalysisNodes));
  if (limits.timeMs && !(*limits.timeMs >= 0 && *limits.timeMs <= kMaxAnalysisMs))
    throw UsageError("a time must be 0 to " + std::to_string(kMaxAnalysisMs) + " ms");
  if (limits.lines < 1 || limits.lines > kMaxPits)
    throw UsageError("lines must be 1 to " + std::to_string(kMaxPits));
  auto query = std::make_shared<Query>(0, game, limits, std::move(done));
  {
    const std::lock_guard lock(mutex_);
    query->ticket = next_++;
    unanswered_.emplace(query->ticket, query);
    TOGUZ_CHECK(!ending_, "a query to an analyst that is going away");
    if (!game.over()) queue_.push_back(query);
  }
  const Ticket ticket = query->ticket;  // the query may be answered and gone before the end
  if (game.over()) {
    const Side side = game.position().side;
    Analysis analysis;
    analysis.lines.push_back({0,
                              static_cast<float>(game.outcome().score(side)),
                              static_cast<float>(game.outcome().margin(side)),
                              {}});
    answer(*query, std::move(analysis));
  } else {
    queued_.notify_one();
  }
  return ticket;
}

bool Analyst::cancel(Ticket ticket) {
  QueryPointer waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = unanswered_.find(ticket);
    if (found == unanswered_.end()) return false;
    found->second->cancelled = true;
    const auto queued = std::find(queue_.begin(), queue_.end(), found->second);
    if (queued == queue_.end()) return true;
    waiting = *queued;
    queue_.erase(queued);
  }
  answer(*waiting, neverBegun());
  return true;
}

void Analyst::finish() {
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return unanswered_.empty(); });
}

Analyst::QueryPointer Analyst::take(bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) queued_.wait(lock, [this] { return ending_ || !queue_.empty(); });
  if (queue_.empty()) return nullptr;
  QueryPointer query = std::move(queue_.front());
  queue_.pop_front();
  return query;
}

// The answer is given before the query stops counting as unanswered: `finish` waits for both.
void Analyst::answer(const Query& query, Analysis&& analysis) {
  query.done(query.ticket, std::move(analysis));
  {
    const std::lock_guard lock(mutex_);
    unanswered_.erase(query.ticket);
  }
  answered_.notify_all();
}

}  // namespace toguz
