// What makes a run the same one over its sittings, in its folder:
//   identity.json     {"run", "learner": 32 hex digits, random; "configs": [hashes of the settings
//                      that made games in it], "store": where it last met others}
//   published.jsonl   {"sha256", "generation", "step"} of each model that was handed to self-play
// The learner takes games of these models and settings from others, and of no others. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_set>

#include "base/hash.h"

namespace toguz {

class RunIdentity {
 public:
  // Takes up what is in the folder, or makes it. Throws Error naming a file that is damaged.
  RunIdentity(const std::filesystem::path& folder, std::uint64_t configHash);

  const std::string& run() const { return run_; }
  const std::string& learner() const { return learner_; }
  // Absolute.
  const std::filesystem::path& folder() const { return folder_; }
  bool knowsConfig(std::uint64_t hash) const { return configs_.contains(hash); }
  bool knowsModel(const Sha256& hash) const { return models_.contains(hexText(hash)); }
  // Where the run last met others, without password; "" for its folder.
  const std::string& store() const { return store_; }
  void setStore(const std::string& name);
  // On return it is on the disk: before anybody can play with it.
  void addModel(const Sha256& hash, std::uint32_t generation, std::uint64_t step);

 private:
  std::filesystem::path folder_, identityFile_, modelsFile_;
  void save() const;

  std::string run_, learner_, store_;
  std::set<std::uint64_t> configs_;
  std::unordered_set<std::string> models_;
};

}  // namespace toguz
