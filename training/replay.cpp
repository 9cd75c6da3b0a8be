#include "training/replay.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/rng.h"

namespace toguz {
namespace {

constexpr std::uint64_t kSamplingStream = 0x72657075;  // apart from the streams of self-play

}  // namespace

std::uint64_t windowSize(const ReplayConfig& config, std::uint64_t total) {
  const auto least = static_cast<std::uint64_t>(config.windowMin);
  const auto most = static_cast<std::uint64_t>(config.windowMax);
  if (total <= least) return total;
  const double ratio = static_cast<double>(total) / static_cast<double>(least);
  const double size = static_cast<double>(least) * std::pow(ratio, config.windowExponent);
  return std::min({total, most, std::max(least, static_cast<std::uint64_t>(size))});
}

ReplayBuffer::ReplayBuffer(const ReplayConfig& config) : config_(config) {}

std::size_t ReplayBuffer::add(std::span<const TrainingRow> rows) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t before = total_;
  for (const TrainingRow& row : rows) {
    if (row.holdOut) {
      holdOut_.push_back(row);
      if (holdOut_.size() > kHoldOutRows) holdOut_.pop_front();
    } else {
      addTraining(row);
    }
  }
  trim();
  return static_cast<std::size_t>(total_ - before);
}

void ReplayBuffer::addTraining(const TrainingRow& row) {
  if (segments_.empty()) firstSegment_ = total_ / kSegmentRows;
  const std::uint64_t segment = total_ / kSegmentRows - firstSegment_;
  if (segment == segments_.size()) {
    segments_.emplace_back().reserve(kSegmentRows);
    segments_.back().append(kSegmentRows);
  }
  segments_[segment][total_ % kSegmentRows] = row;
  ++total_;
}

void ReplayBuffer::trim() {
  firstRow_ = std::max(firstRow_, windowStart());
  while (!segments_.empty() && (firstSegment_ + 1) * kSegmentRows <= firstRow_) {
    segments_.pop_front();
    ++firstSegment_;
  }
}

// The window's start never falls as rows are added, since it grows by less than a row a row.
std::uint64_t ReplayBuffer::windowStart() const {
  return std::max(firstRow_, total_ - windowSize(config_, total_));
}

const TrainingRow& ReplayBuffer::at(std::uint64_t number) const {
  return segments_[number / kSegmentRows - firstSegment_][number % kSegmentRows];
}

std::uint64_t ReplayBuffer::totalRows() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::uint64_t ReplayBuffer::windowRows() const {
  const std::lock_guard lock(mutex_);
  return total_ - windowStart();
}

std::uint64_t ReplayBuffer::holdOutRows() const {
  const std::lock_guard lock(mutex_);
  return holdOut_.size();
}

bool ReplayBuffer::ready() const {
  const std::lock_guard lock(mutex_);
  return total_ >= static_cast<std::uint64_t>(config_.windowMin) && total_ > windowStart();
}

void ReplayBuffer::sample(std::span<TrainingRow> out, std::uint64_t seed,
                          std::uint64_t batch) const {
  Rng rng = Rng::stream(seed, kSamplingStream, batch);
  const std::lock_guard lock(mutex_);
  const std::uint64_t start = windowStart();
  TOGUZ_CHECK(total_ > start, "a sample from an empty window");
  const auto size = static_cast<std::uint32_t>(total_ - start);
  for (TrainingRow& row : out) row = at(start + rng.below(size));
}

std::vector<TrainingRow> ReplayBuffer::holdOut(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  const std::size_t count = std::min(most, holdOut_.size());
  return {holdOut_.end() - static_cast<std::ptrdiff_t>(count), holdOut_.end()};
}

std::optional<TrainingRow> ReplayBuffer::row(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  if (number < windowStart() || number >= total_) return std::nullopt;
  return at(number);
}

double ReplayBuffer::duplicateShare(std::size_t most) const {
  std::vector<std::uint64_t> hashes;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t start =
        std::max(windowStart(), total_ - std::min<std::uint64_t>(total_, most));
    hashes.reserve(static_cast<std::size_t>(total_ - start));
    for (std::uint64_t n = start; n < total_; ++n) hashes.push_back(at(n).position.hash());
  }
  if (hashes.empty()) return 0;
  const std::size_t all = hashes.size();
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return static_cast<double>(all - hashes.size()) / static_cast<double>(all);
}

void ReplayBuffer::restore(const GameArchive& archive, std::uint64_t games,
                           std::optional<std::uint64_t> total, bool lenient) {
  games = std::min(games, archive.gameCount());
  const std::uint64_t wanted = total ? windowSize(config_, *total) : 0;
  // Held-out rows take room among the games: ask for more rows, and again if that was too few.
  double ask = total ? static_cast<double>(wanted) / (1.0 - config_.holdOut) * 1.05 + 1000.0 : 0.0;
  std::vector<TrainingRow> rows;
  std::uint64_t training = 0;
  for (;; ask *= 1.5) {
    const std::uint64_t first =
        total ? archive.firstForRows(static_cast<std::uint64_t>(ask), games) : 0;
    rows.clear();
    rows.reserve(static_cast<std::size_t>(ask));
    training = 0;
    archive.read(first, games, [&](const GameRecord& game) {
      for (const TrainingRow& row : makeRows(game, config_.shortHorizon, config_.holdOut)) {
        training += row.holdOut ? 0u : 1u;
        rows.push_back(row);
      }
      return true;
    });
    if (training >= wanted || first == 0) break;
  }
  if (training < wanted && !lenient)
    throw Error(
        "the games stored hold " + std::to_string(training) + " rows of the " +
        std::to_string(wanted) +
        " in the replay window: game files are missing; put them back, or resume with --set "
        "store.skip_damaged=true to go on without them");
  const std::uint64_t end = total.value_or(training);
  if (training > end)
    throw Error("the first " + std::to_string(games) + " games stored hold more rows (" +
                std::to_string(training) + ") than the checkpoint counts (" + std::to_string(end) +
                "): the games are not those of this run");
  {
    const std::lock_guard lock(mutex_);
    TOGUZ_CHECK(total_ == 0 && segments_.empty() && holdOut_.empty(),
                "a restore into a used buffer");
    total_ = firstRow_ = end - training;
  }
  add(rows);
}

std::uint64_t ReplayBuffer::addGames(const GameArchive& archive, std::uint64_t first,
                                     std::uint64_t last) {
  std::uint64_t added = 0;
  archive.read(first, last, [&](const GameRecord& game) {
    added += add(makeRows(game, config_.shortHorizon, config_.holdOut));
    return true;
  });
  return added;
}

std::size_t ReplayBuffer::memoryBytes() const {
  const std::lock_guard lock(mutex_);
  return segments_.size() * kSegmentRows * sizeof(TrainingRow) +
         holdOut_.size() * sizeof(TrainingRow);
}

}  // namespace toguz
