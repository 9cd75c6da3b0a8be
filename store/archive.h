// Where a run keeps its finished games for good. The replay buffer is refilled from it when the run
// resumes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/id_set.h"
#include "selfplay/game_record.h"

namespace toguz {

// Chunk files "00000000.tzg" and on in one folder, each written whole (see chunk.h). Games wait in
// memory until `chunkGames` are there or `flush` is called, so a kill loses no more than what came
// since the last flush. Holds ids and counts in memory, about 16 bytes a game; games themselves are
// read from the disk. Games are in the order in which they arrived, numbered from 0; each id once.
// All calls from any thread.
class GameArchive {
 public:
  struct Options {
    int chunkGames = 1024;
    // A damaged file is renamed to NAME.damaged and left out, instead of being an error.
    bool skipDamaged = false;
    // For what people should know but is no error; may be empty. Called from `append` and `flush`
    // and while opening.
    std::function<void(const std::string&)> warn;
    // A chunk that takes longer than this to write gives one warning.
    double slowWriteSeconds = 2.0;
    // How files are written; tests put slow and full disks here.
    std::function<void(const std::filesystem::path&, std::string_view)> write;
  };

  // Opens the folder, making it if need be, and verifies each file in it. Throws Error naming a
  // file that is damaged or of other rules, and what to do about it.
  GameArchive(std::filesystem::path folder, const Rules& rules, Options options);
  GameArchive(std::filesystem::path folder, const Rules& rules)
      : GameArchive(std::move(folder), rules, Options{}) {}
  // Tries to flush; call `flush` yourself to learn of errors.
  ~GameArchive();

  // Adds the games whose id is new, in order, and returns how many those were. May block while the
  // disk is behind: that is what bounds the games waiting in memory. Throws Error if they cannot
  // be stored; they are then kept to be tried again with the next append or flush.
  std::size_t append(std::vector<GameRecord> games);
  // On return every game appended so far is safe.
  void flush();

  std::uint64_t gameCount() const;
  std::uint64_t rowCount() const;  // moves searched in full, over all games
  bool contains(std::uint64_t id) const;

  // Calls `visit` for the games with numbers in [first, last), oldest first; stops early when it
  // returns false. The games appended meanwhile are not seen.
  using Visit = std::function<bool(const GameRecord&)>;
  void read(std::uint64_t first, std::uint64_t last, const Visit& visit) const;
  // The largest game number from which the games up to `last` hold at least `rows` rows (0 if all
  // of them do not): where to start reading to fill a window.
  std::uint64_t firstForRows(std::uint64_t rows, std::uint64_t last) const;

 private:
  struct File {
    std::filesystem::path path;
    std::uint64_t firstGame = 0;
    std::vector<std::uint32_t> rows;  // a game
  };

  void open();
  void openFile(const std::filesystem::path& path);
  void writeChunk(std::size_t games);  // the first `games` of pending_; mutex held

  const std::filesystem::path folder_;
  const Rules rules_;
  const Options options_;

  mutable std::mutex mutex_;
  std::vector<File> files_;
  std::uint64_t nextFile_ = 0;
  std::uint64_t storedGames_ = 0;  // in files
  std::uint64_t rows_ = 0;         // in files and pending
  IdSet ids_;
  std::vector<GameRecord> pending_;
  bool warnedSlow_ = false;
};

}  // namespace toguz
