// toguz export: a model in forms that other programs load.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "models/export.h"

namespace toguz {
namespace {

struct Arguments {
  std::string formats = "native", precision = "fp32";
  ExportRequest request;
};

void run(Arguments& args) {
  for (const std::string& name : split(args.formats, ','))
    args.request.formats.emplace_back(trim(name));
  args.request.precision = parsePrecision(args.precision, "--precision");
  for (const auto& file : exportModel(args.request)) std::printf("%s\n", file.c_str());
}

}  // namespace

void addExport(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("export", "A model in forms that other programs load");
  std::string formats = "Formats, parted by commas", all;
  for (const ExportFormat& format : exportFormats()) {
    if (format.missing) continue;
    formats += std::string(all.empty() ? ": " : "; ") + format.name + ", " + format.what;
    all += std::string(all.empty() ? "" : ",") + format.name;
  }
  command->add_option("model", args->request.model, "Model file")->required();
  command->add_option("--format", args->formats, formats)->capture_default_str();
  command
      ->add_option("-o,--out", args->request.out,
                   "The file; for several formats what the files' names begin with, or a folder")
      ->required();
  command->add_option("--precision", args->precision, "fp32 or, native alone, int8")
      ->capture_default_str();
  command
      ->add_option("--samples", args->request.samples,
                   "Also write positions with the model's answers to this file, for checks")
      ->group("Checks");
  command->add_option("--sample-count", args->request.sampleCount, "Positions in it")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000))
      ->group("Checks");
  command->footer(
      "Beside each file lies its card, FILE.json: how to feed the network and read its answers, "
      "with worked examples (docs/models.md). An int8 file only plays: it takes less room and is "
      "there at once.\n"
      "Examples:\n"
      "  toguz export models/pretrained/standard.tzn --precision int8 -o standard-int8.tzn\n"
      "  toguz export runs/quick-1/best.tzn --format " +
      all + " -o exported/");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
