// Addresses of stores.
#include <gmock/gmock.h>
#include <stdlib.h>

#include "store/redis_connection.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Not;

std::string faultOf(const std::string& address) {
  return messageOf<UsageError>([&] { openStore(address); });
}

TEST(StoreAddress, OfRedis) {
  unsetenv("TOGUZ_REDIS_PASSWORD");
  RedisAddress address = parseRedisAddress("redis://example.org:7000/my-run_1.2");
  EXPECT_EQ(address.host, "example.org");
  EXPECT_EQ(address.port, 7000);
  EXPECT_EQ(address.run, "my-run_1.2");
  EXPECT_EQ(address.user + address.password, "");
  EXPECT_FALSE(address.tls);
  EXPECT_EQ(address.text(), "redis://example.org:7000/my-run_1.2");

  address = parseRedisAddress("redis://localhost/r");
  EXPECT_EQ(address.port, 6379);
  EXPECT_EQ(address.text(), "redis://localhost:6379/r");

  address = parseRedisAddress("redis://[::1]:7/r");
  EXPECT_EQ(address.host, "::1");
  EXPECT_EQ(address.port, 7);
  EXPECT_EQ(address.text(), "redis://[::1]:7/r");
  EXPECT_EQ(parseRedisAddress("redis://[fe80::2]/r").port, 6379);
}

TEST(StoreAddress, PasswordsComeFromItOrFromTheEnvironment) {
  unsetenv("TOGUZ_REDIS_PASSWORD");
  RedisAddress address = parseRedisAddress("redis://al%69ce:a%3Ab%40c%2fd%25@h:1/r");
  EXPECT_EQ(address.user, "alice");
  EXPECT_EQ(address.password, "a:b@c/d%");
  EXPECT_EQ(address.host, "h");
  EXPECT_EQ(address.text(), "redis://h:1/r");
  EXPECT_EQ(parseRedisAddress("redis://:a:b@c@h/r").password, "a:b@c");  // where it is plain

  ASSERT_EQ(setenv("TOGUZ_REDIS_PASSWORD", "of the % environment", 1), 0);
  EXPECT_EQ(parseRedisAddress("redis://h/r").password, "of the % environment");
  EXPECT_EQ(parseRedisAddress("redis://bob:@h/r").password, "of the % environment");
  EXPECT_EQ(parseRedisAddress("redis://bob:@h/r").user, "bob");
  EXPECT_EQ(parseRedisAddress("redis://:mine@h/r").password, "mine");
  unsetenv("TOGUZ_REDIS_PASSWORD");
}

TEST(StoreAddress, SaysWhatIsWrong) {
  EXPECT_THAT(faultOf("redis://localhost"),
              AllOf(HasSubstr("names no run"), HasSubstr("redis://")));
  EXPECT_THAT(faultOf("redis://localhost:1/"), HasSubstr("names no run"));
  EXPECT_THAT(faultOf("redis:///run"), HasSubstr("names no host"));
  EXPECT_THAT(faultOf("redis://:1/run"), HasSubstr("names no host"));
  for (const char* port : {"", "0", "65536", "-1", "12x", "1:2", "99999999999999999999"})
    EXPECT_THAT(faultOf(std::string("redis://h:") + port + "/run"), HasSubstr("port")) << port;
  EXPECT_THAT(faultOf("redis://[::1]7/run"), HasSubstr("port"));
  EXPECT_THAT(faultOf("redis://[::1/run"), HasSubstr("without ']'"));
  for (const char* run : {"a b", "{x}", "x?db=1", "*", "k\xc3\xb6nig"})
    EXPECT_THAT(faultOf(std::string("redis://h/") + run), HasSubstr("run's name")) << run;
  EXPECT_THAT(faultOf("redis://h/" + std::string(101, 'x')), HasSubstr("too long"));
  EXPECT_THAT(faultOf("redis://bob@h/run"), HasSubstr("user without a password"));
  for (const char* bad : {"%", "%4", "%zz", "x%"})
    EXPECT_THAT(faultOf(std::string("redis://:") + bad + "@h/run"), HasSubstr("'%25'")) << bad;
  EXPECT_THAT(faultOf("redsi://h/run"), AllOf(HasSubstr("redsi"), HasSubstr("'redis://'")));
  EXPECT_THAT(faultOf("http://h/run"), HasSubstr("http"));
  EXPECT_THAT(faultOf(""), HasSubstr("empty"));
}

TEST(StoreAddress, MessagesShowNoPassword) {
  for (const char* address :
       {"redis://:hunter2@h", "redis://:hunter2@h/", "redis://:hunter2@h:x/run",
        "redis://:hunter2@/run", "redis://bob:hunter2/run", "redis://:hun/hunter2@h",
        "redis://:hunter2%@h/run", "redis://hunter2@h/run", "redis://:hunter2@h/r n",
        "redsi://:hunter2@h/run"})
    EXPECT_THAT(faultOf(address), AllOf(Not(""), Not(HasSubstr("hunter2")))) << address;
}

TEST(StoreAddress, TlsWhereTheLibraryHasIt) {
  try {
    const RedisAddress address = parseRedisAddress("rediss://h/r");
    EXPECT_TRUE(address.tls);
    EXPECT_EQ(address.text(), "rediss://h:6379/r");
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("TLS"));
  }
}

TEST(StoreAddress, OfAFolder) {
  for (const char* address : {"runs/mine", "file:runs/mine", "file://runs/mine"})
    EXPECT_EQ(openStore(address)->name(), "runs/mine");
  EXPECT_EQ(openStore("file:///tmp/mine")->name(), "/tmp/mine");
}

TEST(StoreAddress, WhatLooksLikeAServerOrIsAFileIsNoFolder) {
  const testing::TemporaryFolder folder;
  testing::overwrite(folder / "file", "x");
  for (const std::string& text : {std::string("localhost:30001/a"), std::string("10.0.0.5:6379"),
                                  std::string("redis:/host/a")})
    EXPECT_THAT(testing::messageOf<UsageError>([&] { openStore(text); }),
                ::testing::HasSubstr("redis://HOST:PORT/RUN"))
        << text;
  EXPECT_THAT(testing::messageOf<UsageError>([&] { openStore((folder / "file").string()); }),
              ::testing::HasSubstr("is a file"));
  EXPECT_THAT(testing::messageOf<UsageError>([&] { openStore("http://host/a"); }),
              ::testing::HasSubstr("redis://"));
  EXPECT_NO_THROW(openStore("runs/a:b"));
}

}  // namespace
}  // namespace toguz
