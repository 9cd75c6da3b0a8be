// A page for a browser as one self-contained HTML file: style, chart library, script and data are
// all within, so it opens from the disk without a network and can be sent to anyone.
//
// The assets (report/page/) and the chart library (Chart.js, MIT) are part of the program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/position.h"

namespace toguz {

// `title` is plain text. `data` is what the script of report/page/run.js reads.
std::string runPage(std::string_view title, const nlohmann::ordered_json& data);
// The page of a run under way, for a server: what runReport says comes as server-sent events of the
// name "report" from the address `events`, each whole, with "now" and "updated" (ms since 1970), or
// as events "problem" with {"problem": text}.
std::string liveRunPage(std::string_view title, const std::string& events);
// The list of runs, the same way: events "runs" for report/page/runs.js.
std::string runsPage(std::string_view title, const std::string& events);
// The same as runPage for report/page/review.js: games with what the engine says of them.
std::string reviewPage(std::string_view title, const nlohmann::ordered_json& data);

// A position as the pages' board takes it.
nlohmann::ordered_json pagePosition(const RuleSet& rules, const Position& position);

}  // namespace toguz
