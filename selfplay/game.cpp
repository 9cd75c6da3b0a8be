#include "selfplay/game.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace toguz {

SelfPlayGame::SelfPlayGame(const Rules& rules, int plyCap, const SelfPlayConfig& config)
    : config_(config), game_(rules, plyCap), search_(rules, config.searchParams(), 0) {}

void SelfPlayGame::start(const Start& start) {
  const Rules rules = game_.rules();
  rng_ = Rng(start.seed);
  game_ = start.forkedFrom ? Game(rules, *start.forkedFrom, game_.plyCap())
                           : Game(rules, game_.plyCap());
  search_.reseed(rng_());
  record_ = GameRecord{};
  record_.id = start.id;
  record_.rules = rules;
  record_.start = game_.position();
  generation_ = start.generation;
  fullNodes_ = config_.fullNodesAt(start.progress);
  // A fork differs from its source by one sampled move at least.
  openingPlies_ =
      start.forkedFrom
          ? 1
          : static_cast<int>(rng_.below(static_cast<std::uint32_t>(config_.openingPlies) + 1));
  wonTurns_ = {};
  won_ = false;
  active_ = true;
  searching_ = false;
  search_.setRoot(game_);
}

void SelfPlayGame::beginMove() {
  won_ = std::max(wonTurns_[0], wonTurns_[1]) >= config_.wonPlies;
  SearchLimits limits;
  limits.noiseAlpha = static_cast<float>(config_.noiseAlpha);
  limits.noiseWeight = static_cast<float>(config_.noiseWeight);
  if (game_.ply() < openingPlies_) {
    kind_ = Kind::Opening;
  } else if (std::has_single_bit(game_.legal())) {
    kind_ = Kind::Forced;
  } else if (config_.selection == Selection::Gumbel || rng_.chance(config_.fullShare)) {
    kind_ = Kind::Full;
  } else {
    kind_ = Kind::Cheap;
  }
  switch (kind_) {
    case Kind::Opening:
    case Kind::Forced:
      limits.nodes = 1;
      break;
    case Kind::Cheap:
      limits.nodes = won_ ? std::min(config_.cheapNodes, config_.wonNodes) : config_.cheapNodes;
      break;
    case Kind::Full:
      limits.nodes = won_ ? std::min(fullNodes_, config_.wonNodes) : fullNodes_;
      limits.noise = true;
      // A policy target comes from fresh visits under noise, none inherited from a cheap search.
      if (search_.rootVisits() > 0) search_.setRoot(game_);
      break;
  }
  search_.begin(limits);
  searching_ = true;
}

bool SelfPlayGame::nextLeaf(Position& leaf) {
  TOGUZ_CHECK(active_, "a leaf of a game that was not started");
  for (;;) {
    if (!searching_) {
      if (game_.over()) return false;
      beginMove();
    }
    if (search_.gather({&leaf, 1}) == 1) return true;
    TOGUZ_CHECK(!search_.waiting(), "the next leaf was asked for before the last was answered");
    if (search_.done()) finishMove();
  }
}

void SelfPlayGame::answer(const Evaluation& evaluation) {
  search_.provide({&evaluation, 1});
}

double SelfPlayGame::temperature() const {
  return config_.temperatureFloor + (config_.temperature - config_.temperatureFloor) *
                                        std::exp2(-game_.ply() / config_.temperatureHalfLife);
}

int SelfPlayGame::sampleOpening() {
  std::array<double, kMaxPits> weight{};
  double sum = 0;
  for (const RootMove& move : search_.rootMoves())
    sum += weight[move.pit] =
        std::pow(static_cast<double>(move.prior) + 1e-6, 1.0 / config_.openingTemperature);
  double left = rng_.uniform() * sum;
  for (const RootMove& move : search_.rootMoves())
    if ((left -= weight[move.pit]) < 0) return move.pit;
  return search_.rootMoves().back().pit;
}

void SelfPlayGame::finishMove() {
  const Side mover = game_.position().side;
  // A sum of ones over its count may round past one.
  const float winLoss = std::clamp(search_.policyValue().winLoss(mover), -1.0f, 1.0f);
  MoveRecord move;
  move.nodes = static_cast<std::uint16_t>(std::min(search_.rootVisits(), 65535u));
  move.rootWinLoss = winLoss;
  move.generation = generation_;
  move.weight = won_ ? static_cast<float>(config_.wonWeight) : 1.0f;
  if (kind_ == Kind::Full) {
    move.fullSearch = true;
    const auto target = search_.policyTarget();
    for (std::size_t i = 0; i < target.size(); ++i)
      move.policy[i] = static_cast<std::uint16_t>(std::lround(target[i] * 65535.0f));
  }
  int pit = 0;
  switch (kind_) {
    case Kind::Opening:
      pit = sampleOpening();
      break;
    case Kind::Forced:
      pit = std::countr_zero(game_.legal());
      break;
    case Kind::Cheap:
    case Kind::Full:
      pit = search_.sampleMove(static_cast<float>(temperature()), rng_);
      break;
  }
  move.pit = static_cast<std::uint8_t>(pit);
  record_.moves.push_back(move);
  for (const Side side : {Side::First, Side::Second}) {
    const float theirs = side == mover ? winLoss : -winLoss;
    int& turns = wonTurns_[static_cast<std::size_t>(index(side))];
    turns = theirs > config_.wonThreshold ? turns + 1 : 0;
  }

  game_.play(pit);
  searching_ = false;
  if (game_.over()) return;
  if (config_.treeReuse)
    search_.advance(game_, pit);
  else
    search_.setRoot(game_);
}

GameRecord SelfPlayGame::take() {
  TOGUZ_CHECK(active_ && game_.over(), "the record of a game that is not finished");
  active_ = false;
  record_.outcome = game_.outcome();
  return std::move(record_);
}

}  // namespace toguz
