// toguz bench: the benchmarks, each printing the ratio it is judged by.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness.h"

namespace toguz {
namespace {

struct Arguments {
  std::vector<std::string> names;
  std::string json;
  bench::Options options;
};

void run(const Arguments& args) {
  if (std::isnan(args.options.seconds))
    throw UsageError("--seconds wants a number from 0.01 to 600");
  std::vector<std::string> known;
  for (const bench::Benchmark& benchmark : bench::benchmarks()) known.emplace_back(benchmark.name);
  for (const std::string& name : args.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("unknown benchmark '" + name + "'; did you mean '" + nearest(name, known) +
                       "'?");
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const bench::Benchmark& benchmark : bench::benchmarks()) {
    if (!args.names.empty() &&
        std::find(args.names.begin(), args.names.end(), benchmark.name) == args.names.end())
      continue;
    const bench::Findings findings = benchmark.run(args.options);
    std::fputs(findings.text().c_str(), stdout);
    std::fflush(stdout);
    all[benchmark.name] = findings.json();
  }
  if (!args.json.empty()) writeFileAtomically(args.json, all.dump(2) + "\n");
}

}  // namespace

void addBench(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("bench", "Measure speed; figures are medians");
  std::string names;
  for (const bench::Benchmark& benchmark : bench::benchmarks())
    names += std::string("\n  ") + benchmark.name + ": " + benchmark.help;
  command->add_option("names", args->names, "Which benchmarks (default: all)");
  command->add_option("--json", args->json, "Write the same figures to this file");
  command->add_option("--model", args->options.model, "Measure with this model file");
#ifdef TOGUZ_TRAINING
  command->add_option("--device", args->options.device, "LibTorch's device: cpu or cuda:N")
      ->capture_default_str();
#endif
  command->add_option("--rounds", args->options.rounds, "Rounds of each side")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--seconds", args->options.seconds, "Seconds a side a round")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 600.0));
  command->footer("Benchmarks:" + names +
                  "\nExamples:\n  toguz bench\n  toguz bench search selfplay --json speed.json");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
