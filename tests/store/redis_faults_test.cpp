// A Redis that refuses, fails or forgets: each time a clear message and nothing lost.
#include <gmock/gmock.h>

#include "store/redis_store.h"
#include "tests/store/redis_server.h"
#include "tests/store/stores.h"

namespace toguz {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::handledOf;
using ::testing::HasSubstr;
using testing::messageOf;
using ::testing::Not;
using testing::RedisServer;
using ::testing::SizeIs;
using testing::someHead;
using testing::someReport;
using testing::someRun;
using Taken = RunStore::Taken;

std::string batch(WorkerId worker, std::uint64_t sequence) {
  return "batch " + std::to_string(worker) + "/" + std::to_string(sequence);
}

Taken send(RunStore& store, WorkerId worker, std::uint64_t sequence) {
  return store.append(someRun().id, worker, sequence, batch(worker, sequence));
}

// The message of an Error that no waiting will mend.
template <class F>
std::string finalMessage(F&& f) {
  try {
    f();
  } catch (const StoreUnavailable& error) {
    ADD_FAILURE() << "only unavailable: " << error.what();
    return error.what();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    return error.what();
  }
  return "";
}

template <class F>
std::string deniedMessage(F&& f) {
  const std::string message = messageOf<StoreDenied>(f);
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  return message;
}

template <class F>
std::string passingMessage(F&& f) {
  const std::string message = messageOf<StoreUnavailable>(f);
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  return message;
}

std::vector<std::string> receiveAll(RunStore& store) {
  std::vector<std::string> bytes;
  for (;;) {
    const auto got = store.receive(100, 50ms);
    if (got.empty()) return bytes;
    for (const Delivery& delivery : got) bytes.push_back(delivery.bytes);
  }
}

TEST(RedisFaults, PasswordsAreAskedForAndNeverShown) {
  const std::string secret = "s3cret p@ss/%", wrong = "wr0ng";
  const RedisServer server({"--requirepass", secret});
  RedisAddress address = server.address();
  EXPECT_THAT(deniedMessage([&] { RedisStore(address).description(); }),
              AllOf(HasSubstr(server.url()), HasSubstr("TOGUZ_REDIS_PASSWORD")));
  address.password = wrong;
  EXPECT_THAT(deniedMessage([&] { RedisStore(address).description(); }),
              AllOf(HasSubstr("refuses the password"), Not(HasSubstr(wrong))));
  RedisStore twice(address);  // not remembered as logged in
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(deniedMessage([&] { send(twice, 1, 1); }), HasSubstr("refuses the password"));
  address.user = "nobody";
  EXPECT_THAT(deniedMessage([&] { RedisStore(address).description(); }),
              AllOf(HasSubstr("refuses the password"), Not(HasSubstr(wrong))));

  address.user.clear();
  address.password = secret;
  RedisStore right(address);
  right.lead(someRun(), "owner");
  EXPECT_THAT(right.name(), Not(HasSubstr("s3cret")));

  const std::string host = "127.0.0.1:" + std::to_string(server.port()) + "/run";
  EXPECT_EQ(openStore("redis://:s3cret%20p%40ss%2f%25@" + host)->description(), someRun());
  EXPECT_EQ(openStore("redis://default:s3cret%20p@ss/%25@" + host)->description(), someRun());
  ASSERT_EQ(setenv("TOGUZ_REDIS_PASSWORD", secret.c_str(), 1), 0);
  EXPECT_EQ(openStore("redis://" + host)->description(), someRun());
  EXPECT_THROW(openStore("redis://:wr0ng@" + host)->description(),
               StoreDenied);  // the address's counts
  unsetenv("TOGUZ_REDIS_PASSWORD");
}

TEST(RedisFaults, AUserMustBePermittedWhatARunNeeds) {
  const RedisServer server;
  server.ask({"ACL", "SETUSER", "alice", "on", ">pw", "~toguz:*", "+@all", "-@scripting"});
  RedisAddress address = server.address();
  address.user = "alice";
  address.password = "pw";
  RedisStore store(address);
  EXPECT_EQ(store.description(), std::nullopt);
  EXPECT_THAT(deniedMessage([&] { store.lead(someRun(), "owner"); }),
              HasSubstr("does not permit this user"));
  server.ask({"ACL", "SETUSER", "alice", "+@scripting"});
  store.lead(someRun(), "owner");
}

TEST(RedisFaults, AFullMemoryLosesNothingAndTheLearnerGoesOn) {
  const RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  server.ask({"CONFIG", "SET", "maxmemory", "1"});
  RedisStore fresh(server.address());  // has yet to make its scripts known
  for (RedisStore* store : {&worker, &fresh})
    EXPECT_THAT(passingMessage([&] { send(*store, 7, 2); }),
                AllOf(HasSubstr(server.url()), HasSubstr("maxmemory")));
  EXPECT_THAT(passingMessage([&] { worker.report(someReport(7)); }), HasSubstr("maxmemory"));
  EXPECT_THAT(passingMessage([&] { learner.publish(someHead("m"), "m"); }), HasSubstr("maxmemory"));
  EXPECT_EQ(worker.confirmed(7), 0u);

  // What frees memory goes on, and so does the lease.
  learner.renew({});
  const auto got = learner.receive(10, 100ms);
  ASSERT_THAT(got, SizeIs(1));
  learner.acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(worker.confirmed(7), 1u);
  EXPECT_EQ(learner.status().backlogBytes, 0u);

  server.ask({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_EQ(send(worker, 7, 2), Taken::Yes);
  EXPECT_THAT(receiveAll(learner), ElementsAre(batch(7, 2)));
  learner.publish(someHead("m"), "m");
}

TEST(RedisFaults, AReadOnlyReplicaIsNamed) {
  const RedisServer primary({"--repl-diskless-sync-delay", "0"});
  RedisStore learner(primary.address());
  learner.lead(someRun(), "owner");
  const RedisServer replica({"--replicaof", "127.0.0.1 " + std::to_string(primary.port())});
  RedisStore worker(replica.address());
  for (int i = 0; i < 400 && !worker.description(); ++i) std::this_thread::sleep_for(25ms);
  ASSERT_EQ(worker.description(), someRun());  // it can be read
  EXPECT_THAT(passingMessage([&] { send(worker, 7, 1); }),
              AllOf(HasSubstr(replica.url()), HasSubstr("read-only replica")));
  EXPECT_THAT(passingMessage([&] { worker.lead(someRun(), "owner"); }),
              HasSubstr("point the address to the primary"));
  EXPECT_THAT(passingMessage([&] { worker.report(someReport(7)); }), HasSubstr("replica"));
}

TEST(RedisFaults, AServerThatHangsIsGivenUpInTime) {
  RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  RedisAddress address = server.address();
  address.answerTime = 300ms;
  RedisStore hasty(address);
  server.hang();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(passingMessage([&] { send(hasty, 7, 2); }),
              AllOf(HasSubstr(server.url()), HasSubstr("does not answer")));
  EXPECT_THAT(passingMessage([&] { hasty.receive(10, 100ms); }), HasSubstr("does not answer"));
  EXPECT_THAT(passingMessage([&] { hasty.description(); }), HasSubstr("does not answer"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  server.goOn();
  EXPECT_EQ(send(worker, 7, 2), Taken::Yes);
  // The one that was given up may have been taken nevertheless, but not in part.
  learner.lead(someRun(), "owner");
  const auto all = receiveAll(learner);
  EXPECT_THAT(all, ::testing::AnyOf(SizeIs(2), SizeIs(3)));
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0], batch(7, 1));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i], batch(7, 2));
}

TEST(RedisFaults, ARestartWithItsDataLosesNothing) {
  RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  learner.publish(someHead("m"), "m");
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) send(worker, 7, sequence);
  const auto got = learner.receive(2, 100ms);
  ASSERT_THAT(got, SizeIs(2));
  learner.acknowledge(std::vector{handledOf(got[0], 7, 1)});
  server.kill();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(passingMessage([&] { send(worker, 7, 4); }), HasSubstr(server.url()));
    EXPECT_NE(passingMessage([&] { learner.receive(10, 10ms); }), "");
  }
  EXPECT_THAT(passingMessage([&] { send(worker, 7, 4); }), HasSubstr("cannot be reached"));
  server.start();
  EXPECT_EQ(worker.confirmed(7), 1u);
  EXPECT_EQ(worker.head(), someHead("m"));
  EXPECT_EQ(worker.model(sha256("m")), "m");
  EXPECT_EQ(send(worker, 7, 4), Taken::Yes);  // its scripts were forgotten
  // The second was received but never acknowledged.
  learner.renew({});
  EXPECT_THAT(receiveAll(learner), ElementsAre(batch(7, 2), batch(7, 3), batch(7, 4)));
}

