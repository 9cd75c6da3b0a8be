#include "search/alphabeta.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/error.h"
#include "search/transposition_table.h"

namespace toguz {

// What outlives one search.
struct AlphaBeta::Memory {
  static constexpr int kMaxPly = kMaxDepth + 64;  // depth and captures beyond it

  explicit Memory(int tableBits) : table(tableBits) {}

  TranspositionTable table;
  // By side, pit and balls in it: how often such a move refuted the one before it.
  std::array<std::array<std::array<std::int32_t, 32>, kMaxPits>, 2> history{};
  std::array<std::array<std::uint8_t, 2>, kMaxPly> killers{};
  std::array<std::array<std::uint8_t, kMaxPly>, kMaxPly> pv{};
  std::array<int, kMaxPly> pvLength{};
  std::vector<Position> path;  // game history that may still recur, then the line being searched
};

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kInfinity = 30000;
constexpr std::uint64_t kClockInterval = 1024;  // nodes between looks at the clock; power of two
constexpr int kMaxHistory = 1 << 14;
constexpr int kKillerWeight = 1 << 14;
constexpr int kGainWeight = 1 << 15;  // a ball gained outweighs killers and history
constexpr int kTableDepth = 2;        // shallower searches cost less than the table's cache misses

template <class R, class Memory>
class Searcher {
 public:
  Searcher(const R& rules, Memory& memory, const AlphaBeta::Options& options, const Game& game,
           const AlphaBetaLimits& limits)
      : rules_(rules),
        memory_(memory),
        quiescenceDepth_(options.quiescenceDepth),
        pliesToCap_(game.plyCap() - game.ply()),
        start_(Clock::now()),
        deadline_(start_ +
                  std::chrono::microseconds(static_cast<std::int64_t>(limits.movetimeMs * 1000.0))),
        timed_(limits.movetimeMs > 0) {
    const auto first = static_cast<std::size_t>(game.lastKazanChange());
    const auto& positions = game.positions();
    memory_.path.assign(positions.begin() + static_cast<std::ptrdiff_t>(first), positions.end());
    rootAt_ = memory_.path.size() - 1;
    memory_.path.resize(rootAt_ + memory_.pv.size() + 1);
  }

  AlphaBetaResult run(int maxDepth, Rng& rng) {
    const Position root = memory_.path[rootAt_];
    Moves moves;
    generate(root, moves);
    // A random order first, so that equals are not always tried from the left.
    for (int i = moves.count - 1; i > 0; --i)
      std::swap(moves.list[i], moves.list[rng.below(static_cast<std::uint32_t>(i) + 1)]);
    std::stable_sort(moves.list, moves.list + moves.count,
                     [](const Move& a, const Move& b) { return a.gain > b.gain; });
    if (moves.count == 1) maxDepth = 1;

    AlphaBetaResult result;
    result.pit = moves.list[0].pit;
    for (int depth = 1; depth <= maxDepth && !stopped_; ++depth) {
      searchRoot(moves, depth, rng, result);
      if (result.provenWin() || result.provenLoss()) break;
    }
    result.nodes = nodes_;
    result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return result;
  }

 private:
  struct Move {
    Position child;
    int order;
    std::uint8_t pit;
    std::int16_t gain;  // kazan difference gained by the mover
    bool captures;
  };
  struct Moves {
    Move list[kMaxPits];
    std::uint8_t by[kMaxPits];  // places in `list`, best first as far as `next` was asked
    int count = 0;
  };

  // One iteration. Looks for every move equal to the best, not just one better: a null window just
  // below the best score tells them apart at no extra cost.
  void searchRoot(Moves& moves, int depth, Rng& rng, AlphaBetaResult& result) {
    int best = -kInfinity;
    std::array<std::uint8_t, kMaxPits> equal{};
    std::uint32_t equals = 0;
    std::array<std::vector<std::uint8_t>, kMaxPits> lines;
    int front = 0;
    for (int i = 0; i < moves.count; ++i) {
      const Move& move = moves.list[i];
      int score = -kInfinity;
      if (i > 0) score = -search(move.child, depth - 1, -best, -best + 1, 1);
      if (!stopped_ && (i == 0 || score >= best))
        score = -search(move.child, depth - 1, -kInfinity, i == 0 ? kInfinity : -best + 1, 1);
      if (stopped_) break;
      if (score < best) continue;
      if (score > best) {
        equals = 0;
        front = i;
      }
      best = score;
      lines[equals].assign(1, move.pit);
      lines[equals].insert(lines[equals].end(), memory_.pv[1].begin(),
                           memory_.pv[1].begin() + memory_.pvLength[1]);
      equal[equals++] = move.pit;
    }
    if (equals == 0) return;
    const std::uint32_t pick = rng.below(equals);
    result.pit = equal[pick];
    result.pv = lines[pick];
    result.score = best;
    result.depth = depth;
    std::rotate(moves.list, moves.list + front, moves.list + front + 1);
  }

  int evaluate(const Position& p) const {
    const int ahead = p.side == Side::First ? p.kazan[0] - p.kazan[1] : p.kazan[1] - p.kazan[0];
    return rules_.set().giveaway ? -ahead : ahead;
  }

