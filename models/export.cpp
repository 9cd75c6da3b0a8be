#include "models/export.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "models/export_card.h"
#include "models/int8_model.h"
#ifdef TOGUZ_EXPORT_ONNX
#include "models/export_onnx.h"
#endif
#ifdef TOGUZ_EXPORT_TORCHSCRIPT
#include "models/export_torchscript.h"
#endif

namespace toguz {
namespace {

namespace fs = std::filesystem;

#ifdef TOGUZ_EXPORT_TORCHSCRIPT
constexpr const char* kNoTorchScript = nullptr;
#else
constexpr const char* kNoTorchScript =
    "needs a build with LibTorch: run scripts/setup.sh and build the release preset";
#endif
#ifdef TOGUZ_EXPORT_ONNX
constexpr const char* kNoOnnx = nullptr;
#else
constexpr const char* kNoOnnx =
    "needs a build with the ONNX library: install libonnx-dev and libprotobuf-dev "
    "(scripts/setup.sh does), configure and build again";
#endif

constexpr std::string_view kPage = "html";

constexpr ExportFormat kFormats[] = {
    {"native", "the program's own file, in fp32 or int8", ".tzn", nullptr},
    {"torchscript", "for any LibTorch or PyTorch", ".pt", kNoTorchScript},
    {"onnx", "for ONNX Runtime and others", ".onnx", kNoOnnx},
    {"html", "a page to play in, in int8, with all that it needs", ".html", nullptr},
};

const ExportFormat& formatNamed(const std::string& name) {
  std::vector<std::string> known;
  for (const ExportFormat& format : kFormats) {
    if (!format.missing) known.emplace_back(format.name);
    if (name != format.name) continue;
    if (format.missing)
      throw UsageError("--format " + name + " " + format.missing + "; this build writes " +
                       writtenFormats());
    return format;
  }
  throw UsageError("--format knows no '" + name + "'; did you mean '" + nearest(name, known) +
                   "'? (this build writes " + writtenFormats() + ")");
}

std::vector<const ExportFormat*> formatsOf(const ExportRequest& request) {
  std::vector<const ExportFormat*> formats;
  for (const std::string& name : request.formats) {
    const ExportFormat& format = formatNamed(name);
    if (std::find(formats.begin(), formats.end(), &format) != formats.end())
      throw UsageError("--format names " + name + " twice");
    if (request.precision == Precision::Int8 && name != kFormats[0].name && name != kPage)
      throw UsageError("--precision int8 is for --format native alone; " + name +
                       " is written in fp32, by a command of its own");
    formats.push_back(&format);
  }
  if (formats.empty()) throw UsageError("--format wants a format: " + writtenFormats());
  return formats;
}

// The file of each format.
std::vector<fs::path> filesOf(const ExportRequest& request,
                              const std::vector<const ExportFormat*>& formats) {
  std::error_code ignored;
  const bool folder = !request.out.has_filename() || fs::is_directory(request.out, ignored);
  if (formats.size() == 1 && !folder) return {request.out};
  const fs::path begin = folder ? request.out / request.model.stem() : request.out;
  std::vector<fs::path> files;
  for (const ExportFormat* format : formats) {
    files.push_back(begin);
    if (format == &kFormats[0] && request.precision == Precision::Int8) files.back() += ".int8";
    files.back() += format->ending;
  }
  return files;
}

fs::path cardOf(fs::path file) {
  file += ".json";
  return file;
}

bool hasCard(const ExportFormat& format) {
  return format.name != kPage;
}

void checkOutputs(const ExportRequest& request, const std::vector<const ExportFormat*>& formats,
                  const std::vector<fs::path>& files) {
  if (!request.out.has_filename()) {
    std::error_code error;
    fs::create_directories(request.out, error);
    if (error)
      throw UsageError("--out " + request.out.string() +
                       ": cannot make the folder: " + error.message());
  }
  std::vector<std::pair<std::string, fs::path>> all{{"the model", request.model},
                                                    {"--samples", request.samples}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    all.emplace_back("--out", files[i]);
    if (hasCard(*formats[i])) all.emplace_back("the card of --out", cardOf(files[i]));
  }
  checkDifferentFiles(all);
  for (std::size_t i = 0; i < files.size(); ++i) {
    checkWritable("--out", files[i]);
    if (hasCard(*formats[i])) checkWritable("--out", cardOf(files[i]));
  }
  checkWritable("--samples", request.samples);
}

}  // namespace

std::span<const ExportFormat> exportFormats() {
  return kFormats;
}

std::string writtenFormats() {
  std::string text;
  for (const ExportFormat& format : kFormats)
    if (!format.missing) text += (text.empty() ? "" : ", ") + std::string(format.name);
  return text;
}

std::vector<fs::path> exportModel(const ExportRequest& request) {
  const std::vector<const ExportFormat*> formats = formatsOf(request);
  if (request.precision == Precision::Auto)
    throw UsageError("--precision wants fp32 or int8 for a file, not auto");
  if (request.out.empty()) throw UsageError("--out wants a file or a folder");
  const bool pageAlone = formats.size() == 1 && formats[0]->name == kPage;
  const AnyModel any = pageAlone ? loadAnyModel(request.model) : AnyModel(loadModel(request.model));
  const std::vector<fs::path> files = filesOf(request, formats);
  std::string page;
  for (const ExportFormat* format : formats)
    if (format->name == kPage) page = request.page(any);
  checkOutputs(request, formats, files);

  std::optional<Int8Model> int8;
  if (const auto* given = std::get_if<Int8Model>(&any))
    int8 = *given;
  else if (request.precision == Precision::Int8 || pageAlone)
    int8 = quantized(std::get<Model>(any));
  const auto network = int8 ? std::make_shared<const NativeNetwork>(*int8)
                            : std::make_shared<const NativeNetwork>(std::get<Model>(any));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string format = formats[i]->name;
    if (format == kPage) {
      writeFileAtomically(files[i], page);
      continue;
    }
    const Model& model = std::get<Model>(any);
    const nlohmann::json card =
        modelCard(format, int8 ? int8->provenance : model.provenance, network);
    if (format == "native") {
      if (int8)
        saveModel(*int8, files[i]);
      else
        saveModel(model, files[i]);
    }
#ifdef TOGUZ_EXPORT_TORCHSCRIPT
    if (format == "torchscript")
      writeFileAtomically(files[i], torchScriptModel(model, card.dump()));
#endif
#ifdef TOGUZ_EXPORT_ONNX
    if (format == "onnx") writeFileAtomically(files[i], onnxModel(model, card.dump()));
#endif
    writeFileAtomically(cardOf(files[i]), card.dump(1) + "\n");
  }
  if (!request.samples.empty()) {
    nlohmann::json samples;
    samples["model_id"] = network->id();
    samples["samples"] =
        exportExamples(network, samplePositions(network->rules(), request.sampleCount));
    writeFileAtomically(request.samples, samples.dump() + "\n");
  }
  return files;
}

}  // namespace toguz
