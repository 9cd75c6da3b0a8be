// toguz report: a training run as one HTML file.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "report/page.h"
#include "report/run_report.h"

namespace toguz {
namespace {

struct Arguments {
  std::string run, out;
  RunReportOptions options;
};

void report(const Arguments& args) {
  const RunPaths run(args.run);
  checkWritable("--out", args.out);
  const auto data = runReport(run, args.options);
  const auto out = args.out.empty() ? run.path() / "report.html" : std::filesystem::path(args.out);
  writeFileAtomically(out, runPage("Toguz Zero: " + data.at("name").get<std::string>(), data));
  std::printf("%s\n", out.c_str());
}

}  // namespace

void addReport(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("report", "A training run as one HTML page");
  command->add_option("run", args->run, "The run's folder; it may still be training")->required();
  command->add_option("--out", args->out, "The page (default: report.html in the run's folder)");
  command->add_option("--games", args->options.games, "Annotated games of self-play, at most")
      ->capture_default_str()
      ->check(CLI::Range(0, 100));
  command->add_option("--agreement", args->options.agreement,
                      "Also show what `toguz measure --json FILE` wrote");
  command->footer(
      "The page needs no network and can be sent to anyone. It shows the rating curve with its "
      "errors, losses, calibration, throughput, gate verdicts and games on a board.\n"
      "Examples:\n"
      "  toguz report runs/quick-1\n"
      "  toguz report runs/quick-1 --out quick.html --games 10");
  command->callback([args] { report(*args); });
}

}  // namespace toguz