TEST(RedisFaults, ARestartWithoutItsDataIsNoticedAndMended) {
  RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  send(worker, 7, 1);
  auto got = learner.receive(10, 100ms);
  server.restartEmpty();
  EXPECT_NE(passingMessage([&] { send(worker, 7, 2); }), "");  // the connection
  EXPECT_EQ(send(worker, 7, 2), Taken::NoRun);
  EXPECT_NE(passingMessage([&] { learner.receive(10, 10ms); }), "");
  const auto toldSo = AllOf(HasSubstr(server.url()), HasSubstr("setting it up again"));
  EXPECT_THAT(passingMessage([&] { learner.receive(10, 10ms); }), toldSo);
  EXPECT_THAT(passingMessage([&] { learner.renew({}); }), toldSo);
  EXPECT_THAT(passingMessage([&] { learner.acknowledge(std::vector{handledOf(got.at(0), 7, 1)}); }),
              toldSo);
  EXPECT_THAT(passingMessage([&] { learner.publish(someHead("m"), "m"); }), toldSo);
  EXPECT_EQ(worker.description(), std::nullopt);

  learner.lead(someRun(), "owner");
  learner.renew({});
  learner.publish(someHead("m"), "m");
  EXPECT_EQ(worker.confirmed(7), std::nullopt);
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  got = learner.receive(10, 100ms);
  ASSERT_THAT(got, SizeIs(1));
  learner.acknowledge(std::vector{handledOf(got[0], 7, 1)});
  EXPECT_EQ(worker.confirmed(7), 1u);
}

