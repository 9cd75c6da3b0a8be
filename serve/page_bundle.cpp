#include "serve/page_bundle.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "play/shipped.h"
#include "serve/encoding.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariants[] = {"standard", "giveaway", "bestemshe", "seven"};
constexpr const char* kPageFile = "page.html";
constexpr const char* kRemedy = "; run scripts/build_web.sh";

std::string attribute(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

std::string element(const std::string& attributes, std::string_view content) {
  return "<script type=\"application/octet-stream\" " + attributes + ">" + base64(gzip(content)) +
         "</script>\n";
}

std::string partOf(const fs::path& folder, const char* name) {
  std::string part;
  try {
    part = readFile(folder / name);
  } catch (const Error& error) {
    throw Error(error.what() + std::string(kRemedy));
  }
  if (part.empty()) throw Error((folder / name).string() + ": is empty" + kRemedy);
  return part;
}

// "hour-r2, generation 987" for a network of a run, else the file's name.
std::string displayName(const nlohmann::json& provenance, const fs::path& file) {
  if (provenance.is_object() && provenance.contains("run") && provenance["run"].is_string() &&
      provenance.contains("generation") && provenance["generation"].is_number_integer())
    return provenance["run"].get<std::string>() + ", generation " +
           std::to_string(provenance["generation"].get<std::int64_t>());
  return file.stem().string();
}

}  // namespace

fs::path pageFolder() {
  std::error_code ignored;
  const char* chosen = std::getenv("TOGUZ_WEB");
  if (chosen && *chosen) return chosen;
  std::vector<fs::path> folders{fs::path("build") / "web"};
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!ignored) folders.push_back(program.parent_path().parent_path() / "share" / "toguz" / "web");
  folders.push_back(TOGUZ_BUILT_PAGE);
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / kPageFile, ignored)) return folder;
  throw Error(std::string("the page is not built") + kRemedy);
}

PageParts loadPageParts(const fs::path& folder) {
  PageParts parts{partOf(folder, kPageFile), partOf(folder, "toguz-simd.wasm"),
                  partOf(folder, "toguz-plain.wasm")};
  const std::size_t at = parts.page.find(kPageMarker);
  if (at == std::string::npos || parts.page.find(kPageMarker, at + 1) != std::string::npos)
    throw Error((folder / kPageFile).string() + ": does not have the marker " + kPageMarker +
                " once" + kRemedy);
  return parts;
}

PageModel pageModel(const AnyModel& model, const fs::path& file) {
  const Rules& rules = std::visit([](const auto& m) -> const Rules& { return m.rules; }, model);
  const std::string variant = rules.name();
  if (std::find(std::begin(kVariants), std::end(kVariants), variant) == std::end(kVariants))
    throw UsageError(file.string() + ": a model for '" + variant +
                     "'; the page has standard, giveaway, bestemshe and seven, without switches");
  const Int8Model* int8 = std::get_if<Int8Model>(&model);
  const Int8Model made = int8 ? Int8Model{} : quantized(std::get<Model>(model));
  if (!int8) int8 = &made;
  return {variant, displayName(int8->provenance, file), modelId(*int8), serializeModel(*int8)};
}

void addShippedModels(std::vector<PageModel>& models) {
  for (const char* variant : kVariants) {
    const bool there = std::any_of(models.begin(), models.end(), [&](const PageModel& model) {
      return model.variant == variant;
    });
    if (there) continue;
    if (const auto file = shippedModel(Rules::named(variant))) {
      models.push_back(pageModel(loadAnyModel(*file), *file));
      models.back().name = variant;
    }
  }
}

std::string pageBundle(const PageParts& parts, const std::vector<PageModel>& models) {
  TOGUZ_CHECK(!models.empty(), "a page has a model");
  std::string data = element("id=\"toguz-wasm-simd\"", parts.wasmSimd) +
                     element("id=\"toguz-wasm-plain\"", parts.wasmPlain);
  for (const PageModel& model : models) {
    std::string attributes = "id=\"toguz-model-" + model.variant + "\" data-variant=\"" +
                             model.variant + "\" data-name=\"" + attribute(model.name) +
                             "\" data-model-id=\"" + model.id + "\"";
    if (&model == &models.front()) attributes += " data-first";
    data += element(attributes, model.bytes);
  }
  const std::size_t at = parts.page.find(kPageMarker);
  TOGUZ_CHECK(at != std::string::npos, "a page has its marker");
  std::string page = parts.page;
  return page.replace(at, std::string_view(kPageMarker).size(), data);
}

}  // namespace toguz
