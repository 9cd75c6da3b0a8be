#include "serve/site.h"

#include "base/hash.h"
#include "report/page.h"
#include "serve/assets.h"
#include "serve/policy.h"
#include "serve/run_feed.h"

namespace toguz {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kHtml = "text/html; charset=utf-8";
// A service worker asks its server, and nobody else.
constexpr const char* kWorkerPolicy = "default-src 'none'; connect-src 'self'";

// The page from the disk has none of this: there it would only be errors in the console. The page
// itself asks for the worker.
constexpr std::string_view kServedHead =
    "<link rel=\"manifest\" href=\"/manifest.webmanifest\">"
    "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">"
    "<link rel=\"apple-touch-icon\" href=\"/icon-192.png\">"
    "<meta name=\"toguz-runs\" content=\"/runs\">";

HttpResponse response(std::string body, const char* type, const std::string& policy,
                      int status = 200) {
  return {status,
          {{"Content-Type", type},
           {"Content-Security-Policy", policy},
           {"Cache-Control", "no-cache"},
           {"X-Content-Type-Options", "nosniff"},
           {"Referrer-Policy", "no-referrer"},
           {"X-Frame-Options", "DENY"},
           {"Cross-Origin-Opener-Policy", "same-origin"},
           {"Cross-Origin-Resource-Policy", "same-origin"}},
          std::make_shared<const std::string>(std::move(body)),
          {}};
}

const char* words(int status) {
  switch (status) {
    case 403:
      return "Refused: this server answers to pages of its own on this machine.\n";
    case 404:
      return "There is nothing here.\n";
    case 405:
      return "Everything here can only be read.\n";
    default:
      return "The request is not understood.\n";
  }
}

HttpResponse refuse(int status) {
  HttpResponse out = response(words(status), "text/plain; charset=utf-8", kStrictPolicy, status);
  if (status == 405) out.headers.emplace_back("Allow", "GET, HEAD");
  return out;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out(text);
  const std::size_t at = out.find(what);
  if (at != std::string::npos) out.replace(at, what.size(), by);
  return out;
}

bool matches(const std::string& wanted, const std::string& tag) {
  return wanted == "*" || wanted.find(tag) != std::string::npos;
}

}  // namespace

Site::Site(const std::optional<std::string>& page, const RunFolders& runs, std::string boundHost,
           std::function<void(const std::string&)> want)
    : runs_(runs), boundHost_(std::move(boundHost)), want_(std::move(want)) {
  add("/icon.svg", std::string(assets::kIcon), "image/svg+xml", kStrictPolicy);
  add("/icon-192.png", std::string(assets::kIcon192), "image/png", kStrictPolicy);
  add("/icon-512.png", std::string(assets::kIcon512), "image/png", kStrictPolicy);
  add("/manifest.webmanifest", std::string(assets::kManifest), "application/manifest+json",
      kStrictPolicy);
  const std::string list = runsPage("Training runs", RunFeed::kList);
  add("/runs", list, kHtml, pagePolicy(list));
  if (!page) {
    add("/", std::string(assets::kMissingHtml), kHtml, pagePolicy(assets::kMissingHtml), 503);
    return;
  }
  std::string served = replaced(*page, "<head>", "<head>" + std::string(kServedHead));
  // Another page is another worker, so that browsers come for both.
  add("/sw.js", replaced(assets::kWorkerJs, "{{version}}", hash128Hex(served)),
      "text/javascript; charset=utf-8", kWorkerPolicy);
  const std::string policy = pagePolicy(served);
  add("/", std::move(served), kHtml, policy);
}

void Site::add(const std::string& path, std::string body, const char* type,
               const std::string& policy, int status) {
  const std::string tag = "\"" + hash128Hex(body) + "\"";
  HttpResponse& made = fixed_[path] = response(std::move(body), type, policy, status);
  made.headers.emplace_back("ETag", tag);
}

HttpResponse Site::stream(const std::string& topic) const {
  want_(topic);
  HttpResponse out = response("", "text/event-stream", kStrictPolicy);
  for (auto& [name, value] : out.headers)
    if (name == "Cache-Control") value = "no-store";
  out.topic = topic;
  return out;
}

HttpResponse Site::answer(const HttpRequest& request) const {
  if (const int status = refusal(request, boundHost_)) return refuse(status);
  const std::string& path = request.path;
  if (const auto found = fixed_.find(path); found != fixed_.end()) {
    HttpResponse out = found->second;
    const std::string* wanted = request.header("if-none-match");
    if (wanted && out.status == 200 && matches(*wanted, out.headers.back().second)) {
      out.status = 304;
      out.body = nullptr;
    }
    return out;
  }
  if (path == RunFeed::kList) return stream(path);
  for (const NamedRun& run : runs_.list()) {
    if (path == RunFeed::topicOf(run.name)) return stream(path);
    if (path != "/run/" + run.name) continue;
    std::string html = liveRunPage("Toguz Zero: " + run.name, RunFeed::topicOf(run.name));
    const std::string policy = pagePolicy(html);
    return response(std::move(html), kHtml, policy);
  }
  return refuse(404);
}

}  // namespace toguz
