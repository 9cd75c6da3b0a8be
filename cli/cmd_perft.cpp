#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include "core/notation.h"
#include "core/perft.h"
#include "core/position_text.h"

namespace toguz {
namespace {

struct Options {
  std::string variant = "standard";
  int depth = 0;
  std::optional<std::string> fen;
  bool nostop = false;
  bool moves = false;
};

void runPerft(const Options& options) {
  const Rules rules = Rules::named(options.variant);
  const Position position =
      !options.fen ? Position::start(rules.set()) : parsePosition(rules, *options.fen).position;
  for (int depth = 1; depth <= options.depth; ++depth) {
    std::printf("%d %" PRIu64 "\n", depth, perft(rules, position, depth, options.nostop));
    std::fflush(stdout);  // the next depth may take long
  }
  if (!options.moves) return;
  for (const auto& [pit, leaves] : perftDivide(rules, position, options.depth, options.nostop))
    std::printf("%s: %" PRIu64 "\n", formatMove(rules, position, pit).c_str(), leaves);
}

}  // namespace

void addPerft(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("perft", "Count the sequences of moves to each depth");
  sub->add_option("--variant", options->variant,
                  "standard, giveaway, giveaway2010, bestemshe or seven, with switches")
      ->capture_default_str();
  sub->add_option("--depth", options->depth, "Deepest ply to count to")
      ->required()
      ->check(CLI::Range(1, 100));
  sub->add_option("--fen", options->fen, "Position to start from (default: the start position)");
  sub->add_flag("--nostop", options->nostop,
                "Leave out the majority rule: play on to a stuck side");
  sub->add_flag("--moves", options->moves, "Then the last depth's count by first move");
  sub->footer(
      "Prints `D LEAVES` for each depth D.\n"
      "Examples:\n"
      "  toguz perft --depth 7\n"
      "  toguz perft --variant bestemshe --depth 9 --nostop\n"
      "  toguz perft --depth 3 --moves --fen "
      "'13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4'");
  sub->callback([options] { runPerft(*options); });
}

}  // namespace toguz
