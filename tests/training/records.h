// Random but lawful game records, and folders that go away with the test.
#pragma once

#include <unistd.h>

#include <atomic>
#include <bit>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/rng.h"
#include "selfplay/game_record.h"

namespace toguz::testing {

inline MoveRecord randomMove(const Game& game, Rng& rng, double fullShare) {
  MoveRecord move;
  std::vector<std::uint8_t> legal;
  for (PitMask rest = game.legal(); rest; rest &= rest - 1)
    legal.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
  move.pit = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  move.nodes = static_cast<std::uint16_t>(1 + rng.below(200));
  move.rootWinLoss = static_cast<float>(rng.uniform() * 2 - 1);
  move.weight = rng.chance(0.1) ? 0.1f : 1.0f;
  move.generation = rng.below(3) + 7;
  move.fullSearch = rng.chance(fullShare);
  if (move.fullSearch)
    for (const std::uint8_t pit : legal)
      move.policy[pit] =
          static_cast<std::uint16_t>(rng.below(65536 / static_cast<std::uint32_t>(legal.size())));
  return move;
}

inline GameRecord randomRecord(std::uint64_t id, const Rules& rules = Rules(), int plyCap = 600,
                               double fullShare = 0.3, const Position* start = nullptr) {
  Rng rng = Rng::stream(99, id);
  Game game = start ? Game(rules, *start, plyCap) : Game(rules, plyCap);
  GameRecord record;
  record.id = id;
  record.worker = rng.below(4);
  record.origin.config = rng();
  for (std::uint8_t& byte : record.origin.model) byte = static_cast<std::uint8_t>(rng());
  record.rules = rules;
  record.start = game.position();
  while (!game.over()) {
    record.moves.push_back(randomMove(game, rng, fullShare));
    game.play(record.moves.back().pit);
  }
  record.outcome = game.outcome();
  return record;
}

inline std::vector<GameRecord> randomRecords(std::uint64_t first, std::uint64_t count,
                                             const Rules& rules = Rules()) {
  std::vector<GameRecord> records;
  for (std::uint64_t id = first; id < first + count; ++id)
    records.push_back(randomRecord(id, rules));
  return records;
}

inline bool sameRecord(const GameRecord& a, const GameRecord& b) {
  const auto sameMove = [](const MoveRecord& x, const MoveRecord& y) {
    return x.pit == y.pit && x.fullSearch == y.fullSearch && x.nodes == y.nodes &&
           x.rootWinLoss == y.rootWinLoss && x.weight == y.weight && x.generation == y.generation &&
           x.policy == y.policy;
  };
  return a.id == b.id && a.worker == b.worker && a.origin == b.origin && a.rules == b.rules &&
         a.start == b.start && a.outcome.reason == b.outcome.reason &&
         a.outcome.result == b.outcome.result && a.outcome.kazan == b.outcome.kazan &&
         std::equal(a.moves.begin(), a.moves.end(), b.moves.begin(), b.moves.end(), sameMove);
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> serial{0};
    path_ = std::filesystem::temp_directory_path() /
            ("toguz_test_" + std::to_string(::getpid()) + "_" + std::to_string(serial++));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Past every check of the program, as a broken disk would.
inline void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The message of the E that f throws; fails the test's expectations with "" if it throws nothing.
template <class E, class F>
std::string messageOf(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace toguz::testing
