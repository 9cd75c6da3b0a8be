#include "analysis/exercise_kind.h"

#include <array>
#include <bit>

#include "base/error.h"
#include "play/hint.h"

namespace toguz {
namespace {

template <class F>
void forEachPit(PitMask pits, F&& f) {
  for (; pits; pits &= pits - 1) f(std::countr_zero(pits));
}

template <class F>
bool all(PitMask pits, F&& f) {
  bool holds = true;
  forEachPit(pits, [&](int pit) { holds = holds && f(pit); });
  return holds;
}

Sowing sowingOf(const Game& game, int pit) {
  Sowing sowing;
  play(game.rules(), game.position(), pit, &sowing);
  return sowing;
}

bool isThreat(const RuleSet& rules, const Capture& capture) {
  return capture.tuzdik || capture.balls >= largeCapture(rules);
}

bool leavesThreat(const RuleSet& rules, const MoveFacts& facts) {
  return !facts.end && (facts.endangered || isThreat(rules, facts.dangerAfter));
}

int worth(const Game& game, int pit) {
  const Sowing sowing = sowingOf(game, pit);
  return sowing.madeTuzdik ? game.rules().set().total() : sowing.captured;
}

}  // namespace

const char* text(ExerciseKind kind) {
  constexpr std::array<const char*, kExerciseKinds> kTexts{"capture", "tuzdik", "avoid", "best"};
  return kTexts[static_cast<std::size_t>(kind)];
}

bool leavesThreat(const Game& game, int pit) {
  return leavesThreat(game.rules().set(), factsOf(game, pit));
}

std::optional<ExerciseKind> exerciseKind(const Game& game, PitMask solution) {
  TOGUZ_CHECK(solution && !(solution & ~game.legal()) && game.legal() & ~solution,
              "a solution that is not some of the legal moves");
  const RuleSet& rules = game.rules().set();
  if (all(solution, [&](int pit) { return sowingOf(game, pit).madeTuzdik; }))
    return ExerciseKind::Tuzdik;
  const auto captures = [&](int pit) {
    const Sowing sowing = sowingOf(game, pit);
    return sowing.captured > 0 && !sowing.madeTuzdik;
  };
  if (all(solution, captures)) return ExerciseKind::Capture;
  if (!all(solution, [&](int pit) { return sowingOf(game, pit).captured == 0; }))
    return std::nullopt;
  if (rules.giveaway) return ExerciseKind::Best;
  const bool hangs = isThreat(rules, factsOf(game, std::countr_zero(solution)).dangerBefore);
  const bool avoided =
      hangs && all(solution, [&](int pit) { return !leavesThreat(game, pit); }) &&
      all(game.legal() & ~solution, [&](int pit) { return leavesThreat(game, pit); });
  return avoided ? ExerciseKind::Avoid : ExerciseKind::Best;
}

bool takesTheMost(const Game& game, PitMask moves) {
  const bool giveaway = game.rules().set().giveaway;
  const auto better = [&](int a, int b) { return giveaway ? a < b : a > b; };
  std::optional<int> best, chosen;
  forEachPit(game.legal(), [&](int pit) {
    const int now = worth(game, pit);
    if (!best || better(now, *best)) best = now;
    if ((moves >> pit & 1u) && (!chosen || better(now, *chosen))) chosen = now;
  });
  return chosen && *chosen == *best && (giveaway || *best > 0);
}

}  // namespace toguz
