#include "serve/http.h"

#include <gmock/gmock.h>

#include "base/rng.h"
#include "serve/policy.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;

int faultOf(const std::string& bytes) {
  HttpRequest request;
  return parseHead(bytes, request).fault;
}

HttpRequest parsed(const std::string& bytes) {
  HttpRequest request;
  const HttpHead head = parseHead(bytes, request);
  EXPECT_EQ(head.fault, 0) << bytes;
  EXPECT_EQ(head.size, bytes.size()) << bytes;
  return request;
}

TEST(HttpHead, AsBrowsersSendIt) {
  const std::string bytes =
      "GET /run/a%20b%2Fc?x=%zz#f HTTP/1.1\r\nHost:  localhost:8000 \r\nACCEPT: */*\r\n\r\n";
  const HttpRequest request = parsed(bytes);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/run/a b/c");
  EXPECT_EQ(*request.header("host"), "localhost:8000");
  EXPECT_EQ(*request.header("accept"), "*/*");
  EXPECT_EQ(request.header("origin"), nullptr);
  EXPECT_TRUE(request.keepAlive);
  EXPECT_FALSE(request.hasBody);
  HttpRequest again;
  EXPECT_EQ(parseHead(bytes + "GET /next", again).size, bytes.size());
}

TEST(HttpHead, EveryBeginningIsIncomplete) {
  const std::string bytes = "\r\nGET / HTTP/1.1\r\nHost: a\r\nCookie: b=c; d\r\n\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    HttpRequest request;
    const HttpHead head = parseHead(bytes.substr(0, size), request);
    EXPECT_EQ(head.size, 0u) << size;
    EXPECT_EQ(head.fault, 0) << size;
  }
  parsed(bytes);
}

TEST(HttpHead, ConnectionsAndBodies) {
  EXPECT_FALSE(parsed("GET / HTTP/1.0\r\n\r\n").keepAlive);
  EXPECT_FALSE(parsed("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").keepAlive);
  EXPECT_TRUE(parsed("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n").hasBody);
  EXPECT_TRUE(parsed("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").hasBody);
  EXPECT_FALSE(parsed("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").hasBody);
}

TEST(HttpHead, FaultsAreSeenEarly) {
  for (const char* bad : {"\x16\x03\x01",
                          "GET /\r\n",
                          "GET /\n",
                          "GET / HTTP/1.1\nHost: a\n\n",
                          "G@T / HTTP/1.1\r\n",
                          "GET  HTTP/1.1\r\n",
                          " / HTTP/1.1\r\n",
                          "GET / FTP/1.1\r\n",
                          "GET /%0 HTTP/1.1\r\n",
                          "GET /%00 HTTP/1.1\r\n",
                          "GET /%zz HTTP/1.1\r\n",
                          "GET /\xc3\xa9 HTTP/1.1\r\n",
                          "GET /\ta HTTP/1.1\r\n",
                          "GET / HTTP/1.1\r\nHost\r\n",
                          "GET / HTTP/1.1\r\nHost : a\r\n",
                          "GET / HTTP/1.1\r\n folded: a\r\n",
                          "GET / HTTP/1.1\r\n: a\r\n",
                          "GET / HTTP/1.1\r\nHost: a\rb\r\n",
                          "GET / HTTP/1.1\r\nHost: \x01\r\n",
                          "\r\r"})
    EXPECT_EQ(faultOf(bad), 400) << bad;
  EXPECT_EQ(faultOf(std::string("GET / HTTP/1.1\r\nHost: a\0b", 26)), 400);
  EXPECT_EQ(faultOf("GET / HTTP/2.0\r\n"), 505);
  EXPECT_EQ(faultOf("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505);
}

TEST(HttpHead, SizesAreBounded) {
  EXPECT_EQ(faultOf("GET /" + std::string(kMostHeadBytes, 'a')), 431);
  EXPECT_EQ(faultOf("GET / HTTP/1.1\r\nA: " + std::string(kMostHeadBytes, 'a')), 431);
  std::string many = "GET / HTTP/1.1\r\n", blank;
  for (int i = 0; i < 101; ++i) many += "A: b\r\n";
  EXPECT_EQ(faultOf(many), 431);
  for (std::size_t i = 0; i < kMostHeadBytes; i += 2) blank += "\r\n";
  EXPECT_EQ(faultOf(blank), 431);
}

TEST(HttpHead, NoBytesAreTooMuch) {
  Rng rng(7);
  const std::string pieces[] = {"GET ", "/", " HTTP/1.1", "\r\n", "Host", ": ", "%2", "\n", "\r"};
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (int k = 0; k < 12; ++k) {
      bytes += pieces[rng.below(9)];
      if (rng.chance(0.1)) bytes += static_cast<char>(rng.below(256));
    }
    HttpRequest request;
    const HttpHead head = parseHead(bytes, request);
    EXPECT_LE(head.size, bytes.size());
  }
}

HttpRequest asked(const std::string& lines) {
  HttpRequest request = parsed(lines + "\r\n");
  request.address = "192.168.1.5";
  return request;
}

TEST(Refusal, OnlyReadingByTheNameOfThisMachine) {
  for (const char* host : {"localhost", "LOCALHOST:8000", "127.0.0.1:1", "127.1.2.3", "[::1]:80",
                           "192.168.1.5:8000", "my.host"})
    EXPECT_EQ(refusal(asked(std::string("GET / HTTP/1.1\r\nHost: ") + host + "\r\n"), "my.host"), 0)
        << host;
  for (const char* host :
       {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.0.1",
        "192.168.1.6", "evil.example:8000", "[::2]", "0.0.0.0", "localhost."})
    EXPECT_EQ(refusal(asked(std::string("GET / HTTP/1.1\r\nHost: ") + host + "\r\n"), "my.host"),
              403)
        << host;
  for (const char* lines :
       {"GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: \r\n", "GET / HTTP/1.1\r\nHost: a:b\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n",
        "GET / HTTP/1.1\r\nHost: localhost@evil\r\nHost: localhost\r\n",
        "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n",
        "GET * HTTP/1.1\r\nHost: localhost\r\n", "GET / HTTP/1.1\r\nHost: [::1\r\n"})
    EXPECT_EQ(refusal(asked(lines), "my.host"), 400) << lines;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH", "get", "X"})
    EXPECT_EQ(refusal(asked(std::string(method) + " / HTTP/1.1\r\nHost: localhost\r\n"), ""), 405);
}

TEST(Refusal, ForeignOrigins) {
  const std::string lines = "GET / HTTP/1.1\r\nHost: localhost:8000\r\nOrigin: ";
  EXPECT_EQ(refusal(asked(lines + "http://localhost:8000\r\n"), ""), 0);
  for (const char* origin :
       {"http://evil.example", "null", "http://localhost:8001", "http://localhost:8000.evil", "",
        "http://localhost:8000\r\nOrigin: x"})
    EXPECT_EQ(refusal(asked(lines + origin + "\r\n"), ""), 403) << origin;
}

TEST(PagePolicy, ScriptsByTheirHashes) {
  const std::string policy = pagePolicy(
      "<script>alert(1)</script><script type=\"application/json\">{}</script>"
      "<script type=\"module\" crossorigin>abc</script><script src=\"x.js\"></script><script");
  // The second is the SHA-256 of "abc".
  EXPECT_THAT(policy, HasSubstr("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=' "
                                "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=' "
                                "'wasm-unsafe-eval'; "));
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
}

}  // namespace
}  // namespace toguz
