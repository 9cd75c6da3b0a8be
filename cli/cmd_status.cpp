// toguz status: what goes on in a run's store.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <thread>

#include "base/error.h"
#include "cluster/status_text.h"
#include "store/report_json.h"

namespace toguz {
namespace {

struct Arguments {
  std::string store;
  bool json = false;
  bool check = false;
  double every = 0;
};

void show(const StoreStatus& status, const std::string& name, bool json) {
  const std::string text = json ? toJson(status).dump() + "\n" : statusText(status, name);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void run(const Arguments& args) {
  const std::unique_ptr<RunStore> store = openStore(args.store);
  for (;;) {
    const StoreStatus status = store->status();
    const bool once = args.check || args.every <= 0;
    if (!args.check && (status.run || args.json || !once)) show(status, store->name(), args.json);
    if (!status.run && once)
      throw Error(store->name() + ": no run here; start one with toguz train --store " +
                  args.store);
    if (args.check && (!status.learner || status.learnerSecondsAgo > kAliveSeconds))
      throw Error(store->name() + ": no learner is alive");
    if (once) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(args.every));
    if (!args.json) std::fputs("\n", stdout);
  }
}

}  // namespace

void addStatus(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("status", "Show a run's workers, backlog, rates and refused records");
  command
      ->add_option("--store", args->store,
                   "The run's folder, or redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN")
      ->required();
  command->add_flag("--json", args->json, "One JSON object a time");
  command->add_flag("--check", args->check,
                    "Print nothing; exit 1 if no learner is alive (for health checks)");
  command
      ->add_option("--every", args->every, "Show it again after that many seconds, until stopped")
      ->check(CLI::Range(0.1, 86400.0));
  command->footer(
      "Examples:\n"
      "  toguz status --store runs/quick-1\n"
      "  toguz status --store redis://localhost/quick --every 5\n"
      "The password may also be in TOGUZ_REDIS_PASSWORD.");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
