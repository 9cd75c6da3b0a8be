// toguz export: a model in forms that other programs load.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "models/export.h"
#include "serve/page_bundle.h"

namespace toguz {
namespace {

struct Arguments {
  std::string formats = "native", precision = "fp32";
  ExportRequest request;
  bool only = false;
};

// A page of more than a friend's mail takes is made all the same, but not in silence.
void checkSize(const std::filesystem::path& page, bool only) {
  const auto size = std::filesystem::file_size(page);
  if (size <= kPageLimit) return;
  std::fprintf(stderr, "toguz export: %s has %.1f MB, more than %.0f%s\n", page.c_str(),
               static_cast<double>(size) / 1e6, static_cast<double>(kPageLimit) / 1e6,
               only ? "" : "; --only leaves the engines of the other games out");
}

void run(Arguments& args) {
  for (const std::string& name : split(args.formats, ','))
    args.request.formats.emplace_back(trim(name));
  args.request.precision = parsePrecision(args.precision, "--precision");
  args.request.page = [&](const AnyModel& model) {
    const PageParts parts = loadPageParts(pageFolder());
    std::vector<PageModel> models{pageModel(model, args.request.model)};
    if (!args.only) addShippedModels(models);
    return pageBundle(parts, models);
  };
  const auto files = exportModel(args.request);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::printf("%s\n", files[i].c_str());
    if (args.request.formats[i] == "html") checkSize(files[i], args.only);
  }
}

}  // namespace

void addExport(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("export", "A model in forms that other programs load");
  std::string formats = "Formats, parted by commas", all;
  for (const ExportFormat& format : exportFormats()) {
    if (format.missing) continue;
    formats += std::string(all.empty() ? ": " : "; ") + format.name + ", " + format.what;
    // Which needs more than this program.
    if (std::string(format.name) != "html")
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
  command->add_flag("--only", args->only,
                    "html: without the engines of the other games, which it has otherwise");
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
      "there at once. A page is one file that opens from the disk without a network "
      "(scripts/build_web.sh builds what it is made of).\n"
      "Examples:\n"
      "  toguz export models/pretrained/standard.tzn --precision int8 -o standard-int8.tzn\n"
      "  toguz export models/pretrained/standard.tzn --format html -o toguz.html\n"
      "  toguz export runs/quick-1/best.tzn --format " +
      all + " -o exported/");
  command->callback([args] { run(*args); });
}

}  // namespace toguz
