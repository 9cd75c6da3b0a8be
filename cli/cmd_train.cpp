// toguz train: the whole loop, then the engine's first matches.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>

#include "arena/match.h"
#include "arena/openings.h"
#include "arena/player_factories.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/progress.h"
#include "cli/stop_signal.h"
#include "models/torch/runtime.h"
#include "store/run_store.h"
#include "training/device.h"
#include "training/loop.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string config;
  std::string run;
  std::vector<std::string> settings;
  std::string store;
  std::optional<int> workers;
  bool resume = false;
  bool listOptions = false;
  std::optional<std::uint64_t> stopAfter;
  int finalGames = 100;
};

// runs/NAME-1, runs/NAME-2, ...: the first that is free.
fs::path freeRunFolder(const std::string& name) {
  for (int i = 1;; ++i) {
    const fs::path path = fs::path("runs") / (name + "-" + std::to_string(i));
    if (!fs::exists(path)) return path;
  }
}

// The run in runs/ that was last written to.
fs::path newestRunFolder() {
  fs::path newest;
  fs::file_time_type when{};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("runs", none)) {
    const fs::path config = entry.path() / "config.toml";
    if (!fs::exists(config)) continue;
    const auto written = fs::last_write_time(entry.path() / "checkpoints", none);
    if (newest.empty() || written > when) newest = entry.path(), when = written;
  }
  if (newest.empty()) throw UsageError("no run in runs/ to resume; name one with --run DIR");
  return newest;
}

void playFinalMatch(const std::string& opponent, const fs::path& best, const Rules& rules,
                    int games) {
  const std::string engine = "model:" + best.string() + ",nodes=200";
  const auto a = parsePlayer(engine, rules);
  const auto b = parsePlayer(opponent, rules);
  MatchOptions options;
  options.rules = rules;
  options.games = games;
  options.openings = randomOpenings(rules, 4, static_cast<std::size_t>((games + 1) / 2), 1);
  options.concurrency = static_cast<int>(usableCores().size());
  options.stop = &stopRequested;
  const MatchResult result = playMatch(*a, *b, options);
  if (result.games.empty()) return;
  std::printf("  against %-18s %4lld won %4lld drawn %4lld lost   %5.1f%%\n", opponent.c_str(),
              static_cast<long long>(result.tally.wins), static_cast<long long>(result.tally.draws),
              static_cast<long long>(result.tally.losses), 100 * result.tally.score());
  std::fflush(stdout);
}

// What a run that goes on must be given again.
std::string againText(const TrainOptions& options) {
  std::string text;
  if (!options.store.empty()) text += " --store " + openStore(options.store)->name();
  if (options.workers) text += " --workers " + std::to_string(*options.workers);
  return text;
}

void finish(const TrainOptions& options, TrainEnd end, int finalGames) {
  const Config& config = options.config;
  const fs::path& folder = options.directory;
  const std::string again = againText(options);
  const fs::path best = folder / "best.tzn";
  if (end == TrainEnd::Stopped) {
    std::printf("Stopped; everything is kept. Go on:  toguz train --run %s --resume%s\n",
                folder.c_str(), again.c_str());
    return;
  }
  std::printf("The playing engine: %s\n", best.c_str());
  if (finalGames > 0) {
    std::printf("Its matches at 200 nodes a move, %d games each:\n", finalGames);
    for (const char* opponent : {"random", "greedy", "alphabeta:depth=4"})
      if (!stopRequested) playFinalMatch(opponent, best, config.rules(), finalGames);
  }
  std::printf(
      "What next:\n"
      "  train longer    toguz train --run %s --resume%s %s\n"
      "  play matches    toguz match model:%s,movetime=50 alphabeta:movetime=50 --games 100%s\n"
      "  use it          toguz engine --model %s   (the protocol that game programs speak)\n",
      folder.c_str(), again.c_str(), moreBudget(config).c_str(), best.c_str(),
      config.game.variant == "standard" ? "" : (" --variant " + config.game.variant).c_str(),
      best.c_str());
}

