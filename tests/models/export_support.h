// Models and samples that the tests of export share.
#pragma once

#include <unistd.h>

#include <gtest/gtest.h>
#include <filesystem>
#include <string>
#include <vector>

#include "models/export_card.h"
#include "tests/models/support.h"

namespace toguz::test {

inline constexpr int kBatches[] = {1, 2, 7, 64};

// Every variant with both feature sets, networks of no block and of several.
inline std::vector<Model> exportedModels() {
  std::vector<Model> models;
  std::uint64_t seed = 40;
  for (const std::string& variant : variants())
    for (const FeatureSet set : {FeatureSet::Rows1, FeatureSet::Rows2})
      for (const Architecture& architecture : {Architecture{32, 0, set}, Architecture{64, 4, set}})
        models.push_back(busyModel(Rules::named(variant), architecture, ++seed));
  models.push_back(busyModel(Rules::named("standard,tuzdik=false"), {}, ++seed));
  return models;
}

inline std::string describe(const Model& model) {
  return model.rules.name() + " " + name(model.architecture.features) + " " +
         std::to_string(model.architecture.width) + "x" + std::to_string(model.architecture.blocks);
}

// A folder that goes with the test.
class ExportFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("toguz_export_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

}  // namespace toguz::test