// Emptied while every connection lives: what was appended before must not count as archived because
// something after it is.
TEST(RedisFaults, AStoreMadeAnewConfirmsNothingOfBefore) {
  const RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  const auto archiveAll = [&](std::uint64_t sequence) {
    for (const Delivery& delivery : learner.receive(10, 50ms))
      learner.acknowledge(std::vector{handledOf(delivery, 7, sequence)});
  };
  learner.lead(someRun(), "owner");
  EXPECT_EQ(worker.confirmed(7), 0u);
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  server.ask({"FLUSHALL"});
  learner.lead(someRun(), "owner");
  EXPECT_EQ(worker.confirmed(7), std::nullopt);
  EXPECT_EQ(worker.confirmed(7), 0u) << "told once";
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  EXPECT_EQ(send(worker, 7, 2), Taken::Yes);

  server.ask({"DEL", "toguz:{run}:games"});
  EXPECT_THROW(learner.receive(10, 0ms), StoreUnavailable);
  learner.lead(someRun(), "owner");
  EXPECT_EQ(send(worker, 7, 3), Taken::Anew);
  EXPECT_THAT(learner.receive(10, 0ms), SizeIs(0)) << "nothing was taken";
  EXPECT_EQ(send(worker, 7, 1), Taken::Yes);
  archiveAll(1);
  EXPECT_EQ(worker.confirmed(7), 1u);

  learner.lead(someRun(), "owner");  // a learner that comes back makes nothing anew
  EXPECT_EQ(send(worker, 7, 2), Taken::Yes);
}

TEST(RedisFaults, GarbageInTheStreamIsHandedOnAndTakenAway) {
  const RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  const std::string games = "toguz:{run}:games";
  server.ask({"XADD", games, "*", "foo", "bar"});
  server.ask({"XADD", games, "*", "w", "-1", "s", "x", "b", "garbage"});
  send(worker, 7, 1);
  server.ask({"XADD", games, "*", "b", "1", "b", ""});
  const auto got = learner.receive(10, 100ms);
  ASSERT_THAT(got, SizeIs(4));
  EXPECT_EQ(got[0].bytes, "");
  EXPECT_EQ(got[1].bytes, "garbage");
  EXPECT_EQ(got[2].bytes, batch(7, 1));
  learner.acknowledge(std::vector<Handled>{{got[0].id, 0, 0, 0}});  // of no bytes at all
  learner.acknowledge(
      std::vector<Handled>{{got[1].id, 0, 0, 7}, {got[3].id, 0, 0, got[3].bytes.size()}});
  EXPECT_EQ(learner.status().backlogBatches, 1u);
  learner.acknowledge(std::vector{handledOf(got[2], 7, 1)});
  EXPECT_EQ(learner.status().backlogBytes, 0u);
  EXPECT_EQ(server.ask({"XLEN", games}).integer, 0);
  EXPECT_EQ(server.ask({"XPENDING", games, "learner"}).items.at(0).integer, 0);
}

