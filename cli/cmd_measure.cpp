// toguz measure: a model against games that others played.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "arena/agreement.h"
#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

struct Arguments {
  std::string model, games, json;
  int nodes = 0;
};

void run(const Arguments& args) {
  const auto network = NativeNetwork::load(args.model, Precision::Auto);
  const std::vector<GameText> games = readGames(args.games);
  AgreementOptions options;
  options.nodes = args.nodes;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (terminal)
    options.onProgress = [](std::size_t done, std::size_t all) {
      std::fprintf(stderr, done == all ? "\r\033[K" : "\r\033[Kgame %zu of %zu", done, all);
    };
  const Agreement agreement = measureAgreement(network, games, options);
  std::fputs(agreementText(agreement).c_str(), stdout);
  for (const std::string& line : agreement.skipped)
    std::fprintf(stderr, "skipped %s\n", line.c_str());
  if (!args.json.empty()) writeFileAtomically(args.json, agreementJson(agreement).dump(2) + "\n");
  if (agreement.games == 0)
    throw Error(args.games + ": no game of the model's variant, " + network->rules().name());
}

}  // namespace

void addMeasure(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("measure", "Hold a model against recorded games: moves and win rates");
  command->add_option("model", args->model, "Model file")->required();
  command->add_option("--games", args->games, "File of game records")->required();
  command
      ->add_option("--nodes", args->nodes, "Root visits of a search a move; 0: the network alone")
      ->capture_default_str()
      ->check(CLI::Range(0, 10'000'000));
  command->add_option("--json", args->json, "Write the same figures to this file");
  command->footer(
      "Says, by the players' ratings, how often their moves are the model's first choice or among "
      "its first three, and how far its win rates were borne out.\n"
      "Examples:\n"
      "  toguz measure models/pretrained/standard.tzn --games games.tsv\n"
      "  toguz measure runs/quick-1/best.tzn --games games.tsv --nodes 100");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
