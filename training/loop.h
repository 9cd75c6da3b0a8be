// The whole of a training run: self-play workers, the trainer and the judge at work together on one
// run directory, from random weights or from the last checkpoint.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "training/config.h"

namespace toguz {

struct TrainOptions {
  Config config;  // checked
  std::filesystem::path directory;
  bool resume = false;
  // Ends the run, resumable, once the trainer has made that many steps in all; the budget and the
  // learning-rate plan are not changed by it.
  std::optional<std::uint64_t> stopAfter;
};

enum class TrainEnd : std::uint8_t { BudgetSpent, Stopped };

// Runs until the budget is spent, `stop` is set (from a signal handler or another thread), or
// something fails (Error; what was finished is kept). On return every file is complete and the run
// can be resumed.
TrainEnd train(const TrainOptions& options, const std::atomic<bool>& stop);

}  // namespace toguz
