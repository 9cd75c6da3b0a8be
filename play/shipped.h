// Where the engines that come with the program are.
#pragma once

#include <filesystem>
#include <optional>

#include "core/rules.h"

namespace toguz {

// The model file shipped for these rules: VARIANT.tzn in the first of the folders
// $TOGUZ_MODELS, models/pretrained here, share/toguz beside the program's folder, and the source
// tree that the program was built from. Empty if there is none, as for rules with switches.
std::optional<std::filesystem::path> shippedModel(const Rules& rules);

}  // namespace toguz
