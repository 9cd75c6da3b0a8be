#include "arena/match.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "arena/game_runner.h"
#include "base/error.h"

namespace toguz {

double MatchGame::pointsOfA() const {
  if (result == Result::Draw) return 0.5;
  return (result == Result::FirstWins) == aFirst ? 1.0 : 0.0;
}

namespace {

void count(Tally& tally, double points) {
  ++(points == 1.0 ? tally.wins : points == 0.0 ? tally.losses : tally.draws);
}

// Takes finished games in any order and counts them in theirs. All members but `limit` are guarded
// by `mutex`.
class Scoreboard {
 public:
  explicit Scoreboard(const MatchOptions& options)
      : options_(options), limit_(options.games), done_(static_cast<std::size_t>(options.games)) {
    progress_.games = options.games;
    if (options.sprt) progress_.llr = 0.0;
  }

  // Games from here on will not be counted.
  int limit() const { return limit_.load(std::memory_order_relaxed); }

  // Before any thread starts.
  bool has(int index) const { return done_[static_cast<std::size_t>(index)].has_value(); }

  // A game just played, which took so long in all.
  void add(MatchGame game, double seconds) {
    {
      std::lock_guard lock(mutex_);
      seconds_ += seconds;
      playersSeconds_ += game.seconds[0] + game.seconds[1];
    }
    add(std::move(game));
  }
  void add(MatchGame game) {
    std::lock_guard lock(mutex_);
    done_[static_cast<std::size_t>(game.index)] = std::move(game);
    const int before = progress_.gamesDone;
    while (progress_.gamesDone < limit() && done_[static_cast<std::size_t>(progress_.gamesDone)])
      countNext();
    if (progress_.gamesDone > before && options_.onProgress) options_.onProgress(progress_);
  }

  void fail(std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    limit_ = 0;
  }

  // After every thread has ended.
  MatchResult finish() {
    if (error_) std::rethrow_exception(error_);
    MatchResult result;
    result.tally = progress_.tally;
    result.pairs = progress_.pairs;
    result.strength = estimateStrength(result.tally, result.pairs);
    if (options_.sprt)
      result.sprt =
          SprtResult{*options_.sprt, *progress_.llr, sprtVerdict(*options_.sprt, *progress_.llr)};
    for (int i = 0; i < progress_.gamesDone; ++i)
      result.games.push_back(std::move(*done_[static_cast<std::size_t>(i)]));
    result.interrupted = progress_.gamesDone < limit();
    if (seconds_ > 0) result.overhead = 1 - playersSeconds_ / seconds_;
    return result;
  }

 private:
  void countNext() {
    const int index = progress_.gamesDone++;
    const double points = done_[static_cast<std::size_t>(index)]->pointsOfA();
    count(progress_.tally, points);
    if (index % 2 == 0) return;
    const double both = points + done_[static_cast<std::size_t>(index - 1)]->pointsOfA();
    ++progress_.pairs[static_cast<std::size_t>(2 * both)];
    if (!options_.sprt) return;
    progress_.llr = sprtLlr(*options_.sprt, progress_.pairs);
    if (sprtVerdict(*options_.sprt, *progress_.llr) != SprtVerdict::None) limit_ = index + 1;
  }

  const MatchOptions& options_;
  std::atomic<int> limit_;
  std::mutex mutex_;
  std::vector<std::optional<MatchGame>> done_;
  MatchProgress progress_;
  double seconds_ = 0, playersSeconds_ = 0;
  std::exception_ptr error_;
};

// The players of the games played here, one pair a game at a time.
class Seats {
 public:
  struct Pair {
    std::unique_ptr<Player> a, b;
  };

  Seats(const PlayerFactory& a, const PlayerFactory& b, int most) : a_(a), b_(b), most_(most) {}

  // Nothing if none comes free within `wait`.
  std::optional<Pair> take(std::chrono::milliseconds wait) {
    {
      std::unique_lock lock(mutex_);
      if (!freed_.wait_for(lock, wait, [&] { return !free_.empty() || made_ < most_; }))
        return std::nullopt;
      if (!free_.empty()) {
        Pair pair = std::move(free_.back());
        free_.pop_back();
        return pair;
      }
      ++made_;
    }
    return Pair{a_.make(), b_.make()};
  }
  void giveBack(Pair pair) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(pair));
    }
    freed_.notify_one();
  }

 private:
  const PlayerFactory& a_;
  const PlayerFactory& b_;
  const int most_;
  std::mutex mutex_;
  std::condition_variable freed_;
  int made_ = 0;
  std::vector<Pair> free_;
};

