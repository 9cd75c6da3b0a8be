#include "base/file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <future>

#include "base/error.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;

TEST(WriteFile, ReplacesTheOldAndLeavesNothingElse) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "a", "old");
  writeFileAtomically(folder / "a", "new");
  EXPECT_EQ(readFile(folder / "a"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(WriteFile, ALinkStaysALink) {
  const TemporaryFolder folder;
  writeFileAtomically(folder / "file", "old");
  fs::create_symlink("file", folder / "link");
  fs::create_symlink("nowhere", folder / "dangling");
  writeFileAtomically(folder / "link", "new");
  writeFileAtomically(folder / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(readFile(folder / "file"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(readFile(folder / "nowhere"), "made");
}

// As /dev/stdout may be one.
TEST(WriteFile, APipeIsWrittenTo) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [&] { return readFile(folder / "pipe"); });
  writeFileAtomically(folder / "pipe", "through");
  EXPECT_EQ(read.get(), "through");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST(WriteFile, WhatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(messageOf<Error>([&] { writeFileAtomically(folder / "no" / "a", "x"); }),
              HasSubstr("no/a: No such file"));
  EXPECT_THAT(messageOf<Error>([&] { writeFileAtomically(folder.path(), "x"); }),
              HasSubstr(folder.path().string()));
  EXPECT_THAT(messageOf<UsageError>([&] { checkWritable("--json", folder / "no" / "a"); }),
              HasSubstr("--json"));
  EXPECT_THAT(messageOf<UsageError>([&] { checkWritable("--json", folder.path()); }),
              HasSubstr("is a folder"));
  checkWritable("--json", folder / "a");
  checkWritable("--json", "");
  checkWritable("--json", "/dev/null");
}

}  // namespace
}  // namespace toguz
