#include <memory>
#include <optional>
#include <random>
#include <string>

#include <CLI/CLI.hpp>
#include "base/error.h"
#include "play/shipped.h"
#include "play/terminal/console.h"
#include "play/terminal/play_loop.h"
#include "play/terminal/session.h"

namespace toguz {
namespace {

struct PlayArguments {
  std::string variant;
  std::string model;
  int level = 5;
  std::string side = "first";
  int moveTimeMs = 1000;
  std::string speed = "normal";
  std::string fen;
  std::string load;
  bool flip = false;
  bool plain = false;
  int width = 0;
  std::optional<std::int64_t> seed;
};

void runPlay(const PlayArguments& arguments) {
  Engine::Network given;
  if (!arguments.model.empty()) given = Engine::loadNetwork(arguments.model);
  SessionOptions options;
  if (!arguments.variant.empty())
    options.rules = Rules::named(arguments.variant);
  else if (given)
    options.rules = given->rules();
  if (given && !(given->rules() == options.rules))
    throw UsageError("the model " + arguments.model + " plays '" + given->rules().name() +
                     "', not '" + options.rules.name() + "'");
  if (!arguments.fen.empty() && !arguments.load.empty())
    throw UsageError("--fen and --load both say where to begin: give one");
  options.networkFor = [given](const Rules& rules) -> Engine::Network {
    if (given && given->rules() == rules) return given;
    const auto shipped = shippedModel(rules);
    return shipped ? Engine::loadNetwork(*shipped) : nullptr;
  };
  options.level = arguments.level;
  options.seats = seatsNamed(arguments.side);
  options.fullStrength = {.moveTimeMs = static_cast<double>(arguments.moveTimeMs)};
  options.speed = speedNamed(arguments.speed);
  options.flip = arguments.flip;
  options.seed =
      arguments.seed ? static_cast<std::uint64_t>(*arguments.seed) : std::random_device{}();

  Session session(std::move(options));
  Session::Events opening = session.begin();
  const auto append = [&](const Session::Events& more) {
    opening.insert(opening.end(), more.begin(), more.end());
  };
  if (!arguments.fen.empty()) append(session.setPosition(arguments.fen));
  if (!arguments.load.empty()) append(session.load(arguments.load));
  Console console(arguments.plain);
  playAt(console, session, std::move(opening), arguments.width);
}

}  // namespace

void addPlay(CLI::App& app) {
  auto* command = app.add_subcommand("play", "Play against the engine at the terminal");
  const auto arguments = std::make_shared<PlayArguments>();
  command->add_option("--variant", arguments->variant,
                      "standard, giveaway, giveaway2010, bestemshe or seven, with switches; "
                      "default: the model's, else standard");
  command->add_option("--model", arguments->model,
                      "Model file; default: the one that comes with the game");
  command->add_option("--level", arguments->level, "Engine's strength: 1 a beginner, 10 the most")
      ->capture_default_str()
      ->check(CLI::Range(1, kLevels));
  command->add_option("--side", arguments->side, "Sides that you play: first, second, both or none")
      ->capture_default_str();
  command
      ->add_option("--movetime", arguments->moveTimeMs,
                   "Milliseconds to think at level 10 and for hints")
      ->capture_default_str()
      ->check(CLI::Range(1, 3'600'000));
  command->add_option("--speed", arguments->speed, "Of the balls: off, slow, normal or fast")
      ->capture_default_str();
  command->add_option("--fen", arguments->fen, "Position to begin from");
  command->add_option("--load", arguments->load, "Game record to go on from");
  command->add_flag("--flip", arguments->flip, "The first player's row on top");
  command->add_flag("--plain", arguments->plain, "Neither colours nor moving balls");
  command
      ->add_option("--width", arguments->width, "Columns to use; default: the terminal's, else 80")
      ->check(CLI::Range(20, 1000));
  command
      ->add_option("--seed", arguments->seed,
                   "Of the choices of levels below 10; default: another each time")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  std::string commands;
  for (const std::string& line : Session::help()) commands += line + "\n";
  command->footer(
      "Commands:\n" + commands +
      "A line of a script is a command too: without a terminal plain boards are printed.\n"
      "NO_COLOR or TERM=dumb turn colours off.\n"
      "Examples:\n"
      "  toguz play                                 you begin, level 5\n"
      "  toguz play --side second --level 3\n"
      "  toguz play --variant bestemshe --level 10 --movetime 3000\n"
      "  toguz play --side none --speed slow        watch the engine play itself\n"
      "  toguz play --side both --load game.pgn     look through a game\n"
      "  printf '7\\nhint\\nsave game.pgn\\n' | toguz play --seed 1");
  command->callback([arguments] { runPlay(*arguments); });
}

}  // namespace toguz
