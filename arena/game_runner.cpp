#include "arena/game_runner.h"

#include <chrono>

#include "base/rng.h"

namespace toguz {
namespace {

using SteadyClock = std::chrono::steady_clock;

double millisecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

// Why a game ended other than by its rules.
struct Forfeit {
  GameEnd end;
  std::string what;
};

// Asks `player` for its move and plays it.
std::optional<Forfeit> makeMove(Game& game, Player& player, std::optional<Clock>& clock,
                                Opinion& opinion) {
  const auto start = SteadyClock::now();
  Choice choice;
  try {
    choice = player.choose(game, clock);
  } catch (const PlayerFault& fault) {
    return Forfeit{GameEnd::Fault, fault.what()};
  }
  const double spent = millisecondsSince(start);
  opinion = {choice.winLoss, choice.margin, choice.nodes, static_cast<float>(spent)};
  if (clock) {
    clock->remainingMs -= spent;
    if (clock->remainingMs < 0)
      return Forfeit{GameEnd::Time, "ran out of time at ply " + std::to_string(game.ply() + 1)};
    clock->remainingMs += clock->incrementMs;
  }
  if (choice.pit < 0 || choice.pit >= game.rules().set().pits || !(game.legal() >> choice.pit & 1u))
    return Forfeit{GameEnd::Fault, "chose pit " + std::to_string(choice.pit + 1) +
                                       ", which is no legal move, at ply " +
                                       std::to_string(game.ply() + 1)};
  game.play(choice.pit);
  return std::nullopt;
}

// Whether both players have agreed on a winner for long enough.
class AgreedWinner {
 public:
  explicit AgreedWinner(const std::optional<MatchOptions::Adjudication>& rule) : rule_(rule) {}

  // `mover` said `opinion` before its move. The winner, once it is settled.
  std::optional<Side> hear(Side mover, const Opinion& opinion) {
    if (!rule_) return std::nullopt;
    const float threshold = 2 * rule_->winRate - 1;  // as P(win) - P(loss)
    const float first = !opinion.winLoss       ? 0.0f
                        : mover == Side::First ? *opinion.winLoss
                                               : -*opinion.winLoss;
    const int says = first >= threshold ? 1 : first <= -threshold ? -1 : 0;
    plies_ = says != 0 && says == winner_ ? plies_ + 1 : says != 0 ? 1 : 0;
    winner_ = says;
    if (says == 0 || plies_ < rule_->plies) return std::nullopt;
    return says > 0 ? Side::First : Side::Second;
  }

 private:
  const std::optional<MatchOptions::Adjudication>& rule_;
  int winner_ = 0;
  int plies_ = 0;
};

}  // namespace

std::optional<MatchGame> playGame(const MatchOptions& options, int index, Player& a, Player& b,
                                  const std::function<bool()>& abandon) {
  const auto pair = static_cast<std::size_t>(index / 2);
  const Opening& opening = options.openings[pair % options.openings.size()];
  Game game = opening.game(options.rules, options.plyCap);

  MatchGame record;
  record.index = index;
  record.aFirst = index % 2 == 0;
  record.start = opening.start;
  record.openingPlies = game.ply();

  Player* const players[2] = {&a, &b};
  std::optional<Clock> clocks[2];
  if (options.clock)
    clocks[0] = clocks[1] = Clock{options.clock->baseMs, options.clock->incrementMs};

  AgreedWinner agreement(options.adjudication);
  std::optional<Side> agreed;
  std::optional<Forfeit> forfeit;
  std::size_t mover = 0;  // 0: A, 1: B
  for (mover = 0; mover < 2; ++mover) {
    Rng rng = Rng::stream(options.seed, static_cast<std::uint64_t>(index), mover);
    try {
      players[mover]->newGame(options.rules, rng());
    } catch (const PlayerFault& fault) {
      forfeit = Forfeit{GameEnd::Fault, fault.what()};
      break;
    }
  }
  while (!forfeit && !agreed && !game.over()) {
    if (abandon()) return std::nullopt;
    const Side side = game.position().side;
    mover = (side == Side::First) == record.aFirst ? 0 : 1;
    Opinion opinion;
    forfeit = makeMove(game, *players[mover], clocks[mover], opinion);
    record.nodes[mover] += opinion.nodes;
    record.seconds[mover] += static_cast<double>(opinion.milliseconds) / 1000.0;
    ++record.choices[mover];
    if (forfeit) break;
    if (options.keepOpinions) record.opinions.push_back(opinion);
    agreed = agreement.hear(side, opinion);
  }

  record.moves = game.moves();
  if (forfeit) {
    record.end = forfeit->end;
    record.fault = forfeit->what;
    record.offenderIsA = mover == 0;
    record.result = winFor(record.offenderIsA == record.aFirst ? Side::Second : Side::First);
  } else if (agreed && !game.over()) {
    record.end = GameEnd::Adjudicated;
    record.result = winFor(*agreed);
    record.fault = "adjudicated: both players agreed";
  } else {
    record.result = game.outcome().result;
    record.reason = game.outcome().reason;
  }
  return record;
}

}  // namespace toguz
