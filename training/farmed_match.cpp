#include "training/farmed_match.h"

#include <algorithm>

#include "base/error.h"

namespace toguz {
namespace {

// Times a game is given to workers before it is left to the judge.
constexpr int kTries = 2;

MatchOptions plain(MatchOptions options) {
  options.played.clear();
  options.onGame = nullptr;
  options.onProgress = nullptr;
  options.elsewhere.reset();
  options.stop = nullptr;
  return options;
}

}  // namespace

FarmedMatch::FarmedMatch(MatchFarm& farm, const MatchOptions& options, FarmPlayer a, FarmPlayer b,
                         std::function<void(const std::string&)> warn)
    : farm_(farm),
      options_(plain(options)),
      a_(std::move(a)),
      b_(std::move(b)),
      warn_(std::move(warn)),
      failures_(static_cast<std::size_t>(options.games), 0) {
  std::vector<std::shared_ptr<const Published>> models;
  for (const FarmPlayer* player : {&a_, &b_})
    if (player->model) models.push_back(player->model);
  farm_.beginMatch(std::move(models));
}

MatchOptions::Elsewhere FarmedMatch::elsewhere() {
  return {std::max(1, farm_.room()),
          [this](int index, const std::function<bool()>& abandon) { return play(index, abandon); }};
}

std::optional<MatchGame> FarmedMatch::play(int index, const std::function<bool()>& abandon) {
  int& failures = failures_[static_cast<std::size_t>(index)];
  if (failures >= kTries) return std::nullopt;
  const auto id = farm_.post(farmedGameTask(options_, index, a_.player, b_.player));
  if (!id) return std::nullopt;
  const auto result = farm_.wait(*id, abandon);
  if (result) {
    try {
      MatchGame game = farmedGameOf(*result, options_, index);
      ++farmed_;
      return game;
    } catch (const Error& error) {
      if (!warned_.exchange(true))
        warn_(std::string("a worker could not play a game of a match, which is played here: ") +
              error.what());
    }
  }
  ++failures;
  return std::nullopt;
}

}  // namespace toguz
