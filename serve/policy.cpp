#include "serve/policy.h"

#include <algorithm>
#include <cctype>

#include "base/hash.h"
#include "serve/encoding.h"

namespace toguz {
namespace {

// "name:8000" and "[::1]:8000" without their ports; empty if it is neither.
std::string hostName(std::string_view host) {
  std::string name;
  std::string_view port;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return {};
    name = host.substr(1, end - 1);
    port = host.substr(end + 1);
  } else {
    name = host.substr(0, host.find(':'));
    port = host.substr(name.size());
  }
  if (!port.empty() &&
      (port.front() != ':' || port.find_first_not_of("0123456789", 1) != std::string_view::npos))
    return {};
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// 127.x.y.z, not 127.evil.example.
bool isLoopbackName(const std::string& name) {
  if (name == "localhost" || name == "::1") return true;
  return name.starts_with("127.") && std::count(name.begin(), name.end(), '.') == 3 &&
         name.find_first_not_of("0123456789.") == std::string::npos;
}

bool isScript(std::string_view attributes) {
  if (attributes.find("src=") != std::string_view::npos) return false;
  const std::size_t type = attributes.find("type=");
  if (type == std::string_view::npos) return true;
  std::string_view value = attributes.substr(type + 5);
  if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
  return value.starts_with("module") || value.starts_with("text/javascript");
}

}  // namespace

int refusal(const HttpRequest& request, const std::string& boundHost) {
  if (request.method != "GET" && request.method != "HEAD") return 405;
  const std::string* host = request.header("host");
  if (!host || request.path.empty()) return 400;
  const std::string name = hostName(*host);
  if (name.empty()) return 400;
  if (!isLoopbackName(name) && name != boundHost && name != request.address) return 403;
  const std::string* origin = request.header("origin");
  if (request.has("origin") &&
      (!origin || (*origin != "http://" + *host && *origin != "https://" + *host)))
    return 403;
  return 0;
}

std::string pagePolicy(std::string_view html) {
  std::string scripts;
  for (std::size_t at = 0; (at = html.find("<script", at)) != std::string_view::npos;) {
    const std::size_t open = html.find('>', at);
    const std::size_t close = html.find("</script>", at);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    if (isScript(html.substr(at, open - at)) && open < close) {
      const auto digest = sha256(html.substr(open + 1, close - open - 1));
      scripts +=
          " 'sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
    }
    at = close;
  }
  return "default-src 'none'; script-src" + scripts +
         " 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
         "font-src data:; media-src data: blob:; connect-src 'self' data: blob:; "
         "worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'";
}

}  // namespace toguz