  int endScore(const Position& p, EndReason reason, int ply) const {
    return outcomeOf(rules_.set(), p, reason).score(p.side) * (AlphaBeta::kWin - ply);
  }

  bool repeats(const Position& p, int ply) const {
    const Position* const now = memory_.path.data() + rootAt_ + ply;
    const Position* const first = memory_.path.data();
    for (const Position* at = now; at - first >= 2;) {
      at -= 2;
      if (at->kazan != p.kazan) return false;
      if (*at == p) return true;
    }
    return false;
  }

  void look() {
    if ((++nodes_ & (kClockInterval - 1)) == 0 && timed_ && Clock::now() >= deadline_)
      stopped_ = true;
  }

  void generate(const Position& p, Moves& moves) const {
    const auto mover = static_cast<unsigned>(index(p.side));
    unsigned gaining = 0;
    moves.count = 0;
    for (PitMask rest = filledPits(rules_, p); rest; rest &= rest - 1) {
      Move& move = moves.list[moves.count];
      Sowing sowing;
      move.pit = static_cast<std::uint8_t>(std::countr_zero(rest));
      move.child = play(rules_, p, move.pit, &sowing);
      const int own = move.child.kazan[mover] - p.kazan[mover];
      const int other = move.child.kazan[1 - mover] - p.kazan[1 - mover];
      move.gain = static_cast<std::int16_t>(rules_.set().giveaway ? other - own : own - other);
      move.captures = rules_.set().giveaway ? own > 0 : sowing.captured > 0;
      gaining |= static_cast<unsigned>(own > 0) << moves.count++;
    }
    if (rules_.set().giveaway && gaining) {  // compulsion: only these are legal
      int kept = 0;
      for (; gaining; gaining &= gaining - 1)
        moves.list[kept++] = moves.list[std::countr_zero(gaining)];
      moves.count = kept;
    }
  }

  std::int32_t& history(const Position& p, int pit) {
    const int balls = p.pit(rules_.set(), p.side, pit);
    return memory_.history[static_cast<std::size_t>(index(p.side))][static_cast<std::size_t>(pit)]
                          [static_cast<std::size_t>(std::min(balls, 31))];
  }

  void order(const Position& p, Moves& moves, int tablePit, int ply) {
    const auto& killers = memory_.killers[static_cast<std::size_t>(ply)];
    for (int i = 0; i < moves.count; ++i) {
      Move& move = moves.list[i];
      int order = std::min(history(p, move.pit), kMaxHistory);
      if (move.gain != 0) order += move.gain * kGainWeight;
      if (move.pit + 1 == killers[0] || move.pit + 1 == killers[1]) order += kKillerWeight;
      if (move.pit == tablePit) order = 1 << 28;
      move.order = order;
      moves.by[i] = static_cast<std::uint8_t>(i);
    }
  }

  // The next best of the moves from `at` on, brought to place `at`.
  static const Move& next(Moves& moves, int at) {
    int best = at;
    for (int i = at + 1; i < moves.count; ++i)
      if (moves.list[moves.by[i]].order > moves.list[moves.by[best]].order) best = i;
    std::swap(moves.by[at], moves.by[best]);
    return moves.list[moves.by[at]];
  }

  void refuted(const Position& p, const Move& move, int depth, int ply) {
    auto& killers = memory_.killers[static_cast<std::size_t>(ply)];
    const auto pit = static_cast<std::uint8_t>(move.pit + 1);
    if (killers[0] != pit) {
      killers[1] = killers[0];
      killers[0] = pit;
    }
    std::int32_t& count = history(p, move.pit);
    count += depth * depth;
    if (count > kMaxHistory)
      for (auto& side : memory_.history)
        for (auto& byBalls : side)
          for (auto& entry : byBalls) entry /= 2;
  }

  int search(const Position& p, int depth, int alpha, int beta, int ply) {
    memory_.pvLength[static_cast<std::size_t>(ply)] = 0;
    if (const EndReason end = endOfPosition(rules_, p); end != EndReason::None) {
      look();
      return endScore(p, end, ply);
    }
    memory_.path[rootAt_ + static_cast<std::size_t>(ply)] = p;
    if (repeats(p, ply) || ply >= pliesToCap_) {
      look();
      return 0;
    }
    if (depth <= 0) return quiesce(p, alpha, beta, ply, quiescenceDepth_);
    look();
    if (stopped_) return 0;

    const bool tabled = depth >= kTableDepth && memory_.table.enabled();
    std::uint64_t hash = 0;
    TranspositionTable::Found found;
    if (tabled) {
      hash = p.hash();
      if (memory_.table.probe(p, hash, found) && found.depth >= depth) {
        const int score = fromTable(found.score, ply);
        if (found.bound == TranspositionTable::Bound::Exact ||
            (found.bound == TranspositionTable::Bound::Lower && score >= beta) ||
            (found.bound == TranspositionTable::Bound::Upper && score <= alpha))
          return score;
      }
    }

    Moves moves;
    generate(p, moves);
    order(p, moves, found.pit, ply);
    const int alphaBefore = alpha;
    int best = -kInfinity, bestPit = TranspositionTable::kNoPit;
    for (int i = 0; i < moves.count; ++i) {
      const Move& move = next(moves, i);
      int score;
      if (i == 0) {
        score = -search(move.child, depth - 1, -beta, -alpha, ply + 1);
      } else {
        score = -search(move.child, depth - 1, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && score < beta)
          score = -search(move.child, depth - 1, -beta, -alpha, ply + 1);
      }
      if (stopped_) return 0;
      if (score <= best) continue;
      best = score;
      bestPit = move.pit;
      if (score <= alpha) continue;
      alpha = score;
      keepLine(move.pit, ply);
      if (alpha >= beta) {
        refuted(p, move, depth, ply);
        break;
      }
    }
    if (tabled) {
      using enum TranspositionTable::Bound;
      const auto bound = best >= beta ? Lower : best > alphaBefore ? Exact : Upper;
      memory_.table.store(p, hash, {toTable(best, ply), depth, bound, bestPit});
    }
    return best;
  }

