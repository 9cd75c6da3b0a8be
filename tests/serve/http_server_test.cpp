// The server against clients of every kind, on a port that is free.
#include "serve/http_server.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/rng.h"
#include "tests/serve/client.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::AnyOf;
using testing::bodyOf;
using testing::Client;
using testing::fetch;
using testing::getRequest;
using ::testing::HasSubstr;
using testing::headerOf;
using testing::messageOf;
using testing::Running;
using testing::secondsSince;
using testing::statusOf;

HttpResponse hello(const HttpRequest& request) {
  if (request.path == "/large")
    return {200, {}, std::make_shared<const std::string>(8 << 20, 'x'), {}};
  if (request.path == "/throws") throw Error("no");
  if (request.path.starts_with("/stream")) return {200, {}, nullptr, request.path};
  const std::string* accept = request.header("accept");
  return {200,
          {{"X-Path", request.path}, {"X-Accept", accept ? *accept : "none"}},
          std::make_shared<const std::string>("hello"),
          {}};
}

class HttpServerTest : public ::testing::Test {
 protected:
  static ServerLimits quick() {
    ServerLimits limits;
    limits.connections = 12;
    limits.streams = 4;
    limits.head = milliseconds(800);
    limits.idle = milliseconds(1000);
    limits.stall = milliseconds(400);
    limits.heartbeat = milliseconds(100);
    return limits;
  }
  HttpServerTest() : server_("127.0.0.1", 0, hello, quick()), running_(server_) {}
  int port() const { return server_.port(); }
  void waitForListeners(std::size_t count) {
    for (int i = 0; i < 500 && server_.listened().size() != count; ++i)
      std::this_thread::sleep_for(milliseconds(10));
    ASSERT_EQ(server_.listened().size(), count);
  }
  void expectWell() { EXPECT_EQ(bodyOf(fetch(port(), "/")), "hello"); }

  HttpServer server_;
  Running<HttpServer> running_;
};

TEST_F(HttpServerTest, AnswersAndKeepsTheConnection) {
  Client client(port());
  for (int i = 0; i < 3; ++i) {
    client.send(getRequest("/a%20b"));
    const std::string answer = client.readFor("hello");
    EXPECT_EQ(statusOf(answer), 200);
    EXPECT_EQ(headerOf(answer, "X-Path"), "/a b");
    EXPECT_EQ(headerOf(answer, "Content-Length"), "5");
    client.forget();
  }
  client.send(getRequest("/", "", "HEAD"));
  const std::string head = client.readFor("\r\n\r\n");
  EXPECT_EQ(headerOf(head, "Content-Length"), "5");
  EXPECT_EQ(bodyOf(head), "");
}

TEST_F(HttpServerTest, RequestsOneAfterAnotherAtOnce) {
  Client client(port());
  client.send(getRequest("/1") + getRequest("/2") + getRequest("/3", "Connection: close\r\n"));
  const std::string all = client.readAll();
  EXPECT_THAT(all,
              AllOf(HasSubstr("X-Path: /1"), HasSubstr("X-Path: /2"), HasSubstr("X-Path: /3")));
  EXPECT_TRUE(client.ended());
}

TEST_F(HttpServerTest, AHandlerThatFailsIsAnAnswer) {
  EXPECT_EQ(statusOf(fetch(port(), "/throws")), 500);
  expectWell();
}

// 0: closed without a word.
int statusFor(int port, const std::string& bytes) {
  Client client(port);
  client.send(bytes);
  const std::string answer = client.readAll();
  EXPECT_TRUE(client.ended());
  return statusOf(answer);
}

