#include "training/event_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using testing::TemporaryFolder;

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);            // the check value of the catalogue
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

// A reader of its own, by the formats' documents: records, then the few fields of the messages.
struct Event {
  double wallTime = 0;
  std::uint64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
};

std::uint64_t takeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(0));
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}
std::string_view take(std::string_view& bytes, std::size_t count) {
  const std::string_view part = bytes.substr(0, count);
  EXPECT_EQ(part.size(), count);
  bytes.remove_prefix(part.size());
  return part;
}
template <class T>
T number(std::string_view bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

Event parse(std::string_view message) {
  Event event;
  while (!message.empty()) {
    switch (takeVarint(message)) {
      case 1 << 3 | 1:
        event.wallTime = number<double>(take(message, 8));
        break;
      case 2 << 3:
        event.step = takeVarint(message);
        break;
      case 3 << 3 | 2:
        event.version = take(message, takeVarint(message));
        break;
      case 5 << 3 | 2: {
        std::string_view summary = take(message, takeVarint(message));
        while (!summary.empty()) {
          EXPECT_EQ(takeVarint(summary), 1u << 3 | 2);
          std::string_view value = take(summary, takeVarint(summary));
          EXPECT_EQ(takeVarint(value), 1u << 3 | 2);
          const std::string tag(take(value, takeVarint(value)));
          EXPECT_EQ(takeVarint(value), 2u << 3 | 5);
          event.scalars[tag] = number<float>(take(value, 4));
          EXPECT_TRUE(value.empty());
        }
        break;
      }
      default:
        ADD_FAILURE() << "a field that is not written";
        return event;
    }
  }
  return event;
}

std::vector<Event> read(const std::filesystem::path& path) {
  const std::string text = readFile(path);
  std::string_view bytes = text;
  std::vector<Event> events;
  const auto checked = [](std::string_view data, std::uint32_t masked) {
    const std::uint32_t rotated = masked - 0xa282ead8u;
    EXPECT_EQ(crc32c(data), (rotated >> 17) | (rotated << 15));
  };
  while (!bytes.empty()) {
    const std::string_view length = take(bytes, 8);
    checked(length, number<std::uint32_t>(take(bytes, 4)));
    const std::string_view data = take(bytes, number<std::uint64_t>(length));
    checked(data, number<std::uint32_t>(take(bytes, 4)));
    events.push_back(parse(data));
  }
  return events;
}

TEST(EventFile, HoldsEveryNumberUnderItsKeys) {
  const TemporaryFolder folder;
  std::filesystem::path path;
  {
    EventFile file(folder.path() / "tensorboard");
    path = file.path();
    file.write(0, {{"a", 1}});
    file.write(300'000'000'000, {{"losses", {{"policy", 1.5}, {"deep", {{"er", -2}}}}},
                                 {"kind", "train"},
                                 {"list", {1, 2, 3}},
                                 {"sims", 1e6}});
  }
  const std::vector<Event> events = read(path);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_GT(events[0].wallTime, 1.6e9);
  EXPECT_EQ(events[1].scalars, (std::map<std::string, float>{{"a", 1.0f}}));
  EXPECT_EQ(events[2].step, 300'000'000'000u);
  EXPECT_EQ(events[2].scalars,
            (std::map<std::string, float>{
                {"losses/policy", 1.5f}, {"losses/deep/er", -2.0f}, {"sims", 1e6f}}));
}

TEST(EventFile, EverySittingHasAFileOfItsOwn) {
  const TemporaryFolder folder;
  EventFile first(folder.path()), second(folder.path());
  EXPECT_NE(first.path(), second.path());
  EXPECT_LT(first.path(), second.path());
}

TEST(EventFile, WhereNothingCanBeWrittenItSaysSo) {
  EXPECT_THROW(EventFile("/proc/no/such"), Error);
}

}  // namespace
}  // namespace toguz
