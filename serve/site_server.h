// The server of the page and of training runs: `toguz serve`.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/http_server.h"
#include "serve/run_feed.h"
#include "serve/run_folders.h"
#include "serve/site.h"

namespace toguz {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8000;
  std::optional<std::string> page;           // as Site takes it
  std::vector<std::filesystem::path> runs;   // as RunFolders takes them
  std::chrono::milliseconds interval{1000};  // between two looks at a run's files
  ServerLimits limits;
};

class SiteServer {
 public:
  // Throws UsageError if it cannot listen there, or a folder of runs is none.
  explicit SiteServer(const ServeOptions& options);

  const HttpServer& http() const { return server_; }
  void run() { server_.run(); }
  void stop() noexcept { server_.stop(); }  // as HttpServer's

 private:
  RunFolders folders_;
  Site site_;
  HttpServer server_;
  RunFeed feed_;
};

}  // namespace toguz
