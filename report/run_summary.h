// What a list of runs says of each. Any thread.
#pragma once

#include <nlohmann/json.hpp>

#include "training/run_directory.h"

namespace toguz {

// {"variant", "minutes", "games", "generation", "elo", "elo_error"} of the newest figures; null
// where the run has none, or none that can be read.
nlohmann::ordered_json runSummary(const RunPaths& run);

}  // namespace toguz
