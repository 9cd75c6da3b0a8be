// What is served, to whom, and how training runs are followed.
#include "serve/site_server.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "serve/run_feed.h"
#include "store/chunk.h"
#include "tests/serve/client.h"
#include "tests/training/records.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::AllOf;
using testing::bodyOf;
using testing::Client;
using testing::fetch;
using testing::getRequest;
using ::testing::HasSubstr;
using testing::headerOf;
using testing::messageOf;
using ::testing::Not;
using testing::Running;
using testing::statusOf;
using testing::TemporaryFolder;

constexpr const char* kPage =
    "<html><head><title>x</title><script>1</script></head><body>the page</body></html>";

std::string trainLine(int step) {
  return Json({{"step", step},
               {"kind", "train"},
               {"elapsed", 6 * step},
               {"generation", step},
               {"games", 10 * step},
               {"losses", {{"policy", 2.0 / step}}}})
             .dump() +
         "\n";
}

class SiteTest : public ::testing::Test {
 protected:
  SiteTest() { addRun("first"); }
  void addRun(const std::string& name) {
    fs::create_directories(folder_ / name / "games");
    writeFileAtomically(folder_ / name / "config.toml", "[game]\nvariant = \"seven\"\n");
    append(name, trainLine(10));
  }
  void append(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name / "metrics.jsonl", std::ios::app) << text;
  }
  void start(std::optional<std::string> page = kPage) {
    ServeOptions options;
    options.port = 0;
    options.page = std::move(page);
    options.runs = {folder_.path()};
    options.interval = std::chrono::milliseconds(20);
    server_ = std::make_unique<SiteServer>(options);
    running_ = std::make_unique<Running<SiteServer>>(*server_);
  }
  int port() const { return server_->http().port(); }
  // The data of the next event of that name on a stream.
  Json next(Client& client, const std::string& name) {
    const std::string start = "event: " + name + "\ndata: ";
    const std::string got = client.read([&](const std::string& text) {
      const std::size_t at = text.find(start);
      return at != std::string::npos && text.find("\n\n", at) != std::string::npos;
    });
    client.forget();
    const std::size_t at = got.find(start);
    if (at == std::string::npos) return nullptr;
    const std::size_t from = at + start.size();
    return Json::parse(got.substr(from, got.find('\n', from) - from));
  }

  TemporaryFolder folder_;
  std::unique_ptr<SiteServer> server_;
  std::unique_ptr<Running<SiteServer>> running_;
};

TEST_F(SiteTest, ThePageIsAnAppThatStaysWithItsUser) {
  start();
  const std::string page = fetch(port(), "/");
  EXPECT_EQ(statusOf(page), 200);
  EXPECT_THAT(bodyOf(page), AllOf(HasSubstr("the page"), HasSubstr("rel=\"manifest\"")));
  const std::string tag = headerOf(page, "ETag");
  EXPECT_EQ(statusOf(fetch(port(), "/?level=3", "If-None-Match: W/\"x\", " + tag + "\r\n")), 304);
  EXPECT_EQ(statusOf(fetch(port(), "/", "If-None-Match: \"x\"\r\n")), 200);
  EXPECT_EQ(headerOf(page, "Cache-Control"), "no-cache");
  const std::string worker = fetch(port(), "/sw.js");
  EXPECT_THAT(bodyOf(worker), HasSubstr("'toguz-" + tag.substr(1, tag.size() - 2) + "'"));
  EXPECT_THAT(headerOf(worker, "Content-Type"), HasSubstr("text/javascript"));
  const Json manifest = Json::parse(bodyOf(fetch(port(), "/manifest.webmanifest")));
  for (const Json& icon : manifest["icons"])
    EXPECT_EQ(headerOf(fetch(port(), icon["src"]), "Content-Type"), icon["type"]);
  EXPECT_EQ(headerOf(fetch(port(), "/icon.svg"), "Content-Type"), "image/svg+xml");
}

TEST_F(SiteTest, WithoutThePageItSaysHowToBuildIt) {
  start(std::nullopt);
  const std::string page = fetch(port(), "/");
  EXPECT_EQ(statusOf(page), 503);
  EXPECT_THAT(bodyOf(page), HasSubstr("scripts/build_web.sh"));
  EXPECT_EQ(statusOf(fetch(port(), "/sw.js")), 404);
  EXPECT_EQ(statusOf(fetch(port(), "/run/first")), 200);
}

