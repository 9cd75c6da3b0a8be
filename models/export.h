// Models in forms that other programs load: `toguz export`.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/int8_model.h"
#include "search/precision.h"

namespace toguz {

struct ExportFormat {
  const char* name;     // as users give it
  const char* what;     // one phrase for --help
  const char* ending;   // of the file, where the file's name is not given whole
  const char* missing;  // null if this build writes it, else why not and the remedy
};
std::span<const ExportFormat> exportFormats();
// The names of those that this build writes: "native, onnx".
std::string writtenFormats();

struct ExportRequest {
  std::filesystem::path model;
  std::vector<std::string> formats;  // by name, each once
  Precision precision = Precision::Fp32;
  // With one format the file. With more, or for a folder (one that is there, or a name that ends in
  // '/', which is made), what the files' names begin with: PATH or PATH/STEM of the model's name,
  // followed by each format's ending (".int8.tzn" for a native file in int8).
  std::filesystem::path out;
  // Makes the page of format html, of which this library knows nothing (serve/page_bundle.h).
  std::function<std::string(const AnyModel&)> page;
  // Where to write positions with what the model answers (exportExamples), for checks; may be
  // empty.
  std::filesystem::path samples;
  int sampleCount = 512;
};

// Writes every file and, beside each but a page, its card as FILE.json. A page alone may be made of
// an int8 file, too. Returns the files without the cards.
// Throws UsageError, before anything is written, for a format that is unknown or that this build
// does not write, formats and precision that do not go together, a model that cannot be read, an
// output that cannot be written or is the model itself; Error if writing fails.
std::vector<std::filesystem::path> exportModel(const ExportRequest& request);

}  // namespace toguz
