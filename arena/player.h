// A player in a match, whatever it is made of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/game.h"

namespace toguz {

// What is left on the mover's clock; absent where the player's own limits rule.
struct Clock {
  double remainingMs = 0;
  double incrementMs = 0;
};

struct Choice {
  int pit = 0;                   // 0-based
  std::optional<float> winLoss;  // the player's own opinion, for the record's comments
  std::optional<float> margin;
  std::uint64_t nodes = 0;
};

// One object plays one game at a time on one thread. Deterministic for a given seed where its
// limits are (nodes, depth).
class Player {
 public:
  virtual ~Player() = default;
  virtual std::string name() const = 0;
  // A new game; `seed` fixes every random choice in it. May throw PlayerFault, as `choose`.
  virtual void newGame(const Rules& rules, std::uint64_t seed) = 0;
  // The game is not over. Throws PlayerFault if it cannot answer (an external program that died,
  // hung or answered nonsense): that player then loses the game.
  virtual Choice choose(const Game& game, const std::optional<Clock>& clock) = 0;
};

class PlayerFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Makes players of one specification; shared by threads. Loads a model once for all of them.
class PlayerFactory {
 public:
  virtual ~PlayerFactory() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<Player> make() const = 0;
};

// Reads a player's string form: random, greedy, alphabeta:depth=N|movetime=MS, mcts:nodes=N,
// model:PATH[,nodes=N][,movetime=MS][,threads=T][,level=L][,precision=fp32|int8|auto], for tuning
// also [,cpuct=X][,fpu=X][,margin=X][,batch=N][,loss=X][,ties=SHARE], exec:COMMAND. `ties` is what
// a model player has that says nothing of it (EngineSettings::ties). Throws UsageError that names
// the part that is wrong and the nearest known form.
std::unique_ptr<PlayerFactory> parsePlayer(const std::string& text, const Rules& rules,
                                           double ties = 0);

// Content hash of the file behind a model player; "" for any other player. Throws UsageError if the
// file cannot be read.
std::string modelFileHash(const std::string& player);

// Share of near-ties for two players of one network: they would else agree on nearly every move,
// and the two games of an opening would be the same. On both sides, so it favours neither.
inline constexpr double kKinTies = 0.2;

}  // namespace toguz
