// Recipes side by side: every arm of an experiment is trained for the same wall time on one core
// each, from the same seeds, then all arms meet in matches and get ratings on one scale.
//
// Everything lives in one folder: a run for each arm and seed (ARM-sSEED), a file for each match
// played (match~*.json), results.md and results.json. What is there already is not done again, so
// an experiment that was stopped goes on where it was.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "training/config.h"

namespace toguz {

struct ExperimentArm {
  std::string name;
  std::vector<std::string> settings;  // "section.key=value", laid over those of all arms
};

struct Experiment {
  std::string question;  // what it asks; heads the table
  double minutes = 8;    // of training, each arm and seed
  std::vector<std::int64_t> seeds = {1};
  int parallel = 0;                   // runs at a time, each on a core of its own; 0: all cores
  std::vector<std::string> settings;  // of every arm
  std::vector<std::string> limits = {"nodes=200"};  // of play; a table for each
  int games = 400;                                  // a pair of arms, seed and limit
  int openingPlies = 6;
  std::vector<ExperimentArm> arms;

  // The recipe of an arm, checked. Throws UsageError naming the setting.
  Config config(const ExperimentArm& arm, std::int64_t seed) const;
};

// TOML: [experiment] with the fields above (`set` for settings), and one [[arm]] with `name` and
// `set` for each. Throws UsageError of one line with file, line and the remedy.
Experiment loadExperiment(const std::filesystem::path& path);

struct ExperimentSetup {
  std::filesystem::path folder;
  std::filesystem::path program;  // toguz itself: each arm is trained by a process of its own
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> say;  // a line of progress
};

// Returns false if it was stopped; then it can be gone on with. Throws Error where a run fails,
// naming its log.
bool runExperiment(const Experiment& experiment, const ExperimentSetup& setup);

}  // namespace toguz
