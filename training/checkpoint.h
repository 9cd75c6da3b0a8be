// Checkpoints of a run: all that is needed to go on as if it had not stopped, besides the games
// (store.h) and the configuration.
//
// A checkpoint is a folder, checkpoints/00000012, of the trainer's files, counters.json and
// MANIFEST, which lists the size and XXH3-128 of each other file. It is written as a folder
// ".saving-*", flushed file by file, and renamed: whenever the process is killed, each numbered
// folder is whole. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"

namespace toguz {

// Where a run stands.
struct Counters {
  std::uint64_t step = 0;
  std::uint64_t rows = 0;   // training rows made, ReplayBuffer::totalRows
  std::uint64_t games = 0;  // Store::gameCount when `rows` had been made of them
  std::uint64_t nextGameId = 0;
  std::uint32_t generation = 0;  // newest one published
  double elapsedSeconds = 0;     // of the budget
  double gateSeconds = 0;        // of those, spent on the gate's matches
  double ratingSeconds = 0;
  double tokens = 0;  // TokenBucket::State
  std::uint64_t tokenRows = 0;
  std::map<std::string, Rng::State> random;         // generators by name
  nlohmann::json extra = nlohmann::json::object();  // whatever else the loop carries
  bool operator==(const Counters&) const = default;
};

struct Checkpoint {
  std::filesystem::path folder;
  Counters counters;
};

class CheckpointFolder {
 public:
  // The newest `keep` checkpoints stay, and each whose number is a multiple of `keepEach` (0:
  // none). Clears away what a killed process was in the middle of writing.
  CheckpointFolder(std::filesystem::path folder, int keep = 3, int keepEach = 0);

  // Calls `writeState` with an empty folder to write the trainer's files to (no sub-folders), then
  // completes and installs the checkpoint and removes old ones. On an Error nothing is changed.
  Checkpoint save(const Counters& counters,
                  const std::function<void(const std::filesystem::path&)>& writeState);

  // The newest checkpoint whose every file is as the manifest says; nothing if there is none.
  // `skipped` gets one line for each newer one that is damaged, naming the file and the fault.
  std::optional<Checkpoint> newest(std::vector<std::string>* skipped = nullptr) const;

  // Verifies one checkpoint. Throws Error naming the file that is missing, cut short or altered.
  static Checkpoint load(const std::filesystem::path& folder);

 private:
  std::vector<std::uint64_t> numbers() const;  // ascending
  std::filesystem::path path(std::uint64_t number) const;
  void prune() const;

  std::filesystem::path folder_;
  int keep_;
  int keepEach_;
};

}  // namespace toguz
