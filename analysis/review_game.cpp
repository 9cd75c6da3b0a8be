#include "analysis/review_game.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace toguz {
namespace {

// The answers of one game's positions as they come in.
struct Gathering {
  ReplayedGame game;
  std::vector<Analysis> answers;
  std::atomic<std::size_t> missing;
  std::function<void(GameReview&&)> done;
};

}  // namespace

void reviewGame(Analyst& analyst, const ReplayedGame& game, const AnalysisLimits& limits,
                std::function<void(GameReview&&)> done) {
  auto gathering = std::make_shared<Gathering>();
  gathering->game = game;
  gathering->answers.resize(game.positions.size());
  gathering->missing = game.positions.size();
  gathering->done = std::move(done);
  // Moves after a repetition stand in records, so repetitions are left out of account: the history
  // begins at each position.
  for (std::size_t i = 0; i < game.positions.size(); ++i) {
    const Game at(game.rules, game.positions[i], 100'000);
    analyst.submit(at, limits, [gathering, i](Analyst::Ticket, Analysis&& analysis) {
      gathering->answers[i] = std::move(analysis);
      if (gathering->missing.fetch_sub(1) > 1) return;
      const bool all = std::none_of(gathering->answers.begin(), gathering->answers.end(),
                                    [](const Analysis& a) { return a.lines.empty(); });
      if (all) gathering->done(reviewOf(std::move(gathering->game), gathering->answers));
    });
  }
}

}  // namespace toguz
