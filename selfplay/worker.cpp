#include "selfplay/worker.h"

#include <algorithm>

#include "base/error.h"
#include "search/evaluation_cache.h"

namespace toguz {

void NetworkSlot::publish(std::shared_ptr<const NetworkHandle> network) {
  const std::lock_guard lock(mutex_);
  network_ = std::move(network);
  version_.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<const NetworkHandle> NetworkSlot::get() const {
  const std::lock_guard lock(mutex_);
  return network_;
}

namespace {

// Positions of finished games, to fork new ones from.
class ForkPool {
 public:
  void remember(const Game& game, Rng& rng) {
    if (game.ply() < 2) return;
    const auto at = rng.below(static_cast<std::uint32_t>(game.ply()));
    const Position& position = game.positions()[at];
    if (pool_.size() < kSize)
      pool_.push_back(position);
    else
      pool_[rng.below(kSize)] = position;
  }
  std::optional<Position> draw(Rng& rng) const {
    if (pool_.empty()) return std::nullopt;
    return pool_[rng.below(static_cast<std::uint32_t>(pool_.size()))];
  }

 private:
  static constexpr std::uint32_t kSize = 256;
  std::vector<Position> pool_;
};

class Worker {
 public:
  explicit Worker(const WorkerSetup& setup) : setup_(setup) {
    TOGUZ_CHECK(setup.networks && setup.stop && setup.counters && setup.nextGame && setup.deliver,
                "a worker that is not set up");
    if (setup.config.cache > 0) cache_.emplace(static_cast<std::size_t>(setup.config.cache));
    slots_.reserve(static_cast<std::size_t>(setup.config.games));
    for (int i = 0; i < setup.config.games; ++i) slots_.emplace_back(setup_);
  }

  void run() {
    for (Slot& slot : slots_) startGame(slot);
    while (!setup_.stop->load(std::memory_order_relaxed)) {
      gather();
      if (waiting_.empty()) return;  // no game is active any more
      evaluate();
    }
  }

 private:
  // One network in use, with this thread's evaluator over it.
  struct Network {
    std::shared_ptr<const NetworkHandle> handle;
    std::unique_ptr<Evaluator> evaluator;
    std::uint64_t cacheKey = 0;
  };
  struct Slot {
    explicit Slot(const WorkerSetup& setup) : game(setup.rules, setup.plyCap, setup.config) {}
    SelfPlayGame game;
    std::shared_ptr<Network> network;
  };
  struct Waiting {
    Slot* slot;
    const Network* network;
    Position leaf;
  };

  const std::shared_ptr<Network>& currentNetwork() {
    const std::uint64_t version = setup_.networks->version();
    if (!current_ || version != currentVersion_) {
      auto network = std::make_shared<Network>();
      network->handle = setup_.networks->get();
      TOGUZ_CHECK(network->handle != nullptr, "self-play before a network was published");
      network->evaluator = network->handle->makeEvaluator();
      network->cacheKey = network->handle->cacheKey();
      current_ = std::move(network);
      currentVersion_ = version;
    }
    return current_;
  }

  void startGame(Slot& slot) {
    const std::optional<std::uint64_t> id = setup_.nextGame();
    if (!id) return slot.network.reset();
    Rng rng = Rng::stream(setup_.runSeed, *id);
    SelfPlayGame::Start start;
    start.id = *id;
    start.seed = rng();
    if (rng.chance(setup_.config.forkShare)) start.forkedFrom = forks_.draw(rng);
    start.progress = std::clamp(setup_.progress(), 0.0, 1.0);
    slot.network = currentNetwork();
    start.generation = slot.network->handle->generation();
    slot.game.start(start);
  }

  // One leaf of every active game that the cache does not know. In rounds over the games, so that
  // what a lookup reads is on its way while the other games walk their trees.
  void gather() {
    waiting_.clear();
    asking_.clear();
    for (Slot& slot : slots_)
      if (slot.game.active()) asking_.push_back({&slot, nullptr, {}});
    for (int round = 0; !asking_.empty(); ++round) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < asking_.size(); ++i) {
        if (i + 1 < asking_.size()) asking_[i + 1].slot->game.prefetch();
        Slot& slot = *asking_[i].slot;
        while (slot.game.active() && !slot.game.nextLeaf(asking_[kept].leaf)) {
          finishGame(slot);
          startGame(slot);
        }
        if (!slot.game.active()) continue;
        Waiting& waiting = asking_[kept++];
        waiting.slot = &slot;
        waiting.network = slot.network.get();
        if (cache_) cache_->prefetch(waiting.leaf, slot.network->cacheKey);
      }
      asking_.resize(kept);
      kept = 0;
      for (const Waiting& waiting : asking_) {
        const Evaluation* known = nullptr;
        if (cache_ && round < kMaxKnown)
          known = cache_->find(waiting.leaf, waiting.network->cacheKey);
        if (known) {
          waiting.slot->game.answer(*known);
          asking_[kept++].slot = waiting.slot;
        } else {
          waiting_.push_back(waiting);
        }
      }
      asking_.resize(kept);
    }
  }

  void finishGame(Slot& slot) {
    Rng rng = Rng::stream(setup_.runSeed, ~std::uint64_t{0}, slot.game.game().position().hash());
    forks_.remember(slot.game.game(), rng);
    setup_.counters->games.fetch_add(1, std::memory_order_relaxed);
    setup_.counters->moves.fetch_add(static_cast<std::uint64_t>(slot.game.game().ply()),
                                     std::memory_order_relaxed);
    GameRecord record = slot.game.take();
    record.worker = setup_.worker;
    record.origin.model = slot.network->handle->modelHash();
    record.origin.config = setup_.configHash;
    setup_.deliver(std::move(record));
  }

  void evaluate() {
    // Games started before a publication still use the older network: one batch a network.
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
      return a.network->handle->generation() < b.network->handle->generation();
    });
    positions_.clear();
    for (const Waiting& waiting : waiting_) positions_.push_back(waiting.leaf);
    evaluations_.resize(waiting_.size());
    for (std::size_t first = 0; first < waiting_.size();) {
      std::size_t end = first + 1;
      while (end < waiting_.size() && waiting_[end].network == waiting_[first].network) ++end;
      waiting_[first].network->evaluator->evaluate({positions_.data() + first, end - first},
                                                   {evaluations_.data() + first, end - first});
      setup_.counters->batches.fetch_add(1, std::memory_order_relaxed);
      first = end;
    }
    setup_.counters->evaluations.fetch_add(waiting_.size(), std::memory_order_relaxed);
    std::uint64_t simulations = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      waiting_[i].slot->game.answer(evaluations_[i]);
      if (cache_) cache_->store(waiting_[i].leaf, waiting_[i].network->cacheKey, evaluations_[i]);
    }
    for (const Slot& slot : slots_) simulations += slot.game.simulations();
    setup_.counters->simulations.fetch_add(simulations - simulations_, std::memory_order_relaxed);
    simulations_ = simulations;
  }

  // Leaves that the cache may answer in a row: a game must not keep the others waiting.
  static constexpr int kMaxKnown = 64;

  const WorkerSetup& setup_;
  std::optional<EvaluationCache> cache_;
  std::vector<Slot> slots_;
  std::vector<Waiting> waiting_;  // for the network
  std::vector<Waiting> asking_;   // of a gather under way
  std::vector<Position> positions_;
  std::vector<Evaluation> evaluations_;
  std::shared_ptr<Network> current_;
  std::uint64_t currentVersion_ = 0;
  std::uint64_t simulations_ = 0;  // counted so far
  ForkPool forks_;
};

}  // namespace

void runWorker(const WorkerSetup& setup) {
  Worker(setup).run();
}

}  // namespace toguz
