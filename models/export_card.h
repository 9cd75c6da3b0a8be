// The card beside an exported model: all that somebody needs to feed the network without this
// program, as JSON. docs/models.md describes it. Any thread.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/native/network.h"

namespace toguz {

// What exported networks answer, for the side to move: in the order of HeadLayout, margin in balls
// and the short-term value through tanh already. Each is [batch, size].
struct ExportOutput {
  const char* name;
  int size;
  const char* unit;
  const char* meaning;
};
std::vector<ExportOutput> exportOutputs(int pits);
inline constexpr const char* kExportInput = "rows";  // int64 [batch, activeRows]

// Positions as the network sees them and what it answers:
//   {"position": text, "side_to_move", "legal_moves": [1..N], "rows": [activeRows],
//    "outputs": {name: [size]}, "decoded": {"policy": [N], "win", "draw", "loss", "win_rate",
//    "margin_balls"}}
// None of the positions may be finished.
nlohmann::json exportExamples(const std::shared_ptr<const NativeNetwork>& network,
                              const std::vector<Position>& positions);

// `format`, `provenance`: as written into the file. Examples are answered by `network`.
nlohmann::json modelCard(const std::string& format, const nlohmann::json& provenance,
                         const std::shared_ptr<const NativeNetwork>& network);

// `count` unfinished positions of random games, always the same ones.
std::vector<Position> samplePositions(const Rules& rules, int count);

}  // namespace toguz
