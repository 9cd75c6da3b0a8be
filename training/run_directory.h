// The folder of one run and what lies where in it.
//
//   config.toml     the effective configuration        games/        chunk files (store/archive.h)
//   metrics.jsonl   one JSON object a line             checkpoints/  rotating (checkpoint.h)
//   log.txt         what people were told              models/       a model file a generation
//   rating.json     ratings of the engines             best.tzn      the playing engine
//   identity.json, published.jsonl                     see run_identity.h
//   workers.json    who plays for it (StoreStatus)     store/        see store/local_store.h
//   tensorboard/    the metrics as event files
//   lock            held while a process works here, with its process id
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace toguz {

// Where things are; holds nothing, so that a run under way may be read.
class RunPaths {
 public:
  explicit RunPaths(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path events() const { return path_ / "tensorboard"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path games() const { return path_ / "games"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path models() const { return path_ / "models"; }
  // "models/g000012.tzn"
  std::filesystem::path model(std::uint32_t generation) const;
  std::filesystem::path best() const { return path_ / "best.tzn"; }
  std::filesystem::path rating() const { return path_ / "rating.json"; }
  std::filesystem::path workers() const { return path_ / "workers.json"; }

 private:
  std::filesystem::path path_;
};

// The folder with its lock, held for as long as this lives, so that two processes never write to
// one run. Move-only; the paths may be asked for from any thread.
class RunDirectory : public RunPaths {
 public:
  // Makes the folder (and those above it). Throws UsageError with the remedy if it holds anything
  // already, Error if it cannot be made or another process holds it.
  static RunDirectory create(const std::filesystem::path& path);
  // Opens the folder of an earlier run. Throws UsageError if there is no run in it, Error if
  // another process holds it.
  static RunDirectory resume(const std::filesystem::path& path);
  ~RunDirectory();
  RunDirectory(RunDirectory&& other) noexcept;
  RunDirectory& operator=(RunDirectory&&) = delete;

 private:
  RunDirectory(std::filesystem::path path, int lock) : RunPaths(std::move(path)), lock_(lock) {}

  int lock_ = -1;
};

}  // namespace toguz
