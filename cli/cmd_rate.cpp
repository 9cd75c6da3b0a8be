// toguz rate: ratings of many players, or of a run's generations, on one scale.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "arena/league.h"
#include "base/error.h"
#include "base/file.h"
#include "base/machine.h"
#include "cli/stop_signal.h"
#include "models/model.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> players;
  std::string variant, results, json;
  int games = 1000;
  int step = 20;
  int concurrency = 0;
  int nodes = 100;
  int generations = 10;
  std::uint64_t seed = 1;
  std::string engines = "models/pretrained";
  bool noLadder = false;
};

// The run's rated networks, thinned out to `most`, oldest first, and its playing engine.
std::vector<std::string> playersOfRun(const fs::path& run, int most, int nodes, Rules& rules) {
  std::vector<fs::path> models;
  if (fs::is_directory(run / "models"))
    for (const auto& entry : fs::directory_iterator(run / "models"))
      if (entry.path().extension() == ".tzn") models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  if (!fs::exists(run / "best.tzn"))
    throw UsageError(run.string() + ": no best.tzn here; name a run's folder, or players");
  rules = loadModel(run / "best.tzn").rules;
  std::vector<std::string> players;
  const auto limit = ",nodes=" + std::to_string(nodes);
  const std::size_t count = std::min(models.size(), static_cast<std::size_t>(most));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count == 1 ? models.size() - 1 : i * (models.size() - 1) / (count - 1);
    players.push_back("model:" + models[at].string() + limit);
  }
  players.push_back("model:" + (run / "best.tzn").string() + limit);
  return players;
}

void run(const Arguments& args) {
  checkDifferentFiles({{"--json", args.json}, {"--results", args.results}});
  checkWritable("--json", args.json);
  checkWritable("--results", args.results);
  LeagueOptions options;
  std::vector<std::string> players;
  fs::path results = args.results;
  Rules rules = Rules::named(args.variant.empty() ? "standard" : args.variant);
  for (const std::string& player : args.players) {
    if (!fs::is_directory(player)) {
      if (std::find(players.begin(), players.end(), player) == players.end())
        players.push_back(player);
      continue;
    }
    for (std::string& one : playersOfRun(player, args.generations, args.nodes, rules))
      players.push_back(std::move(one));
    if (results.empty()) results = fs::path(player) / "ladder.json";
  }
  if (!args.noLadder) {
    std::vector<std::string> all = ladderPlayers(rules, args.engines);
    for (std::string& player : players)
      if (std::find(all.begin(), all.end(), player) == all.end()) all.push_back(std::move(player));
    players = std::move(all);
  }
  options.rules = rules;
  options.seed = args.seed;
  options.gamesAStep = args.step;
  options.concurrency =
      args.concurrency > 0 ? args.concurrency : static_cast<int>(usableCores().size());
  options.stop = &stopRequested;
  League league(players, options, results);
  catchStopSignals();
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const double before = league.gamesPlayed();
  while (league.gamesPlayed() - before < args.games && league.step()) {
    std::fprintf(stderr, "%s%.0f of %d games: %s%s", terminal ? "\r\033[K" : "",
                 league.gamesPlayed() - before, args.games, league.lastStep().c_str(),
                 terminal ? "" : "\n");
  }
  if (terminal) std::fputs("\r\033[K", stderr);
  const std::vector<Standing> standings = league.standings();
  std::fputs(standingsText(standings).c_str(), stdout);
  if (!args.json.empty()) writeFileAtomically(args.json, standingsJson(standings).dump(2) + "\n");
  if (stopRequested)
    throw Error("stopped; the results so far are kept" +
                (results.empty() ? std::string(" nowhere: give --results FILE")
                                 : " in " + results.string()));
}

}  // namespace

void addRate(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("rate", "Rate players, or a run's generations, on one scale (random = 0)");
  command->add_option("players", args->players,
                      "Players as in toguz match, or the folder of a run");
  command->add_option("--games", args->games, "Games to play now")
      ->capture_default_str()
      ->check(CLI::Range(0, 100'000'000));
  command->add_option("--variant", args->variant, "Rules; a run has its own");
  command->add_option("--results", args->results,
                      "File of results to go on with (a run's: ladder.json in its folder)");
  command->add_option("--json", args->json, "Write the ratings to this file");
  command->add_option("--step", args->step, "Games between two players at a time, an even number")
      ->capture_default_str()
      ->check(CLI::Range(2, 10'000));
  command->add_option("--concurrency", args->concurrency, "Games at a time; 0: one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command->add_option("--nodes", args->nodes, "Root visits a move of a run's generations")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--generations", args->generations, "At most so many generations of a run")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--seed", args->seed, "Of openings and players")->capture_default_str();
  command
      ->add_option("--engines", args->engines,
                   "Folder of engines that are part of the ladder where it holds one for the game")
      ->capture_default_str();
  command->add_flag("--no-ladder", args->noLadder,
                    "Only the players named; the first of them is 0 on the scale");
  command->footer(
      "Without --no-ladder the built-in players stand below, so that ratings of different days "
      "share one scale. Each step is played where it tells most.\n"
      "Examples:\n"
      "  toguz rate model:models/pretrained/standard.tzn,nodes=200 --results ladder.json\n"
      "  toguz rate runs/quick-1 --games 2000");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