TEST(RedisFaults, DamagedReportsArePassedOverAndADamagedHeadIsMended) {
  const RedisServer server;
  RedisStore learner(server.address()), worker(server.address());
  learner.lead(someRun(), "owner");
  learner.publish(someHead("m"), "m");
  worker.report(someReport(7));
  worker.report(someReport(8));
  server.ask({"HSET", "toguz:{run}:workers", "7", "{\"format\": 9}"});
  server.ask({"SET", "toguz:{run}:learned", "0 nonsense"});
  ASSERT_THAT(worker.status().workers, SizeIs(1));
  EXPECT_EQ(worker.status().workers[0].report.id, 8u);
  EXPECT_FALSE(worker.status().learner);
  server.ask({"SET", "toguz:{run}:head", "{"});
  EXPECT_THAT(passingMessage([&] { worker.head(); }), HasSubstr(server.url()));
  learner.publish(someHead("n", 2), "n");
  EXPECT_EQ(worker.head(), someHead("n", 2));
}

TEST(RedisFaults, EntriesThatWereDeletedByHandAreNoBatches) {
  const RedisServer server;
  RedisStore worker(server.address());
  RedisStore(server.address()).lead(someRun(), "owner");
  send(worker, 7, 1);
  send(worker, 7, 2);
  RedisStore first(server.address()), second(server.address());
  first.lead(someRun(), "owner");
  const auto got = first.receive(10, 100ms);
  ASSERT_THAT(got, SizeIs(2));
  server.ask({"XDEL", "toguz:{run}:games", got[0].id});
  second.lead(someRun(), "owner");
  EXPECT_THAT(receiveAll(second), ElementsAre(batch(7, 2)));
}

TEST(RedisFaults, OtherDataUnderTheRunsNamesAreNamed) {
  const RedisServer server;
  const auto store = [&](const std::string& run) { return RedisStore(server.address(run)); };
  const auto other = HasSubstr("delete that key");
  server.ask({"SET", "toguz:{a}:run", "x"});
  EXPECT_THAT(finalMessage([&] { store("a").description(); }), other);
  EXPECT_THAT(finalMessage([&] { store("a").lead(someRun(), "owner"); }), other);
  EXPECT_THAT(finalMessage([&] {
                auto a = store("a");
                send(a, 7, 1);
              }),
              other);
  server.ask({"SET", "toguz:{b}:games", "x"});
  EXPECT_THAT(finalMessage([&] { store("b").lead(someRun(), "owner"); }), other);
  EXPECT_THAT(finalMessage([&] {
                auto b = store("b");
                send(b, 7, 1);
              }),
              other);
  server.ask({"LPUSH", "toguz:{c}:head", "x"});
  EXPECT_THAT(finalMessage([&] { store("c").head(); }), other);
  server.ask({"SET", "toguz:{d}:head", "{\"format\": 1, \"model\": \"12\"}"});
  EXPECT_THAT(passingMessage([&] { store("d").head(); }),
              AllOf(HasSubstr(server.url("d")), HasSubstr("SHA-256")));
  server.ask({"HSET", "toguz:{e}:run", "id", "x", "json", "{"});
  EXPECT_THAT(finalMessage([&] { store("e").description(); }),
              AllOf(HasSubstr(server.url("e")), HasSubstr("description of a run")));
  server.ask({"SET", "toguz:{f}:head", "{\"format\": 2}"});
  EXPECT_THAT(finalMessage([&] { store("f").head(); }), HasSubstr("format 2"));
}

TEST(RedisFaults, OneLearnerAtATime) {
  const RedisServer server;
  RedisStore first(server.address()), second(server.address());
  first.lead(someRun(), "owner-1");
  EXPECT_THAT(messageOf<StoreHeld>([&] { second.lead(someRun(), "owner-2"); }),
              AllOf(HasSubstr("has a learner already"), HasSubstr("owner-1")));
  first.lead(someRun(), "owner-1");
  second.resign();  // not its own
  EXPECT_NE(passingMessage([&] { second.lead(someRun(), "owner-2"); }), "");

  // The lease ran out while the first was busy, and nobody came: it goes on.
  server.ask({"DEL", "toguz:{run}:learner"});
  send(second, 7, 1);
  const auto got = first.receive(10, 100ms);
  ASSERT_THAT(got, SizeIs(1));
  first.publish(someHead("m"), "m");
  first.renew({});

  server.ask({"DEL", "toguz:{run}:learner"});
  second.lead(someRun(), "owner-2");
  const auto taken = HasSubstr("another learner has taken the run over");
  EXPECT_THAT(finalMessage([&] { first.renew({}); }), taken);
  EXPECT_THAT(finalMessage([&] { first.publish(someHead("n", 2), "n"); }), taken);
  EXPECT_THAT(finalMessage([&] { first.acknowledge(std::vector{handledOf(got[0], 7, 1)}); }),
              taken);
  EXPECT_EQ(second.head(), someHead("m"));
  EXPECT_THAT(receiveAll(second), SizeIs(1));
  first.resign();
  second.renew({});
  second.resign();
  EXPECT_EQ(server.ask({"EXISTS", "toguz:{run}:learner"}).integer, 0);
}

