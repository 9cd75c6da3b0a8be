// toguz experiment: recipes side by side at equal wall time, rated on one scale.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/stop_signal.h"
#include "training/experiment.h"

namespace toguz {
namespace {

struct Arguments {
  std::string file, out;
};

void run(const Arguments& args) {
  const Experiment experiment = loadExperiment(args.file);
  ExperimentSetup setup;
  setup.folder = args.out.empty()
                     ? std::filesystem::path("runs") / std::filesystem::path(args.file).stem()
                     : std::filesystem::path(args.out);
  setup.program = std::filesystem::read_symlink("/proc/self/exe");
  setup.stop = &stopRequested;
  setup.say = [](const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  };
  signal(SIGCHLD, SIG_DFL);  // ignored by whoever started this, ended trainings would not be seen
  catchStopSignals();
  if (!runExperiment(experiment, setup))
    throw Error("stopped; everything is kept: the same command goes on with it");
}

}  // namespace

void addExperiment(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "experiment", "Train recipes side by side at equal wall time and rate them by matches");
  command->add_option("file", args->file, "TOML file of the experiment (see configs/experiments)")
      ->required();
  command->add_option("--out", args->out, "Folder for runs and results (default: runs/NAME)");
  command->footer(
      "Each arm is trained on one core by a process of its own. Stopped, it goes on where it was "
      "when given the same command again.\n"
      "Examples:\n"
      "  toguz experiment configs/experiments/precision.toml\n"
      "  nohup toguz experiment configs/experiments/recipe.toml --out runs/recipe &");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
