#include "serve/policy.h"

#include <gmock/gmock.h>

#include <sstream>

namespace toguz {
namespace {

using ::testing::HasSubstr;

// "METHOD target HTTP/1.1" and headers, as the server hands them on.
HttpRequest asked(const std::string& lines) {
  HttpRequest request;
  std::istringstream in(lines);
  std::string target, line;
  in >> request.method >> target;
  if (target.starts_with('/')) request.path = target;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(": ");
    std::string name = line.substr(0, colon);
    name[0] = static_cast<char>(std::tolower(name[0]));
    request.headers.emplace_back(name, line.substr(colon + 2, line.size() - colon - 3));
  }
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