TEST(RedisFaults, NothingPilesUp) {
  const RedisServer server;
  RedisStore learner(server.address());
  learner.lead(someRun(), "owner");
  for (std::uint32_t generation = 1; generation <= 5; ++generation) {
    const std::string model = "model " + std::to_string(generation);
    learner.publish(someHead(model, generation), model);
  }
  const auto ttl = [&](const std::string& model) {
    return server.ask({"TTL", "toguz:{run}:model:" + hexText(sha256(model))}).integer;
  };
  EXPECT_EQ(ttl("model 5"), -1);
  for (int i = 1; i <= 4; ++i)
    EXPECT_THAT(ttl("model " + std::to_string(i)), AllOf(::testing::Gt(10), ::testing::Le(600)));
  learner.keepModel(sha256("model 1"), [] { return std::string("model 1"); });
  learner.keepModel(sha256("model 5"), [] { return std::string("model 5"); });
  EXPECT_GT(ttl("model 1"), 600);
  EXPECT_EQ(ttl("model 5"), -1);
  learner.publish(someHead("model 2", 6), {});  // back to an older one: it stays
  EXPECT_EQ(ttl("model 2"), -1);

  // 200 workers that came, played and left; an hour ago.
  RedisStore worker(server.address());
  for (WorkerId id = 1; id <= 200; ++id) {
    worker.report(someReport(id));
    send(worker, id, 1);
    if (id % 2) worker.leave(id);
  }
  std::vector<Handled> handled;
  for (WorkerId id = 1; handled.size() < 200;)
    for (const Delivery& delivery : learner.receive(64, 100ms))
      handled.push_back(handledOf(delivery, id++, 1));
  learner.acknowledge(handled);
  EXPECT_THAT(learner.status().workers, SizeIs(100));
  EXPECT_EQ(server.ask({"HLEN", "toguz:{run}:handled"}).integer, 200);
  learner.renew({});
  EXPECT_EQ(server.ask({"HLEN", "toguz:{run}:handled"}).integer, 200);
  for (WorkerId id = 1; id <= 200; ++id)
    server.ask({"ZADD", "toguz:{run}:seen", "1000", std::to_string(id)});
  worker.report(someReport(3));  // but one lives
  learner.renew({});
  EXPECT_EQ(server.ask({"HLEN", "toguz:{run}:workers"}).integer, 1);
  EXPECT_EQ(server.ask({"HLEN", "toguz:{run}:handled"}).integer, 1);
  EXPECT_EQ(server.ask({"ZCARD", "toguz:{run}:seen"}).integer, 1);
  EXPECT_EQ(server.ask({"XLEN", "toguz:{run}:games"}).integer, 0);
}

TEST(RedisFaults, RunsOfOneServerAreApart) {
  const RedisServer server;
  RedisStore one(server.address("one")), two(server.address("two"));
  one.lead(someRun(), "owner");
  two.lead(someRun(1 << 20, 'b'), "owner");
  send(one, 7, 1);
  EXPECT_THAT(receiveAll(two), SizeIs(0));
  EXPECT_THAT(receiveAll(one), SizeIs(1));
  EXPECT_EQ(two.description(), someRun(1 << 20, 'b'));
}

TEST(RedisFaults, NobodyThereIsToldWithTheAddress) {
  RedisServer server;
  server.kill();
  RedisStore store(server.address());
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(passingMessage([&] { store.description(); }),
                AllOf(HasSubstr(server.url()), HasSubstr("cannot be reached"),
                      HasSubstr("is redis-server running")));
}

TEST(RedisFaults, WhatIsNoRedisIsToldSo) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&where), size), 0);
  ASSERT_EQ(::listen(listener, 4), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&where), &size);
  std::thread web([&] {
    const int client = ::accept(listener, nullptr, nullptr);
    const std::string page = "HTTP/1.1 400 Bad Request\r\n\r\n";
    char request[256];
    EXPECT_GT(::read(client, request, sizeof request), 0);
    EXPECT_GT(::write(client, page.data(), page.size()), 0);
    ::close(client);
  });
  RedisStore store(
      parseRedisAddress("redis://127.0.0.1:" + std::to_string(ntohs(where.sin_port)) + "/run"));
  EXPECT_THAT(passingMessage([&] { store.description(); }), HasSubstr("Protocol error"));
  web.join();
  ::close(listener);
}

}  // namespace
}  // namespace toguz