// How long a game waits for its turn here before it is offered elsewhere again.
constexpr std::chrono::milliseconds kTurnWait{100};

// Plays or fetches the game at `index` and counts it. False if it was abandoned.
bool workOn(int index, const MatchOptions& options, Seats& seats, Scoreboard& board) {
  const std::function<bool()> abandon = [&] {
    return index >= board.limit() ||
           (options.stop && options.stop->load(std::memory_order_relaxed));
  };
  const auto finished = [&](const MatchGame& game) {
    if (options.onGame) options.onGame(game);
  };
  while (!abandon()) {
    if (options.elsewhere) {
      if (auto game = options.elsewhere->play(index, abandon)) {
        TOGUZ_CHECK(game->index == index, "another game than the one that was asked for");
        finished(*game);
        board.add(std::move(*game));
        return true;
      }
      if (abandon()) return false;
    }
    auto pair = seats.take(kTurnWait);
    if (!pair) continue;
    const auto start = std::chrono::steady_clock::now();
    auto game = playGame(options, index, *pair->a, *pair->b, abandon);
    seats.giveBack(std::move(*pair));
    if (!game) return false;
    finished(*game);
    board.add(std::move(*game),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return true;
  }
  return false;
}

void work(const MatchOptions& options, const std::vector<int>& toPlay,
          std::atomic<std::size_t>& next, Seats& seats, Scoreboard& board) {
  try {
    for (;;) {
      const std::size_t turn = next.fetch_add(1);
      if (turn >= toPlay.size() || !workOn(toPlay[turn], options, seats, board)) return;
    }
  } catch (...) {
    board.fail(std::current_exception());
  }
}

void addTotals(const MatchGame& game, bool isA, PlayerTotals& totals) {
  const std::size_t side = isA ? 0 : 1;
  totals.nodes += game.nodes[side];
  totals.seconds += game.seconds[side];
  totals.moves += game.choices[side];
  if (game.end == GameEnd::Rules || game.end == GameEnd::Adjudicated || game.offenderIsA != isA)
    return;
  ++(game.end == GameEnd::Time ? totals.timeLosses : totals.faults);
  if (totals.firstFault.empty())
    totals.firstFault = "game " + std::to_string(game.index + 1) + ": " + game.fault;
}

void summarise(MatchResult& result) {
  std::set<std::pair<std::array<std::uint64_t, 4>, std::vector<std::uint8_t>>> distinct;
  double plies = 0;
  for (const MatchGame& game : result.games) {
    distinct.emplace(game.start.words(), game.moves);
    plies += static_cast<double>(game.moves.size());
    count(result.firstPlayer, game.aFirst ? game.pointsOfA() : 1.0 - game.pointsOfA());
    result.adjudicated += game.end == GameEnd::Adjudicated;
    addTotals(game, true, result.a);
    addTotals(game, false, result.b);
  }
  result.distinctGames = static_cast<int>(distinct.size());
  if (!result.games.empty()) result.meanPlies = plies / static_cast<double>(result.games.size());
}

}  // namespace

MatchResult playMatch(const PlayerFactory& a, const PlayerFactory& b, const MatchOptions& options) {
  TOGUZ_CHECK(options.games >= 1, "a match of no games");
  TOGUZ_CHECK(!options.openings.empty(), "a match without openings");
  TOGUZ_CHECK(options.concurrency >= 1, "a match on no threads");
  Scoreboard board(options);
  std::atomic<std::size_t> next{0};
  std::vector<int> toPlay;
  for (const MatchGame& game : options.played) {
    TOGUZ_CHECK(game.index >= 0 && game.index < options.games && !board.has(game.index),
                "a game played before that is none of this match");
    board.add(game);
  }
  for (int index = 0; index < options.games; ++index)
    if (!board.has(index)) toPlay.push_back(index);
  {
    const int atATime = options.elsewhere
                            ? std::max(options.concurrency, options.elsewhere->concurrency)
                            : options.concurrency;
    Seats seats(a, b, options.concurrency);
    std::vector<std::jthread> threads;  // ends before the seats
    for (int i = 1; i < std::min(atATime, options.games); ++i)
      threads.emplace_back([&] { work(options, toPlay, next, seats, board); });
    work(options, toPlay, next, seats, board);
  }
  MatchResult result = board.finish();
  result.a.name = a.name();
  result.b.name = b.name();
  summarise(result);
  return result;
}

}  // namespace toguz
