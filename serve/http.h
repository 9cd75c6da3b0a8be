// A request as it is answered, and an answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toguz {

struct HttpRequest {
  std::string method;  // as sent
  std::string path;    // decoded, without the query; "" for a target that is not a path
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string address;  // of the server, as the connection reached it: "127.0.0.1", "::1"

  // The value of the only header of that name; null if there is none or more than one.
  const std::string* header(std::string_view name) const {
    const std::string* found = nullptr;
    for (const auto& [key, value] : headers) {
      if (key != name) continue;
      if (found) return nullptr;
      found = &value;
    }
    return found;
  }
  bool has(std::string_view name) const {
    for (const auto& header : headers)
      if (header.first == name) return true;
    return false;
  }
};

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // Content-Length is added
  std::shared_ptr<const std::string> body;
  // Not empty: the connection stays open, and what is published under this name is sent on it.
  std::string topic;
};

}  // namespace toguz
