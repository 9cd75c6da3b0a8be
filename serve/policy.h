// What keeps other people's pages away from this machine's server, and foreign script out of its
// own. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "serve/http.h"

namespace toguz {

// 0, or the status to refuse with. Served are GET and HEAD of a path, asked for by the name of this
// machine: a loopback name, the host that the server was told to bind, or the address by which the
// connection came. So a name that a foreign site lets point here (DNS rebinding) is refused, and so
// is a request that the script of another origin makes.
int refusal(const HttpRequest& request, const std::string& boundHost);

// A Content-Security-Policy under which the page's own scripts run, each by its hash, with
// WebAssembly and workers of its making, and nothing else does.
std::string pagePolicy(std::string_view html);
// For what is no page.
inline constexpr const char* kStrictPolicy = "default-src 'none'; frame-ancestors 'none'";

}  // namespace toguz
