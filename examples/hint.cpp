// What to play and why, from the library: hint VARIANT [MOVE ...]
//
//   hint standard 76 98
#include <cstdio>

#include "base/error.h"
#include "play/toguz.h"

int main(int argc, char** argv) try {
  const toguz::Rules rules = toguz::Rules::named(argc > 1 ? argv[1] : "standard");
  const auto path = toguz::shippedModel(rules);
  if (!path) throw toguz::Error("no model of " + rules.name() + " comes with the program");
  toguz::Engine engine(toguz::Engine::loadNetwork(*path));

  toguz::Game game(rules);
  for (int i = 2; i < argc; ++i) game.play(toguz::parseMove(game, argv[i], {.barePit = true}));
  std::printf("%s\n", toguz::formatPosition(rules, game.position()).c_str());
  if (game.over()) {
    std::printf("over: %s\n", toguz::text(game.outcome().result));
    return 0;
  }

  engine.setPosition(game);
  const toguz::Evaluation bare = engine.evaluate();
  std::printf("network alone: %+.2f, %+.1f balls\n", bare.winLoss, bare.margin);

  const toguz::SearchReport report = engine.search({.nodes = 2000});
  const int pit = *report.bestPit;
  std::printf("%s\n", toguz::formatMove(rules, game.position(), pit).c_str());
  std::printf("%s\n", toguz::explain(rules.set(), toguz::factsOf(game, pit, &report)).c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "hint: %s\n", error.what());
  return 2;
}
