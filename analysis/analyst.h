// Many positions searched at once by a few threads: each thread steps some dozens of searches and
// evaluates the leaves of all of them in one batch, so that many small queries cost what one large
// search does. A query limited by nodes alone gets the answer that an Engine (one thread, fresh
// tree, default options) gives, whatever else is under way.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "play/engine.h"

namespace toguz {

struct AnalysisLimits {
  std::int64_t nodes = 400;                     // visits of the root; 1..kMaxAnalysisNodes
  std::optional<double> timeMs = std::nullopt;  // from when the search starts; a queue takes longer
  int lines = 1;                                // 1..kMaxPits
};
inline constexpr std::int64_t kMaxAnalysisNodes = 1'000'000;

inline constexpr std::int64_t kMaxAnalysisMs = 86'400'000;  // a day

class Analyst {
 public:
  using Ticket = std::uint64_t;
  // Called once for each query, by a thread of the Analyst, by `submit` if the game is over, or by
  // `cancel` or the destructor if it had not begun. It may submit and cancel, and must not throw.
  using Done = std::function<void(Ticket, Analysis&&)>;

  // `threads`: 0 = one a core.
  explicit Analyst(Engine::Network network, int threads = 0);
  ~Analyst();  // cancels what is under way and waits for it
  Analyst(const Analyst&) = delete;
  Analyst& operator=(const Analyst&) = delete;

  const Rules& rules() const { return network_->rules(); }

  // Any thread. Throws UsageError if the game is of other rules or a limit is out of range.
  Ticket submit(const Game& game, const AnalysisLimits& limits, Done done);
  // Any thread. False if there is no such query, or it is answered or about to be.
  bool cancel(Ticket ticket);
  // Waits until every query is answered. Not from within a Done.
  void finish();

 private:
  struct Query {
    Ticket ticket;
    Game game;
    AnalysisLimits limits;
    Done done;
    std::atomic<bool> cancelled{false};
  };
  using QueryPointer = std::shared_ptr<Query>;
  class Thread;

  QueryPointer take(bool wait);  // null: nothing to do now, or ending
  void answer(const Query& query, Analysis&& analysis);

  Engine::Network network_;
  std::mutex mutex_;
  std::condition_variable queued_, answered_;
  std::deque<QueryPointer> queue_;  // not begun
  std::unordered_map<Ticket, QueryPointer> unanswered_;
  Ticket next_ = 1;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace toguz
