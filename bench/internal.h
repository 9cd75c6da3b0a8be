// Shared by the benchmarks of this folder.
#pragma once

#include <memory>
#include <vector>

#include "bench/harness.h"
#include "core/game.h"
#include "models/native/network.h"

namespace toguz::bench {

Findings rulesBench(const Options& options);
Findings inferenceBench(const Options& options);
Findings searchBench(const Options& options);
Findings selfPlayBench(const Options& options);
#ifdef TOGUZ_TRAINING
Findings trainBench(const Options& options);
Findings replayBench(const Options& options);
Findings storeBench(const Options& options);
#endif

Model benchModel(const Options& options);
// Positions met in random games of the variant, not finished.
std::vector<Position> randomPositions(const Rules& rules, std::size_t count, std::uint64_t seed);

}  // namespace toguz::bench
