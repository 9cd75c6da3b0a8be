// The page as one file: what is put into the template that the web build makes.
#include "serve/page_bundle.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "tests/models/support.h"
#include "tests/serve/decoding.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;

constexpr const char* kTemplate =
    "<!doctype html><html><head></head><body><div id=app></div><!--toguz:data-->\n</body></html>\n";

Model smallModel(const std::string& rules) {
  return test::busyModel(Rules::named(rules), {.width = 16, .blocks = 1}, 5);
}

class PageBundle : public ::testing::Test {
 protected:
  PageBundle() {
    writeFileAtomically(folder_ / "page.html", kTemplate);
    writeFileAtomically(folder_ / "toguz-simd.wasm", std::string("\0asm simd", 9));
    writeFileAtomically(folder_ / "toguz-plain.wasm", std::string("\0asm plain", 10));
  }
  std::string contentOf(const std::string& page, const std::string& id) {
    const std::size_t at = page.find("id=\"" + id + "\"");
    if (at == std::string::npos) return "no element " + id;
    const std::size_t from = page.find('>', at) + 1;
    return testing::fromGzip(testing::fromBase64(
        std::string_view(page).substr(from, page.find("</script>", from) - from)));
  }
  TemporaryFolder folder_;
};

TEST_F(PageBundle, PartsStandWhereTheMarkerWas) {
  const PageModel model = pageModel(smallModel("bestemshe"), "x/net.tzn");
  const std::string page = pageBundle(loadPageParts(folder_.path()), {model});
  EXPECT_EQ(page.find(kPageMarker), std::string::npos);
  EXPECT_TRUE(
      page.starts_with("<!doctype html><html><head></head><body><div id=app></div><script"));
  EXPECT_TRUE(page.ends_with("</script>\n\n</body></html>\n"));
  EXPECT_EQ(contentOf(page, "toguz-wasm-simd"), std::string("\0asm simd", 9));
  EXPECT_EQ(contentOf(page, "toguz-wasm-plain"), std::string("\0asm plain", 10));
  EXPECT_EQ(contentOf(page, "toguz-model-bestemshe"), model.bytes);
}

TEST_F(PageBundle, AModelIsQuantisedAndNamed) {
  Model model = smallModel("standard");
  const PageModel plain = pageModel(model, "some/net.tzn");
  EXPECT_EQ(plain.variant, "standard");
  EXPECT_EQ(plain.name, "net");
  EXPECT_EQ(plain.bytes, serializeModel(quantized(model)));
  EXPECT_EQ(plain.id, modelId(quantized(model)));
  const PageModel same = pageModel(quantized(model), "some/net.tzn");
  EXPECT_EQ(same.bytes, plain.bytes);
  model.provenance = {{"run", "a \"<run>"}, {"generation", 7}};
  const PageModel ofRun = pageModel(model, "some/best.tzn");
  EXPECT_EQ(ofRun.name, "a \"<run>, generation 7");
  const std::string page = pageBundle(loadPageParts(folder_.path()), {ofRun});
  EXPECT_NE(page.find("data-name=\"a &quot;&lt;run>, generation 7\""), std::string::npos);
}

TEST_F(PageBundle, TheFirstModelIsMarked) {
  const std::string page = pageBundle(
      loadPageParts(folder_.path()),
      {pageModel(smallModel("seven"), "seven.tzn"), pageModel(smallModel("standard"), "s.tzn")});
  EXPECT_NE(page.find("id=\"toguz-model-seven\" data-variant=\"seven\""), std::string::npos);
  const std::size_t first = page.find(" data-first>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_LT(first, page.find("toguz-model-standard"));
  EXPECT_EQ(page.find("data-first", first + 5), std::string::npos);
}

TEST_F(PageBundle, RulesWithSwitchesAreRefused) {
  EXPECT_THAT(messageOf<UsageError>(
                  [&] { pageModel(smallModel("standard,tuzdik=false"), "runs/x/best.tzn"); }),
              AllOf(HasSubstr("runs/x/best.tzn: "), HasSubstr("tuzdik=false")));
}

TEST_F(PageBundle, ShippedModelsFillTheOtherGames) {
  std::vector<PageModel> models{pageModel(smallModel("giveaway"), "mine.tzn")};
  addShippedModels(models);
  ASSERT_EQ(models.size(), 4u);
  EXPECT_EQ(models[0].name, "mine");
  EXPECT_EQ(models[1].variant, "standard");
  EXPECT_EQ(models[2].name, "bestemshe");
  EXPECT_EQ(models[3].variant, "seven");
}

TEST_F(PageBundle, WhatIsMissingIsNamedWithTheRemedy) {
  const auto loading = [&] { loadPageParts(folder_.path()); };
  for (const char* file : {"toguz-plain.wasm", "toguz-simd.wasm", "page.html"}) {
    std::filesystem::remove(folder_ / file);
    EXPECT_THAT(messageOf<Error>(loading), AllOf(HasSubstr(file), HasSubstr("build_web.sh")));
  }
  writeFileAtomically(folder_ / "page.html", kTemplate);
  writeFileAtomically(folder_ / "toguz-simd.wasm", "s");
  writeFileAtomically(folder_ / "toguz-plain.wasm", "");
  EXPECT_THAT(messageOf<Error>(loading),
              AllOf(HasSubstr("toguz-plain.wasm: is empty"), HasSubstr("build_web.sh")));
  for (const char* page : {"<html>no marker</html>", "<!--toguz:data--><!--toguz:data-->"}) {
    writeFileAtomically(folder_ / "page.html", page);
    writeFileAtomically(folder_ / "toguz-simd.wasm", "s");
    writeFileAtomically(folder_ / "toguz-plain.wasm", "p");
    EXPECT_THAT(messageOf<Error>(loading),
                AllOf(HasSubstr("page.html: "), HasSubstr("marker <!--toguz:data-->")));
  }
}

TEST_F(PageBundle, TheFolderCanBeNamed) {
  setenv("TOGUZ_WEB", folder_.path().c_str(), 1);
  EXPECT_EQ(pageFolder(), folder_.path());
  unsetenv("TOGUZ_WEB");
}

}  // namespace
}  // namespace toguz
