#include "serve/http.h"

#include <algorithm>
#include <cctype>

namespace toguz {
namespace {

constexpr std::size_t kMostHeaders = 100;

bool isToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool isVisible(unsigned char c) {
  return c > 0x20 && c < 0x7f;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// False for an escape that is none, or of a byte that no path has.
bool decodePath(std::string_view target, std::string& path) {
  target = target.substr(0, target.find_first_of("?#"));
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] != '%') {
      path += target[i];
      continue;
    }
    if (i + 2 >= target.size()) return false;
    const int high = hexDigit(target[i + 1]), low = hexDigit(target[i + 2]);
    if (high < 0 || low < 0 || 16 * high + low < 0x20) return false;
    path += static_cast<char>(16 * high + low);
    i += 2;
  }
  return true;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "METHOD SP target SP HTTP/1.x"; returns the fault.
int parseRequestLine(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return 400;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!isToken(request.method)) return 400;
  if (request.target.empty() ||
      !std::all_of(request.target.begin(), request.target.end(), isVisible))
    return 400;
  if (!version.starts_with("HTTP/")) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return 505;
  request.keepAlive = version == "HTTP/1.1";
  if (request.target.front() == '/' && !decodePath(request.target, request.path)) return 400;
  return 0;
}

int parseHeader(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !isToken(line.substr(0, colon))) return 400;
  const std::string_view value = withoutBlanks(line.substr(colon + 1));
  for (const unsigned char c : value)
    if ((c < 0x20 && c != '\t') || c == 0x7f) return 400;
  if (request.headers.size() == kMostHeaders) return 431;
  request.headers.emplace_back(lower(line.substr(0, colon)), value);
  return 0;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

const std::string* HttpRequest::header(std::string_view name) const {
  const std::string* found = nullptr;
  for (const auto& [key, value] : headers) {
    if (key != name) continue;
    if (found) return nullptr;
    found = &value;
  }
  return found;
}

HttpHead parseHead(std::string_view bytes, HttpRequest& request) {
  const auto fault = [](int status) { return HttpHead{0, status}; };
  request = {};
  std::size_t at = 0;
  while (bytes.substr(at).starts_with("\r\n")) at += 2;  // allowed before a request
  bool first = true;
  for (;;) {
    const std::string_view rest = bytes.substr(at, kMostHeadBytes);
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    // Before its end is seen, a line tells already that this is no HTTP.
    for (std::size_t i = 0; i < line.size(); ++i) {
      const auto c = static_cast<unsigned char>(line[i]);
      if (c == '\r' ? i + 1 != line.size() : c == 0 || (first && c != ' ' && !isVisible(c)))
        return fault(400);
    }
    if (end == std::string_view::npos)
      return bytes.size() >= kMostHeadBytes ? fault(431) : HttpHead{};
    if (line.empty() || line.back() != '\r') return fault(400);
    at += end + 1;
    if (at > kMostHeadBytes) return fault(431);
    const std::string_view text = line.substr(0, line.size() - 1);
    if (text.empty()) break;
    if (const int status = first ? parseRequestLine(text, request) : parseHeader(text, request))
      return fault(status);
    first = false;
  }
  for (const auto& [name, value] : request.headers) {
    if (name == "connection" && lower(value).find("close") != std::string::npos)
      request.keepAlive = false;
    if (name == "transfer-encoding" || (name == "content-length" && value != "0"))
      request.hasBody = true;
  }
  return {at, 0};
}

std::string headText(const HttpResponse& response, bool close) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " " + reason(response.status) + "\r\n";
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  if (response.topic.empty() && response.status != 304)
    text += "Content-Length: " + std::to_string(response.body ? response.body->size() : 0) + "\r\n";
  return text + (close ? "Connection: close\r\n\r\n" : "\r\n");
}

}  // namespace toguz
