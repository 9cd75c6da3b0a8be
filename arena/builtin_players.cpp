#include <algorithm>
#include <tuple>

#include "arena/player_factories.h"
#include "search/playout_evaluator.h"

namespace toguz {
namespace {

template <class P, class... Args>
class Factory final : public PlayerFactory {
 public:
  explicit Factory(std::string name, Args... args) : name_(std::move(name)), args_(args...) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Player> make() const override {
    return std::apply([&](const auto&... args) { return std::make_unique<P>(name_, args...); },
                      args_);
  }

 private:
  std::string name_;
  std::tuple<Args...> args_;
};

// Name and random numbers, which all of them have.
class BuiltinPlayer : public Player {
 public:
  explicit BuiltinPlayer(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  void newGame(const Rules&, std::uint64_t seed) override { rng_ = Rng(seed); }

 protected:
  Rng rng_;

 private:
  std::string name_;
};

class RandomPlayer final : public BuiltinPlayer {
 public:
  using BuiltinPlayer::BuiltinPlayer;
  Choice choose(const Game& game, const std::optional<Clock>&) override {
    Choice choice;
    choice.pit = randomPit(game.legal(), rng_);
    return choice;
  }
};

class GreedyPlayer final : public BuiltinPlayer {
 public:
  using BuiltinPlayer::BuiltinPlayer;
  Choice choose(const Game& game, const std::optional<Clock>&) override {
    const Position& position = game.position();
    const auto mover = static_cast<std::size_t>(index(position.side));
    const int sign = game.rules().set().giveaway ? -1 : 1;
    int best = 0;
    PitMask equal = 0;
    for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      const int gain =
          sign * (play(game.rules(), position, pit).kazan[mover] - position.kazan[mover]);
      if (equal == 0 || gain > best) {
        best = gain;
        equal = 0;
      }
      if (gain == best) equal |= 1u << pit;
    }
    Choice choice;
    choice.pit = randomPit(equal, rng_);
    return choice;
  }
};

// Room for what the limits let a search see, and no more: a table is made for each thread.
int tableBits(const AlphaBetaLimits& limits) {
  if (limits.depth == 0) return limits.movetimeMs < 50 ? 18 : 20;
  if (limits.depth <= 3) return 0;
  return std::min(20, 8 + 2 * limits.depth);
}

class AlphaBetaPlayer final : public BuiltinPlayer {
 public:
  AlphaBetaPlayer(std::string name, const Rules& rules, const AlphaBetaLimits& limits)
      : BuiltinPlayer(std::move(name)),
        limits_(limits),
        search_(rules, {.tableBits = tableBits(limits)}) {}

  void newGame(const Rules& rules, std::uint64_t seed) override {
    BuiltinPlayer::newGame(rules, seed);
    search_.newGame();
  }

  Choice choose(const Game& game, const std::optional<Clock>& clock) override {
    AlphaBetaLimits limits = limits_;
    if (clock && limits.movetimeMs > 0)
      limits.movetimeMs = std::clamp(clock->remainingMs / 8, 1.0, limits.movetimeMs);
    const AlphaBetaResult result = search_.search(game, limits, rng_);
    Choice choice;
    choice.pit = result.pit;
    choice.nodes = result.nodes;
    if (result.provenWin() || result.provenLoss())
      choice.winLoss = result.provenWin() ? 1.0f : -1.0f;
    else
      choice.margin =
          static_cast<float>(game.rules().set().giveaway ? -result.score : result.score);
    return choice;
  }

 private:
  AlphaBetaLimits limits_;
  AlphaBeta search_;
};

}  // namespace

std::unique_ptr<PlayerFactory> makeRandomFactory() {
  return std::make_unique<Factory<RandomPlayer>>("random");
}

std::unique_ptr<PlayerFactory> makeGreedyFactory() {
  return std::make_unique<Factory<GreedyPlayer>>("greedy");
}

std::unique_ptr<PlayerFactory> makeAlphaBetaFactory(const Rules& rules,
                                                    const AlphaBetaLimits& limits) {
  std::string name = "alphabeta:";
  if (limits.depth > 0) name += "depth=" + std::to_string(limits.depth);
  if (limits.movetimeMs > 0)
    name += std::string(limits.depth > 0 ? "," : "") +
            "movetime=" + std::to_string(static_cast<std::int64_t>(limits.movetimeMs));
  return std::make_unique<Factory<AlphaBetaPlayer, Rules, AlphaBetaLimits>>(name, rules, limits);
}

}  // namespace toguz
