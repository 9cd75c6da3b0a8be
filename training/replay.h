// The newest training rows, in memory: the trainer samples from a window that grows with the run.
//
// Every training row ever added has a number from 0 (`totalRows` is the next one's); the window is
// the newest windowSize(totalRows) numbers, and rows that fell out of it are freed. Held-out rows
// are kept apart and are never sampled. All calls from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_array.h"
#include "store/archive.h"
#include "training/config.h"
#include "training/row.h"

namespace toguz {

// Rows in the window once `total` rows were made: min * (total / min)^exponent, no less than
// `windowMin` (or all there are) and no more than `windowMax`. This is KataGo's power law
// (Wu 2019, appendix C) with its growth rate set to the exponent.
std::uint64_t windowSize(const ReplayConfig& config, std::uint64_t total);

class ReplayBuffer {
 public:
  static constexpr std::size_t kHoldOutRows = 16384;  // newest held-out rows that are kept

  explicit ReplayBuffer(const ReplayConfig& config);

  // Takes the rows in order; returns how many of them are for training (not held out).
  std::size_t add(std::span<const TrainingRow> rows);

  std::uint64_t totalRows() const;    // training rows ever added
  std::uint64_t windowRows() const;   // that can be sampled now
  std::uint64_t holdOutRows() const;  // held-out rows that are kept
  // Enough rows for training to start.
  bool ready() const;

  // Fills `out` with rows drawn uniformly, with replacement, from the window. Batch number `batch`
  // of a run with seed `seed` is a function of these two and the window alone. The window must not
  // be empty (TOGUZ_CHECK).
  void sample(std::span<TrainingRow> out, std::uint64_t seed, std::uint64_t batch) const;
  // The newest held-out rows, newest last, at most `most`.
  std::vector<TrainingRow> holdOut(std::size_t most = kHoldOutRows) const;
  // A copy of row number `number`, or nothing if it is not in the window (any more).
  std::optional<TrainingRow> row(std::uint64_t number) const;

  // Share of the newest `most` rows of the window whose position occurs earlier among them.
  double duplicateShare(std::size_t most = 50000) const;

  // Refills an empty buffer from the first `games` games of the store, reading only as many as the
  // window needs. `total` is what totalRows() was when these games had been added; without it every
  // game is read and counted. The window then holds the same rows under the same numbers as before;
  // of the held-out rows, those of the games read. Throws Error for damaged files, for games that
  // break the rules or do not agree with `total`, and if the window cannot be filled, unless
  // `lenient`: then it just starts later.
  void restore(const GameArchive& archive, std::uint64_t games, std::optional<std::uint64_t> total,
               bool lenient = false);
  // Adds the rows of the store's games with numbers in [first, last): those that came in after the
  // checkpoint that was restored. Returns the number of training rows.
  std::uint64_t addGames(const GameArchive& archive, std::uint64_t first, std::uint64_t last);

  std::size_t memoryBytes() const;

 private:
  static constexpr std::size_t kSegmentRows = 32768;  // 2 MiB: pages of its own
  using Segment = FlatArray<TrainingRow>;

  void addTraining(const TrainingRow& row);
  void trim();
  std::uint64_t windowStart() const;
  const TrainingRow& at(std::uint64_t number) const;

  const ReplayConfig config_;
  mutable std::mutex mutex_;
  std::deque<Segment> segments_;
  std::uint64_t firstSegment_ = 0;  // number of the first segment kept
  std::uint64_t firstRow_ = 0;      // number of the first row kept
  std::uint64_t total_ = 0;
  std::deque<TrainingRow> holdOut_;
};

}  // namespace toguz
