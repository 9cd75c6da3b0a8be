// toguz selfplay: plays games for a run that another process trains.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "cli/stop_signal.h"
#include "cluster/worker_service.h"
#ifdef TOGUZ_TRAINING
#include "models/torch/runtime.h"
#include "training/network_handle.h"
#endif

namespace toguz {
namespace {

struct Arguments {
  std::string store;
  int workers = 0;
  std::size_t spool = WorkerServiceOptions().spoolGames;
  std::string device = "cpu";
  bool noMatches = false;
};

std::shared_ptr<const NetworkHandle> handleOf(std::shared_ptr<const Published> published,
                                              const SelfPlayConfig& config) {
#ifdef TOGUZ_TRAINING
  return makeHandle(std::move(published), config);
#else
  return std::make_shared<NativeHandle>(std::move(published), config.precision);
#endif
}

void run(const Arguments& args) {
#ifdef TOGUZ_TRAINING
  if (args.device != "cpu") checkTorchDevice(torchDevice(args.device));
#else
  if (args.device != "cpu")
    throw UsageError("--device " + args.device +
                     ": this program was built without LibTorch and plays on the CPU alone");
#endif
  catchStopSignals();

  WorkerServiceOptions options;
  options.store = args.store;
  options.threads = args.workers;
  options.spoolGames = args.spool;
  options.farm = !args.noMatches;
  options.device = args.device;
  options.makeHandle = handleOf;
  options.say = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  const WorkerServiceResult result = runWorkerService(options, stopRequested);
  std::fprintf(stderr, "%s; %llu games played\n", result.runEnded ? "the run has ended" : "stopped",
               static_cast<unsigned long long>(result.games));
  if (result.lostGames > 0)
    throw Error(
        std::to_string(result.lostGames) +
        " finished games could not be handed in: the store was away, or full, for too long");
}

}  // namespace

void addSelfplay(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "selfplay", "Play games for a run that toguz train leads, here or on another machine");
  command
      ->add_option(
          "--store", args->store,
          "Where to meet it: the run's folder, or redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN")
      ->required();
  command->add_option("--workers", args->workers, "Threads that play; 0: one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command
      ->add_option(
          "--spool", args->spool,
          "Finished games that may wait here for the learner to archive them; then play pauses")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{256}, std::size_t{10'000'000}));
  command->add_option("--device", args->device, "cpu, or a LibTorch device as cuda:0")
      ->capture_default_str();
  command->add_flag("--no-matches", args->noMatches, "Leave games of matches to other workers");
  command->footer(
      "Examples:\n"
      "  toguz train configs/quick.toml --run runs/a        in one terminal\n"
      "  toguz selfplay --store runs/a --workers 1          in another, on the same machine\n"
      "  toguz selfplay --store redis://10.0.0.5/a          on other machines\n"
      "The password may also be in TOGUZ_REDIS_PASSWORD. Ctrl-C hands in what is finished.");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
