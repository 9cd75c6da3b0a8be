// Players whose behaviour tests choose.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "arena/player.h"
#include "base/rng.h"

namespace toguz::test {

using ChooseFunction = std::function<Choice(const Game&, const std::optional<Clock>&, Rng&)>;

class ScriptedPlayer final : public Player {
 public:
  ScriptedPlayer(std::string name, ChooseFunction choose)
      : name_(std::move(name)), choose_(std::move(choose)) {}
  std::string name() const override { return name_; }
  void newGame(const Rules&, std::uint64_t seed) override { rng_ = Rng(seed); }
  Choice choose(const Game& game, const std::optional<Clock>& clock) override {
    return choose_(game, clock, rng_);
  }

 private:
  std::string name_;
  ChooseFunction choose_;
  Rng rng_;
};

// `choose` is called from several threads.
class ScriptedFactory final : public PlayerFactory {
 public:
  ScriptedFactory(std::string name, ChooseFunction choose)
      : name_(std::move(name)), choose_(std::move(choose)) {}
  std::string name() const override { return name_; }
  std::unique_ptr<Player> make() const override {
    return std::make_unique<ScriptedPlayer>(name_, choose_);
  }

 private:
  std::string name_;
  ChooseFunction choose_;
};

}  // namespace toguz::test