TEST_F(SiteTest, EveryAnswerIsGuarded) {
  start();
  for (const char* path : {"/", "/sw.js", "/runs", "/run/first", "/nothing"}) {
    const std::string answer = fetch(port(), path);
    EXPECT_EQ(headerOf(answer, "X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(headerOf(answer, "Referrer-Policy"), "no-referrer") << path;
    EXPECT_EQ(headerOf(answer, "X-Frame-Options"), "DENY") << path;
    EXPECT_THAT(headerOf(answer, "Content-Security-Policy"), HasSubstr("default-src 'none'"))
        << path;
    EXPECT_EQ(headerOf(answer, "Access-Control-Allow-Origin"), "") << path;
  }
  EXPECT_THAT(headerOf(fetch(port(), "/"), "Content-Security-Policy"),
              AllOf(HasSubstr("'sha256-"), HasSubstr("'wasm-unsafe-eval'"),
                    HasSubstr("worker-src 'self' blob:"), HasSubstr("frame-ancestors 'none'"),
                    Not(HasSubstr("script-src 'unsafe-inline'"))));
}

TEST_F(SiteTest, NothingElseIsServed) {
  start();
  writeFileAtomically(folder_ / "secret.txt", "secret");
  for (const char* path : {"/secret.txt",
                           "/run/first/config.toml",
                           "/run/first/",
                           "/run/../secret.txt",
                           "/run/%2e%2e/secret.txt",
                           "/run/%2e%2e%2fsecret.txt",
                           "/run/first%2f..%2f..%2fsecret.txt",
                           "/../../../../etc/passwd",
                           "/%2e%2e/%2e%2e/etc/passwd",
                           "/..%5c..%5cetc/passwd",
                           "//etc/passwd",
                           "/run/",
                           "/run/.",
                           "/run/..",
                           "/run//first",
                           "/run/%252e%252e",
                           "/run",
                           "/run//events",
                           "/runs/",
                           "/index.html",
                           "/favicon.ico"}) {
    const std::string answer = fetch(port(), path);
    EXPECT_EQ(statusOf(answer), 404) << path;
    EXPECT_THAT(answer, Not(HasSubstr("secret"))) << path;
  }
  EXPECT_EQ(statusOf(fetch(port(), "/%00")), 400);
}

TEST_F(SiteTest, OnlyReadingAndOnlyFromHere) {
  start();
  const std::string post = fetch(port(), "/", "Content-Length: 3\r\n", "POST");
  EXPECT_EQ(statusOf(post), 405);
  EXPECT_EQ(headerOf(post, "Allow"), "GET, HEAD");
  EXPECT_EQ(statusOf(fetch(port(), "/", "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(statusOf(fetch(port(), "/run/first/events", "Origin: null\r\n")), 403);
  Client rebound(port());
  rebound.send("GET /runs HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(statusOf(rebound.readFor("\r\n\r\n")), 403);
}

TEST_F(SiteTest, ARunIsFollowedAsItsFilesGrow) {
  start();
  EXPECT_THAT(bodyOf(fetch(port(), "/run/first")), HasSubstr("/run/first/events"));
  Client client(port());
  client.send(getRequest("/run/first/events"));
  Json report = next(client, "report");
  EXPECT_EQ(report["train"]["minutes"], Json({1.0}));
  EXPECT_TRUE(report["now"].is_number());
  EXPECT_TRUE(report["updated"].is_number());
  append("first", trainLine(20));
  report = next(client, "report");
  EXPECT_EQ(report["train"]["minutes"], Json({1.0, 2.0}));
  EXPECT_EQ(report["train"]["policy"][1], 0.1);
  writeFileAtomically(folder_ / "first/games/00000000.tzg",
                      encodeChunk(testing::randomRecords(0, 20, Rules::named("seven"))));
  report = next(client, "report");
  EXPECT_EQ(report["annotated"].size(), 6u);
  writeFileAtomically(folder_ / "first/rating.json",
                      R"({"nodes":100,"players":[{"name":"generation 10","elo":250.5,"error":6}],
                          "curve":[{"generation":10,"step":10,"elo":1,"error":1}]})");
  report = next(client, "report");
  EXPECT_EQ(report["rating"]["curve"][0]["elo"], 250.5);
}

TEST_F(SiteTest, WorkersComeAndGoOnTheDashboard) {
  start();
  Client client(port());
  client.send(getRequest("/run/first/events"));
  EXPECT_FALSE(next(client, "report").contains("workers")) << "nobody plays for it yet";
  const auto list = [&](int generation) {
    const Json worker = {{"format", 1},
                         {"id", "00000000000000a1"},
                         {"host", "</script><b>host"},
                         {"process", 7},
                         {"threads", 4},
                         {"seconds", 60},
                         {"games", 30},
                         {"games_per_minute", 30},
                         {"simulations_per_second", 9000},
                         {"generation", generation},
                         {"model", std::string(64, '0')},
                         {"spooled_games", 2},
                         {"plays_matches", true},
                         {"match_games", 0},
                         {"seconds_ago", 1}};
    writeFileAtomically(folder_ / "first/workers.json",
                        Json({{"workers", Json::array({worker})}}).dump());
  };
  list(12);
  Json workers = next(client, "report")["workers"];
  ASSERT_EQ(workers["list"].size(), 1u);
  EXPECT_EQ(workers["list"][0]["host"], "</script><b>host");
  list(13);
  EXPECT_EQ(next(client, "report")["workers"]["list"][0]["generation"], 13)
      << "that file alone has changed";
  writeFileAtomically(folder_ / "first/workers.json", "{\"workers\":[");
  const Json damaged = next(client, "report");
  EXPECT_THAT(damaged["workers"]["problem"].get<std::string>(), HasSubstr("workers.json"));
  EXPECT_EQ(damaged["train"]["minutes"].size(), 1u) << "the rest is there";
  append("first", R"({"step":10,"kind":"workers","elapsed":70,"workers_alive":0})"
                  "\n");
  writeFileAtomically(folder_ / "first/workers.json", R"({"workers":[]})");
  do {
    workers = next(client, "report")["workers"];
  } while (workers.contains("problem"));
  EXPECT_TRUE(workers["list"].empty());
  EXPECT_EQ(workers["last"]["workers_alive"], 0);
}

TEST_F(SiteTest, AHalfWrittenRunIsNoEnd) {
  start();
  Client client(port());
  client.send(getRequest("/run/first/events"));
  next(client, "report");
  append("first", "{\"step\":20,\"kind\":\"tr");  // under way
  EXPECT_EQ(next(client, "report")["train"]["minutes"].size(), 1u);
  append("first", "\n");  // and left so
  EXPECT_THAT(next(client, "problem")["problem"].get<std::string>(), HasSubstr("metrics.jsonl:2"));
  writeFileAtomically(folder_ / "first/metrics.jsonl", trainLine(10) + trainLine(30));
  EXPECT_EQ(next(client, "report")["train"]["minutes"].size(), 2u);
  fs::remove(folder_ / "first/config.toml");
  EXPECT_THAT(next(client, "problem")["problem"].get<std::string>(), HasSubstr("gone"));
  EXPECT_EQ(statusOf(fetch(port(), "/run/first")), 404);
  EXPECT_EQ(statusOf(fetch(port(), "/runs")), 200);
}

TEST_F(SiteTest, TheListOfRunsGrowsWithThem) {
  start();
  Client client(port());
  client.send(getRequest("/runs/events"));
  Json list = next(client, "runs");
  ASSERT_EQ(list["runs"].size(), 1u);
  EXPECT_EQ(list["runs"][0]["name"], "first");
  EXPECT_EQ(list["runs"][0]["variant"], "seven");
  EXPECT_EQ(list["runs"][0]["minutes"], 1.0);
  EXPECT_EQ(list["runs"][0]["games"], 100);
  EXPECT_TRUE(list["runs"][0]["elo"].is_null());
  addRun("a run <b>");
  do {
    list = next(client, "runs");
  } while (list.is_object() && list["runs"].size() == 2 && list["runs"][0]["games"].is_null());
  ASSERT_EQ(list["runs"].size(), 2u);
  EXPECT_EQ(list["runs"][0]["name"], "a run <b>") << "the newest first";
  const std::string page = fetch(port(), "/run/a%20run%20%3Cb%3E");
  EXPECT_EQ(statusOf(page), 200);
  EXPECT_THAT(page, AllOf(HasSubstr("a run &lt;b&gt;"), Not(HasSubstr("run <b>"))));
}

TEST_F(SiteTest, TheListOutlivesDamagedRuns) {
  writeFileAtomically(folder_ / "first/metrics.jsonl",
                      "\xff\xfe\n{}\n[]\n" + std::string(90000, '{'));
  writeFileAtomically(folder_ / "first/config.toml", "[[[");
  writeFileAtomically(folder_ / "first/rating.json", "{\"curve\":[5]}");
  start();
  Client client(port());
  client.send(getRequest("/runs/events"));
  const Json list = next(client, "runs");
  ASSERT_EQ(list["runs"].size(), 1u);
  EXPECT_TRUE(list["runs"][0]["variant"].is_null());
  EXPECT_TRUE(list["runs"][0]["games"].is_null());
}

TEST(RunFolders, NamesOfSeveralPlaces) {
  TemporaryFolder folder;
  for (const char* run : {"a/one", "a/two", "b/one"}) {
    fs::create_directories(folder / run);
    writeFileAtomically(folder / run / "config.toml", "");
  }
  fs::create_directories(folder / "a/none");
  const RunFolders runs({folder / "a", folder / "b/one/"});
  std::vector<std::string> names;
  for (const NamedRun& run : runs.list()) names.push_back(run.name);
  EXPECT_THAT(names, ::testing::ElementsAre("one", "two", "one~2"));
  EXPECT_THAT(messageOf<UsageError>([&] { RunFolders({folder / "c"}); }), HasSubstr("--run "));
}

}  // namespace
}  // namespace toguz
