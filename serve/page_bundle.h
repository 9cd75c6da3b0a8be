// The page to play in as one file: what scripts/build_web.sh built, with engine and networks put
// in.
//
// They stand in the page as elements that no browser runs, base64 of gzip:
//   <script type="application/octet-stream" id="toguz-wasm-simd">   and id="toguz-wasm-plain"
//   <script ... id="toguz-model-VARIANT" data-variant="VARIANT" data-name="..."
//   data-model-id="...">
// The first model, of the game that the page opens with, has the attribute data-first.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/int8_model.h"

namespace toguz {

inline constexpr const char* kPageMarker = "<!--toguz:data-->";
inline constexpr std::size_t kPageLimit = 4'000'000;  // bytes; what a page should stay below

struct PageParts {
  std::string page;  // with one kPageMarker
  std::string wasmSimd, wasmPlain;
};

// Where the built parts are: $TOGUZ_WEB, or the first that has them of build/web here,
// share/toguz/web beside the program's folder, and build/web of the source tree that the program
// was built from. Throws Error, with the command that builds them, if there are none.
std::filesystem::path pageFolder();
// Throws Error naming the file if one is missing or the page does not have the marker once.
PageParts loadPageParts(const std::filesystem::path& folder);

struct PageModel {
  std::string variant, name, id;
  std::string bytes;  // an int8 model file
};
// Quantised if it is not yet. Throws UsageError naming `file` for rules that the page does not
// have: those with switches.
PageModel pageModel(const AnyModel& model, const std::filesystem::path& file);
// The models that come with the program, for the variants that `models` has none of.
void addShippedModels(std::vector<PageModel>& models);

// One model at least, each of another variant.
std::string pageBundle(const PageParts& parts, const std::vector<PageModel>& models);

}  // namespace toguz