void run(const Arguments& args) {
  if (args.listOptions) {
    std::fputs(optionsText().c_str(), stdout);
    return;
  }
  TrainOptions options;
  options.resume = args.resume;
  options.stopAfter = args.stopAfter;
  options.store = args.store;
  options.workers = args.workers;
  if (args.resume) {
    if (!args.config.empty())
      throw UsageError("--resume goes on with the run's own configuration; leave out '" +
                       args.config + "' and change options with --set");
    options.directory = args.run.empty() ? newestRunFolder() : fs::path(args.run);
    if (!fs::exists(options.directory / "config.toml"))
      throw UsageError(options.directory.string() +
                       ": no run to resume here (no config.toml); start one without --resume");
    options.config = loadRunConfig(options.directory / "config.toml");
  } else {
    if (!args.config.empty()) options.config = loadConfig(args.config);
    const std::string name = args.config.empty() ? "quick" : fs::path(args.config).stem().string();
    options.directory = args.run.empty() ? freeRunFolder(name) : fs::path(args.run);
  }
  const Config before = options.config;
  applySettings(options.config, args.settings);
  checkConfig(options.config);
  if (!args.store.empty() && options.config.run.deterministic)
    throw UsageError(
        "run.deterministic plays every game itself: leave out --store, or set "
        "run.deterministic=false");
  if (args.workers && options.config.run.deterministic)
    throw UsageError("run.deterministic has one thread: leave out --workers");
  if (args.resume)
    for (const std::string& line : differences(before, options.config))
      std::fprintf(stderr, "changed: %s\n", line.c_str());

  // Before the run's folder is made or touched.
  for (const std::string& device : {options.config.training.device, options.config.selfplay.device})
    if (device != "cpu") checkTorchDevice(torchDevice(device));

  catchStopSignals();

  options.onOpened = [&options] {
    const Config& config = options.config;
    std::fprintf(stderr, "run %s\n", options.directory.c_str());
    const DeviceReport device =
        measureDevice(randomModel(config.rules(), config.network, 1), config.training.device);
    std::fprintf(stderr, "%s; %d self-play workers\n", device.text().c_str(),
                 options.workers.value_or(config.selfplay.workers));
    for (const std::string& warning : device.warnings)
      std::fprintf(stderr, "warning: %s\n", warning.c_str());
  };
  const TrainEnd end = train(options, stopRequested);
  finish(options, end, args.finalGames);
}

}  // namespace

void addTrain(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "train", "Train an engine from random weights by self-play, or go on with a run");
  command->add_option("config", args->config, "TOML file; without one, the ten-minute recipe");
  command->add_option(
      "--run", args->run,
      "Folder of the run (default: runs/NAME-1, -2, ...; with --resume the newest)");
  command->add_option("--set", args->settings, "Set an option, as run.minutes=60; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--store", args->store,
                      "Where toguz selfplay of other processes meets the run: "
                      "redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN (default: the run's folder)");
  command
      ->add_option("--workers", args->workers,
                   "Self-play threads of this process (default: selfplay.workers); 0: none, all "
                   "games come by the store")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--resume", args->resume, "Go on with a run that was stopped or has ended");
  command->add_flag("--options", args->listOptions, "List every option with default and range");
  command
      ->add_option("--stop-after", args->stopAfter,
                   "Stop, resumable, once that many training steps are made in all")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000}));
  command
      ->add_option("--final-games", args->finalGames,
                   "Games against each built-in player at the end; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  command->footer(
      "Examples:\n"
      "  toguz train                                   ten minutes, the standard game\n"
      "  toguz train configs/quick.toml --set game.variant=bestemshe --run runs/five\n"
      "  toguz train --resume --set run.minutes=60     the newest run, to an hour in all");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