  // Past the horizon: the mover may rest on the kazan difference or capture. In giveaway a capture
  // is compulsory, so there he may not rest while he has one.
  int quiesce(const Position& p, int alpha, int beta, int ply, int left) {
    look();
    if (const EndReason end = endOfPosition(rules_, p); end != EndReason::None)
      return endScore(p, end, ply);
    const int rest = evaluate(p);
    if (left == 0 || stopped_) return rest;
    int best = -kInfinity;
    if (!rules_.set().giveaway) {
      if (rest >= beta) return rest;
      best = rest;
      alpha = std::max(alpha, rest);
    }
    Moves moves;
    generate(p, moves);
    int captures = 0;
    for (int i = 0; i < moves.count; ++i) {
      if (!moves.list[i].captures) continue;
      moves.list[i].order = moves.list[i].gain;
      moves.by[captures++] = static_cast<std::uint8_t>(i);
    }
    if (captures == 0) return rest;
    moves.count = captures;
    for (int i = 0; i < captures; ++i) {
      const Move& move = next(moves, i);
      const int score = -quiesce(move.child, -beta, -alpha, ply + 1, left - 1);
      if (score <= best) continue;
      best = score;
      alpha = std::max(alpha, score);
      if (alpha >= beta) break;
    }
    return best;
  }

  void keepLine(std::uint8_t pit, int ply) {
    const auto at = static_cast<std::size_t>(ply);
    auto& line = memory_.pv[at];
    const auto length = static_cast<std::size_t>(memory_.pvLength[at + 1]);
    line[0] = pit;
    std::copy_n(memory_.pv[at + 1].begin(), std::min(length, line.size() - 1), line.begin() + 1);
    memory_.pvLength[at] = static_cast<int>(std::min(length + 1, line.size()));
  }

  // Proven scores count plies from the root; the table keeps them from its own position.
  static int toTable(int score, int ply) {
    return score >= AlphaBeta::kProven    ? score + ply
           : score <= -AlphaBeta::kProven ? score - ply
                                          : score;
  }
  static int fromTable(int score, int ply) {
    return score >= AlphaBeta::kProven    ? score - ply
           : score <= -AlphaBeta::kProven ? score + ply
                                          : score;
  }

  const R& rules_;
  Memory& memory_;
  int quiescenceDepth_;
  int pliesToCap_;
  Clock::time_point start_;
  Clock::time_point deadline_;
  bool timed_;
  bool stopped_ = false;
  std::size_t rootAt_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace

AlphaBeta::AlphaBeta(const Rules& rules, const Options& options)
    : rules_(rules), options_(options), memory_(std::make_unique<Memory>(options.tableBits)) {
  TOGUZ_CHECK(options.tableBits >= 0 && options.tableBits <= 30, "a table of absurd size");
  TOGUZ_CHECK(options.quiescenceDepth >= 0 && options.quiescenceDepth < 60,
              "captures searched too far");
}

AlphaBeta::~AlphaBeta() = default;
AlphaBeta::AlphaBeta(AlphaBeta&&) noexcept = default;
AlphaBeta& AlphaBeta::operator=(AlphaBeta&&) noexcept = default;

void AlphaBeta::newGame() {
  memory_->table.clear();
  memory_->history = {};
  memory_->killers = {};
}

AlphaBetaResult AlphaBeta::search(const Game& game, const AlphaBetaLimits& limits, Rng& rng) {
  TOGUZ_CHECK(!game.over(), "a search in a finished game");
  TOGUZ_CHECK(game.rules() == rules_, "a search under other rules");
  TOGUZ_CHECK(limits.depth > 0 || limits.movetimeMs > 0, "a search without a limit");
  const int depth = limits.depth > 0 ? std::min(limits.depth, kMaxDepth) : kMaxDepth;
  return withRules(rules_, [&](const auto& rules) {
    return Searcher(rules, *memory_, options_, game, limits).run(depth, rng);
  });
}

}  // namespace toguz
