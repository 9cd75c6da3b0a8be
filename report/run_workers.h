// Who plays for a run: the workers of other processes, for its page. Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/metric_lines.h"
#include "training/run_directory.h"

namespace toguz {

// {"over": columns, "last": figures, "rejected": [[reason, records]], "models": [[generation,
// workers]], "list": [{host, id, threads, ...}], "problem": text}; null where no other process has
// ever played for the run. A workers.json that cannot be read becomes the "problem": it is written
// anew every few seconds and the rest of the page does not depend on it.
nlohmann::ordered_json workersReport(const RunPaths& run,
                                     const std::vector<nlohmann::ordered_json>& lines,
                                     const RunClock& clock, int points);

}  // namespace toguz
