#include "analysis/file_review.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include "analysis/review_game.h"
#include "base/error.h"
#include "base/progress.h"

namespace toguz {

std::string gameName(const GameText& record, std::size_t place) {
  const std::string& id = record.tag("Id");
  return "game " + std::to_string(place) + (id.empty() ? "" : " (" + id + ")");
}

std::string gameSource(const GameText& record, std::size_t place) {
  const std::string& source = record.tag("Source");
  const std::string& id = record.tag("Id");
  return (source.empty() ? "" : source + " ") + (id.empty() ? "game " + std::to_string(place) : id);
}

std::vector<FileGame> playableGames(std::span<const GameText> records, const std::string& variant,
                                    Analysts& analysts,
                                    const std::function<void(const std::string&)>& skipped) {
  std::vector<FileGame> games;
  for (std::size_t i = 0; i < records.size(); ++i) {
    try {
      ReplayedGame replay = replayGame(records[i], variant);
      if (replay.pits.empty()) throw Error("no moves");
      analysts.of(replay.rules);
      games.push_back({i + 1, &records[i], std::move(replay)});
    } catch (const Error& error) {
      skipped("skipped " + gameName(records[i], i + 1) + ": " + error.what());
    }
  }
  return games;
}

std::vector<ReviewedGame> reviewGames(std::span<const FileGame> games, Analysts& analysts,
                                      int nodes) {
  std::vector<ReviewedGame> reviewed;
  std::size_t plies = 0;
  for (const FileGame& game : games) {
    plies += game.replay.positions.size();
    reviewed.push_back({game.place, game.record, {}});
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t done = 0, donePlies = 0;
  const auto start = std::chrono::steady_clock::now();
  Progress progress = Progress::onStandardError();
  const auto show = [&] {  // under the lock
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    progress.update(elapsed.count(), static_cast<double>(donePlies) / static_cast<double>(plies),
                    {{"games", std::to_string(done)},
                     {"positions/s",
                      countText(static_cast<double>(donePlies) / std::max(elapsed.count(), 0.1))}});
  };
  // A few games ahead of the threads: their positions wait in memory.
  constexpr std::size_t kAhead = 64;
  for (std::size_t i = 0; i < games.size(); ++i) {
    {
      std::unique_lock lock(mutex);
      while (i >= done + kAhead) {
        changed.wait_for(lock, std::chrono::milliseconds(500));
        show();
      }
    }
    reviewGame(analysts.of(games[i].replay.rules), games[i].replay, {.nodes = nodes},
               [&, i](GameReview&& review) {
                 const std::lock_guard lock(mutex);
                 donePlies += review.positions.size();
                 reviewed[i].review = std::move(review);
                 ++done;
                 changed.notify_all();
               });
  }
  std::unique_lock lock(mutex);
  while (done < games.size()) {
    changed.wait_for(lock, std::chrono::milliseconds(500));
    show();
  }
  lock.unlock();
  analysts.finish();
  progress.finish();
  return reviewed;
}

std::vector<Openings> openingsOf(std::span<const ReviewedGame> games, int plies, int least) {
  std::map<std::string, std::pair<std::vector<const GameReview*>, std::vector<std::string>>>
      byRules;
  for (const ReviewedGame& game : games) {
    auto& [reviews, results] = byRules[game.review.rules.name()];
    reviews.push_back(&game.review);
    results.push_back(game.record->result);
  }
  std::vector<Openings> all;
  for (const auto& [name, of] : byRules)
    all.push_back({Rules::named(name), openingLines(of.first, of.second, plies, least)});
  return all;
}

}  // namespace toguz
