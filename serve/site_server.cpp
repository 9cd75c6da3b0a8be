#include "serve/site_server.h"

namespace toguz {

SiteServer::SiteServer(const ServeOptions& options)
    : folders_(options.runs),
      site_(options.page, folders_, options.host,
            [this](const std::string& topic) { feed_.want(topic); }),
      server_(
          options.host, options.port,
          [this](const HttpRequest& request) { return site_.answer(request); }, options.limits),
      feed_(server_, folders_, options.interval) {}

}  // namespace toguz
