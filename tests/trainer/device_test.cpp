#include "training/device.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace toguz {
namespace {

using testing::HasSubstr;

TEST(Device, ReportsWhatItMeasured) {
  const DeviceReport report = measureDevice(randomModel(Rules(), {32, 1}, 1), "cpu");
  EXPECT_GT(report.evaluationsPerSecond, 1000);
  EXPECT_GT(report.sgemmGflops, 0.01);
  EXPECT_GE(report.cores, 1);
  EXPECT_THAT(report.text(), HasSubstr("device cpu"));
  EXPECT_THAT(report.text(), HasSubstr(report.blas));
  EXPECT_EQ(report.text().find('\n'), std::string::npos);
  if (report.sgemmGflops < 15) {
    EXPECT_FALSE(report.warnings.empty());
  }
  for (const std::string& warning : report.warnings)
    EXPECT_THAT(warning,
                testing::AnyOf(HasSubstr("apt-get install"), HasSubstr("OPENBLAS_CORETYPE")));
}

TEST(Device, OneThatIsNotThereIsAnError) {
  EXPECT_THROW(measureDevice(randomModel(Rules(), {16, 0}, 1), "cuda:99"), Error);
}

}  // namespace
}  // namespace toguz
