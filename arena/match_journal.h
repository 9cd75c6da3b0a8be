// The games of a match as they are finished, one JSON object a line, so that a match which was
// stopped, or died, goes on where it was. The first line says what was asked for: a journal of
// another match is refused. A kill leaves at most a half-written last line, which is dropped. Any
// thread may add.
#pragma once

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "arena/match.h"

namespace toguz {

class MatchJournal {
 public:
  // `asked` is anything that tells this match from another. Opens or makes the file. Throws
  // UsageError with the remedy if it is of another match or no journal, Error if it cannot be
  // written.
  MatchJournal(const std::filesystem::path& path, const nlohmann::json& asked,
               const MatchOptions& options);
  ~MatchJournal();
  MatchJournal(const MatchJournal&) = delete;
  MatchJournal& operator=(const MatchJournal&) = delete;

  // What the file held when it was opened; each game once.
  const std::vector<MatchGame>& played() const { return played_; }
  // Throws Error if the disk does not take it.
  void add(const MatchGame& game);

 private:
  const std::filesystem::path path_;
  std::vector<MatchGame> played_;
  std::mutex mutex_;
  int file_ = -1;
};

}  // namespace toguz