TEST_F(HttpServerTest, WhatIsNoRequestIsRefusedAtOnce) {
  const std::string host = "Host: 127.0.0.1\r\n";
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    std::string bytes;
    for (int k = 0; k < 300; ++k) bytes += static_cast<char>(rng.below(256));
    EXPECT_THAT(statusFor(port(), "\x01" + bytes + "\r\n\r\n"), AnyOf(0, 400, 505));
  }
  const std::vector<std::string> wrong{"GET /\r\n",
                                       "GET / HTTP/1.1\n\n",
                                       "GET / HTTP/1.1\r\n\r\n",
                                       "GET / FTP/1.1\r\n" + host + "\r\n",
                                       "GET / x HTTP/1.1\r\n" + host + "\r\n",
                                       "GET / HTTP/1.1\r\nHost\r\n" + host + "\r\n",
                                       "GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
                                       "GET / HTTP/1.1\r\n folded\r\n" + host + "\r\n"};
  for (const std::string& bad : wrong) EXPECT_THAT(statusFor(port(), bad), AnyOf(0, 400)) << bad;
  EXPECT_EQ(statusFor(port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
  expectWell();
}

TEST_F(HttpServerTest, NoBytesAreTooMuchOnTheClock) {
  Rng rng(7);
  const std::string pieces[] = {"GET ", "/", " HTTP/1.1", "\r\n", "Host", ": ", "%2", "\n", "\r"};
  for (int i = 0; i < 2'000; ++i) {
    std::string bytes;
    for (int k = 0; k < 12; ++k) {
      bytes += pieces[rng.below(9)];
      if (rng.chance(0.1)) bytes += static_cast<char>(rng.below(256));
    }
    Client client(port());
    client.send(bytes);
  }
  expectWell();
}

TEST_F(HttpServerTest, HeadsAreAsBrowsersSendThem) {
  const std::string answer =
      fetch(port(), "/run/a%20b%2Fc?x=%zz",
            "ACCEPT: \t*/* \r\nCookie: " + std::string(28'000, 'c') + "\r\n");
  EXPECT_EQ(headerOf(answer, "X-Path"), "/run/a b/c");
  EXPECT_EQ(headerOf(answer, "X-Accept"), "*/*");
  for (const char* target : {"*", "http://127.0.0.1/", "/%00", "/a%00b"})
    EXPECT_EQ(headerOf(fetch(port(), target), "X-Path"), "") << target;
}

TEST_F(HttpServerTest, HeadsAreBounded) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "A: b\r\n";
  EXPECT_THAT(statusFor(port(), getRequest("/" + std::string(70'000, 'a'))), AnyOf(0, 414));
  EXPECT_THAT(statusFor(port(), getRequest("/", "A: " + std::string(70'000, 'a') + "\r\n")),
              AnyOf(0, 431));
  EXPECT_THAT(statusFor(port(), getRequest("/", many)), AnyOf(0, 431));
  expectWell();
}

TEST_F(HttpServerTest, AnEndlessHeadEnds) {
  Client client(port());
  client.send("GET / HTTP/1.1\r\nA: ");
  const std::string more(1 << 16, 'a');
  std::size_t sent = 0;
  while (client.send(more) && sent < 100u << 20) sent += more.size();
  EXPECT_LT(sent, 100u << 20) << "it was not cut off";
  expectWell();
}

TEST_F(HttpServerTest, ABodyIsNotReadAndIsNoRequest) {
  for (const char* body :
       {"Content-Length: 99999999999999999999\r\n", "Content-Length: 35\r\n",
        "Transfer-Encoding: chunked\r\n", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"}) {
    Client client(port());
    client.send(getRequest("/", body) + getRequest("/smuggled"));
    const std::string all = client.readAll();
    EXPECT_THAT(statusOf(all), AnyOf(200, 400, 413)) << body;
    EXPECT_THAT(all, ::testing::Not(HasSubstr("smuggled"))) << body;
    EXPECT_TRUE(client.ended());
  }
  EXPECT_THAT(fetch(port(), "/", "Content-Length: 9999\r\nExpect: 100-continue\r\n"),
              ::testing::Not(HasSubstr("100 Continue")));
}

TEST_F(HttpServerTest, SlowHeadsAreCutOffAndHoldUpNobodyOnTheClock) {
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 10; ++i) {
    slow.push_back(std::make_unique<Client>(port()));
    slow.back()->send("GET / HT");
  }
  expectWell();
  slow[0]->read([](const std::string&) { return false; }, 0.001);
  EXPECT_FALSE(slow[0]->ended()) << "another was answered first";
  // A byte now and then does not help.
  for (int i = 0; i < 60 && slow[0]->send("T"); ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    slow[0]->read([](const std::string&) { return false; }, 0.001);
    if (slow[0]->ended()) break;
  }
  EXPECT_TRUE(slow[0]->ended());
  slow[1]->readAll();
  EXPECT_TRUE(slow[1]->ended());
  // Nor does one after a request that was answered.
  Client later(port());
  later.send(getRequest("/"));
  later.readFor("hello");
  for (int i = 0; i < 60 && later.send("T"); ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    later.read([](const std::string&) { return false; }, 0.001);
    if (later.ended()) break;
  }
  EXPECT_TRUE(later.ended());
}

TEST_F(HttpServerTest, MoreConnectionsThanThereIsRoomForOnTheClock) {
  // Those that wait for a next request make room, the silent ones after a moment.
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 40; ++i) {
    idle.push_back(std::make_unique<Client>(port()));
    idle.back()->send(getRequest("/"));
    ASSERT_THAT(idle.back()->readFor("hello"), HasSubstr("hello")) << i;
  }
  for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<Client>(port()));
  expectWell();
}

TEST_F(HttpServerTest, AReaderThatStopsIsCutOffOnTheClock) {
  Client slow(port());
  slow.send(getRequest("/large"));
  expectWell();
  std::this_thread::sleep_for(milliseconds(700));
  slow.readAll();
  EXPECT_TRUE(slow.ended());
  EXPECT_EQ(bodyOf(fetch(port(), "/large")).size(), 8u << 20) << "but not one that reads";
}

TEST_F(HttpServerTest, EventsReachWhoListens) {
  server_.publish("/stream/a", "event: x\ndata: early\n\n");
  Client a(port()), also(port()), b(port());
  a.send(getRequest("/stream/a"));
  also.send(getRequest("/stream/a"));
  b.send(getRequest("/stream/b"));
  EXPECT_THAT(a.readFor("early"), HasSubstr("early")) << "the last one is sent to who comes later";
  also.readFor("early");
  waitForListeners(2);
  server_.publish("/stream/a", "event: x\ndata: late\n\n");
  EXPECT_THAT(a.readFor("late"), HasSubstr("data: late\n\n"));
  EXPECT_THAT(also.readFor("late"), HasSubstr("data: late\n\n"));
  EXPECT_THAT(b.readFor(":\n\n"), ::testing::Not(HasSubstr("late"))) << "signs of life alone";
}

TEST_F(HttpServerTest, WhoLeavesIsForgotten) {
  {
    Client client(port());
    client.send(getRequest("/stream/a"));
    waitForListeners(1);
  }
  waitForListeners(0);
  server_.publish("/stream/a", "data: x\n\n");
  expectWell();
}

TEST_F(HttpServerTest, StreamsAreNumbered) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(port()));
    clients.back()->send(getRequest("/stream/a"));
    EXPECT_EQ(statusOf(clients.back()->readFor("\r\n\r\n")), 200);
  }
  EXPECT_EQ(statusOf(fetch(port(), "/stream/a")), 503);
  EXPECT_EQ(statusOf(fetch(port(), "/stream/a", "", "HEAD")), 200) << "ends at once";
  expectWell();
}

TEST_F(HttpServerTest, AListenerThatDoesNotReadMissesEventsAndHoldsUpNobodyOnTheClock) {
  Client slow(port()), fast(port());
  slow.send(getRequest("/stream/a"));
  fast.send(getRequest("/stream/a"));
  waitForListeners(1);
  slow.readFor("\r\n\r\n");
  fast.readFor("\r\n\r\n");
  for (int i = 0; i < 20; ++i) {
    const std::string name = "<" + std::to_string(i) + ">";
    server_.publish("/stream/a", std::string(1 << 20, '0' + i) + name + "\n\n");
    EXPECT_THAT(fast.readFor(name), HasSubstr(name));
    fast.forget();
  }
  const std::string seen = slow.readFor("<19>", 0.3);
  EXPECT_LT(seen.size(), 19u << 20);
}

TEST_F(HttpServerTest, EndsAtOnceWithStreamsOpenOnTheClock) {
  auto server = std::make_unique<HttpServer>("127.0.0.1", 0, hello);
  auto running = std::make_unique<Running<HttpServer>>(*server);
  Client stream(server->port()), half(server->port());
  stream.send(getRequest("/stream/a"));
  stream.readFor("\r\n\r\n");
  half.send("GET /");
  const auto start = std::chrono::steady_clock::now();
  running.reset();
  EXPECT_LT(secondsSince(start), 0.5);
  stream.readAll();
  EXPECT_TRUE(stream.ended());
}

TEST_F(HttpServerTest, WhereItCannotListenIsSaid) {
  EXPECT_THAT(
      messageOf<UsageError>([&] { HttpServer("127.0.0.1", port(), hello); }),
      AllOf(HasSubstr("port " + std::to_string(port()) + " is taken"), HasSubstr("--port")));
  EXPECT_THAT(messageOf<UsageError>([&] { HttpServer("no such host", 0, hello); }),
              HasSubstr("--host no such host: "));
  EXPECT_THAT(messageOf<UsageError>([&] { HttpServer("192.0.2.1", 0, hello); }),
              HasSubstr("--host 192.0.2.1: "));
}

TEST(HttpServerUrl, IsOneToGoTo) {
  const HttpServer all("0.0.0.0", 0, hello);
  EXPECT_EQ(all.url(), "http://127.0.0.1:" + std::to_string(all.port()) + "/");
  EXPECT_FALSE(all.loopback());
  EXPECT_TRUE(HttpServer("127.0.0.1", 0, hello).loopback());
}

}  // namespace
}  // namespace toguz
