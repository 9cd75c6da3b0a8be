// Exercises in the forms in which a page and people read them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "analysis/exercises.h"

namespace toguz {

// docs/protocols.md describes it. The id is made of the variant and the position, so that it stays
// the same when the file is made anew and an exercise is in it again.
nlohmann::ordered_json exerciseJson(const Exercise& exercise);

// The whole file, one exercise a line.
std::string exercisesFile(std::span<const Exercise> exercises);

// A table of a few lines, ending with a newline: how many of each kind and level, and how many of
// a level the players of the games had found.
std::string exercisesTable(std::span<const Exercise> exercises);

}  // namespace toguz
