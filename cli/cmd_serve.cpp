// toguz serve: the page to play in and the training runs, for a browser.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "serve/page_bundle.h"
#include "serve/site_server.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

SiteServer* gServer = nullptr;

extern "C" void onServeSignal(int) {
  gServer->stop();
}

struct Arguments {
  ServeOptions options;
  std::vector<std::string> runs, models;
};

std::vector<PageModel> modelsOf(const std::vector<std::string>& files) {
  std::vector<PageModel> models;
  for (const std::string& file : files) {
    PageModel model = pageModel(loadAnyModel(file), file);
    for (const PageModel& other : models)
      if (other.variant == model.variant)
        throw UsageError("--model " + file + ": the second for " + model.variant +
                         "; the page takes one for each game");
    models.push_back(std::move(model));
  }
  addShippedModels(models);
  return models;
}

// The page, or nothing with a word on why.
std::optional<std::string> builtPage(const std::vector<PageModel>& models) {
  try {
    if (!models.empty()) return pageBundle(loadPageParts(pageFolder()), models);
    std::fprintf(stderr, "toguz serve: no model for the page; name one by --model\n");
  } catch (const Error& error) {
    std::fprintf(stderr, "toguz serve: without the page to play in: %s\n", error.what());
  }
  return std::nullopt;
}

void serve(Arguments& args) {
  ServeOptions& options = args.options;
  options.runs.assign(args.runs.begin(), args.runs.end());
  std::error_code ignored;
  if (args.runs.empty() && fs::is_directory("runs", ignored)) options.runs.emplace_back("runs");
  options.page = builtPage(modelsOf(args.models));
  SiteServer server(options);
  if (!server.http().loopback())
    std::fprintf(stderr, "toguz serve: whoever reaches this machine can read this\n");
  gServer = &server;
  struct sigaction action {};
  action.sa_handler = onServeSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the process as it is
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::printf("%s\n", server.http().url().c_str());
  std::fflush(stdout);
  server.run();
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

}  // namespace

void addServe(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("serve", "The page to play in and training runs, for a browser");
  command->add_option("--port", args->options.port, "Port; 0 for any that is free")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--host", args->options.host,
                   "Address to listen on; 0.0.0.0 lets the whole network in")
      ->capture_default_str();
  command->add_option("--run", args->runs,
                      "A run's folder, or one that holds runs; may be given again (default: runs)");
  command->add_option("--model", args->models,
                      "A model instead of the one that comes with the program for its game; may be "
                      "given again, the first is what the page opens with");
  command->footer(
      "Prints the address when it is ready, and ends with Ctrl-C. The page can be installed as an "
      "app and then works without the server. Runs are at /runs, live while they train. "
      "Everything can only be read, and only by pages of this server.\n"
      "Examples:\n"
      "  toguz serve\n"
      "  toguz serve --port 8080 --run runs/quick-1\n"
      "  toguz serve --model runs/quick-1/best.tzn");
  command->callback([args] { serve(*args); });
}

}  // namespace toguz
