#include "analysis/exercises_text.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "analysis/review_text.h"
#include "base/hash.h"
#include "core/notation.h"
#include "core/position_text.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

std::string idOf(const Exercise& exercise) {
  const std::string name =
      exercise.rules.name() + " " + formatPosition(exercise.rules, exercise.position);
  return "e" + hex64(hash64(name)).substr(0, 8);
}

}  // namespace

Json exerciseJson(const Exercise& exercise) {
  const Rules& rules = exercise.rules;
  Json solution = Json::array(), moves = Json::array(), line = Json::array();
  for (const std::uint8_t pit : exercise.solution) {
    solution.push_back(pit + 1);
    moves.push_back(formatMove(rules, exercise.position, pit));
  }
  Position position = exercise.position;
  for (const std::uint8_t pit : exercise.line) {
    line.push_back(formatMove(rules, position, pit));
    position = play(rules, position, pit);
  }
  return {{"id", idOf(exercise)},
          {"variant", rules.name()},
          {"fen", formatPosition(rules, exercise.position, exercise.fullmove)},
          {"kind", text(exercise.kind)},
          {"solution", std::move(solution)},
          {"moves", std::move(moves)},
          {"level", exercise.level},
          {"winRate", tenth(exercise.winRate)},
          {"others", tenth(exercise.others)},
          {"line", std::move(line)},
          {"source", exercise.source}};
}

std::string exercisesFile(std::span<const Exercise> exercises) {
  std::string file = "{\"version\":1,\"exercises\":[";
  const char* separator = "\n";
  for (const Exercise& exercise : exercises) {
    file += separator + exerciseJson(exercise).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  return file + "\n]}\n";
}

std::string exercisesTable(std::span<const Exercise> exercises) {
  std::map<std::string, std::vector<const Exercise*>> byRules;
  for (const Exercise& exercise : exercises) byRules[exercise.rules.name()].push_back(&exercise);
  std::string table;
  char line[160];
  for (const auto& [name, all] : byRules) {
    std::snprintf(line, sizeof line, "%-10s %8s %8s %8s %8s %8s %8s\n", name.c_str(), "capture",
                  "tuzdik", "avoid", "best", "all", "played");
    table += line;
    for (int level = 1; level <= kExerciseLevels; ++level) {
      std::array<int, kExerciseKinds> kinds{};
      int count = 0, played = 0;
      for (const Exercise* one : all) {
        if (one->level != level) continue;
        ++kinds[static_cast<std::size_t>(one->kind)];
        ++count;
        played += one->played;
      }
      std::snprintf(line, sizeof line, "  level %d  %8d %8d %8d %8d %8d %7.0f%%\n", level, kinds[0],
                    kinds[1], kinds[2], kinds[3], count, 100.0 * played / std::max(1, count));
      table += line;
    }
  }
  return table;
}

}  // namespace toguz
