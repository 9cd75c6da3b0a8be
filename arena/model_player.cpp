#include <algorithm>

#include "arena/player_factories.h"
#include "base/error.h"
#include "play/engine.h"

namespace toguz {
namespace {

using Network = std::shared_ptr<const NativeNetwork>;

class EnginePlayer final : public Player {
 public:
  EnginePlayer(std::string name, const Rules& rules, Network network,
               const EngineSettings& settings)
      : name_(std::move(name)), rules_(rules), network_(std::move(network)), settings_(settings) {}

  std::string name() const override { return name_; }

  void newGame(const Rules& rules, std::uint64_t seed) override {
    TOGUZ_CHECK(rules == rules_, "a player made for other rules");
    rng_ = Rng(seed);
    EngineOptions options;
    options.seed = rng_();
    options.level = settings_.level;
    options.threads = settings_.threads;
    options.params = settings_.params;
    options.maxBatch = settings_.maxBatch;
    if (engine_)
      engine_->setOptions(options);
    else if (network_)
      engine_ = std::make_unique<Engine>(network_, options);
    else
      engine_ = std::make_unique<Engine>(rules_, options);
  }

  Choice choose(const Game& game, const std::optional<toguz::Clock>& clock) override {
    EngineLimits limits;
    if (settings_.nodes > 0) limits.nodes = settings_.nodes;
    if (settings_.movetimeMs > 0) limits.moveTimeMs = settings_.movetimeMs;
    if (clock && settings_.nodes == 0) {
      limits.remainingMs = clock->remainingMs;
      limits.incrementMs = clock->incrementMs;
    }
    engine_->setPosition(game);
    const SearchReport report = engine_->search(limits);
    TOGUZ_CHECK(report.bestPit.has_value(), "no move in a game that goes on");
    Choice choice;
    choice.pit = settings_.level < kLevels ? *report.bestPit : amongTied(report);
    choice.winLoss = report.info.best().winLoss;
    choice.margin = report.info.best().margin;
    choice.nodes = report.info.searched;
    return choice;
  }

 private:
  int amongTied(const SearchReport& report) {
    if (settings_.ties <= 0) return *report.bestPit;
    // The bare policy has no visits to compare.
    const auto weight = [&](const RootMove& move) {
      return settings_.nodes == 1 ? static_cast<double>(move.prior)
                                  : static_cast<double>(move.visits);
    };
    double best = 0;
    for (const RootMove& move : report.moves)
      if (move.pit == *report.bestPit) best = weight(move);
    std::vector<int> tied;
    for (const RootMove& move : report.moves)
      if (weight(move) >= (1 - settings_.ties) * best) tied.push_back(move.pit);
    if (tied.size() < 2) return *report.bestPit;
    return tied[rng_.below(static_cast<std::uint32_t>(tied.size()))];
  }

  std::string name_;
  Rules rules_;
  Network network_;
  EngineSettings settings_;
  Rng rng_;
  std::unique_ptr<Engine> engine_;
};

class EngineFactory final : public PlayerFactory {
 public:
  EngineFactory(std::string name, const Rules& rules, Network network,
                const EngineSettings& settings)
      : name_(std::move(name)), rules_(rules), network_(std::move(network)), settings_(settings) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Player> make() const override {
    return std::make_unique<EnginePlayer>(name_, rules_, network_, settings_);
  }

 private:
  std::string name_;
  Rules rules_;
  Network network_;
  EngineSettings settings_;
};

}  // namespace

std::unique_ptr<PlayerFactory> makeModelFactory(std::shared_ptr<const NativeNetwork> network,
                                                const EngineSettings& settings, std::string name) {
  TOGUZ_CHECK(network != nullptr, "a model player without a network");
  const Rules rules = network->rules();
  return std::make_unique<EngineFactory>(std::move(name), rules, std::move(network), settings);
}

std::unique_ptr<PlayerFactory> makeMctsFactory(const Rules& rules, const EngineSettings& settings) {
  std::string name = "mcts";
  if (settings.nodes > 0) name += ":nodes=" + std::to_string(settings.nodes);
  return std::make_unique<EngineFactory>(std::move(name), rules, nullptr, settings);
}

}  // namespace toguz
