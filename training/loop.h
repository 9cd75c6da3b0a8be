// The whole of a training run: self-play workers, the trainer and the judge at work together on one
// run directory, from random weights or from the last checkpoint.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "training/config.h"

namespace toguz {

struct TrainOptions {
  Config config;  // checked
  std::filesystem::path directory;
  bool resume = false;
  // Ends the run, resumable, once the trainer has made that many steps in all; the budget and the
  // learning-rate plan are not changed by it.
  std::optional<std::uint64_t> stopAfter;
  // Called once the folder is open and the run stands where it left off, before anything is played.
  std::function<void()> onOpened = {};
  // Where other processes meet the run (openStore); empty: its folder.
  std::string store = {};
  // Self-play threads of this process instead of selfplay.workers; 0: all games come from others.
  std::optional<int> workers = {};
};

// The settings that give a run six times its budget, as "--set run.minutes=60"; empty if it has
// none.
std::string moreBudget(const Config& config);

enum class TrainEnd : std::uint8_t { BudgetSpent, Stopped };

// Runs until the budget is spent, `stop` is set (from a signal handler or another thread), or
// something fails (Error; what was finished is kept). On return every file is complete and the run
// can be resumed.
TrainEnd train(const TrainOptions& options, const std::atomic<bool>& stop);

}  // namespace toguz
