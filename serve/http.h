// HTTP/1 as far as a server needs it that only gives things out: the head of a request, which is
// all of it, and the head of an answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toguz {

struct HttpRequest {
  std::string method, target;  // as sent
  std::string path;            // decoded, without the query; "" for a target that is not a path
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  bool keepAlive = false;  // the sender takes more than one answer on the connection
  bool hasBody = false;    // a body is announced; nobody reads it here
  std::string address;     // of the server, as the connection reached it: "127.0.0.1", "::1"

  // The value of the only header of that name; null if there is none or more than one.
  const std::string* header(std::string_view name) const;
};

struct HttpHead {
  // How many bytes the request takes; 0 while it is not all there.
  std::size_t size = 0;
  // What is wrong as early as it can be seen: 400, 431 (too large) or 505; 0 if nothing is.
  int fault = 0;
};
inline constexpr std::size_t kMostHeadBytes = 32768;  // cookies of all ports of this machine come
HttpHead parseHead(std::string_view bytes, HttpRequest& request);

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // Content-Length is added
  std::shared_ptr<const std::string> body;
  // Not empty: the connection stays open, and what is published under this name is sent on it.
  std::string topic;
};
// The line and headers with the empty line after them.
std::string headText(const HttpResponse& response, bool close);

}  // namespace toguz
