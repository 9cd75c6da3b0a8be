#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include "core/record.h"

namespace toguz {
namespace {

struct Options {
  std::string file;
  std::string format = "auto";
  std::string variant = "standard";
};

void runReplay(const Options& options) {
  Rules::named(options.variant);  // a wrong name is a usage error, not a fault of every game
  const std::vector<GameText> games = readGames(options.file, recordFormat(options.format));
  const RecordReport report = checkGames(games, options.variant);
  std::printf("%zu ok, %zu failed\n", report.ok, report.faults.size());
  for (const RecordFault& fault : report.faults) std::printf("%s\n", fault.text().c_str());
  if (!report.faults.empty()) throw CLI::RuntimeError(1);
}

}  // namespace

void addReplay(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("replay", "Check game records against the rules");
  sub->add_option("file", options->file, "File of game records")->required();
  sub->add_option("--format", options->format, "auto, tkg, pgn or text")->capture_default_str();
  sub->add_option("--variant", options->variant, "Rules of games that do not name theirs")
      ->capture_default_str();
  sub->footer(
      "Prints `N ok, M failed`, then one line a failure with its game, ply and reason.\n"
      "Exit status: 0 all agree, 1 some failed, 2 the file cannot be read.\n"
      "Examples:\n"
      "  toguz replay games.tsv\n"
      "  toguz replay --format text --variant bestemshe games.txt");
  sub->callback([options] { runReplay(*options); });
}

}  // namespace toguz
