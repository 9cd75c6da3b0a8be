// What a kind of exercise says of a position, told by the plain second implementation of the rules.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/exercise_kind.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/reference.h"

namespace toguz::test {

inline bool threatens(const Rules& rules, const Position& position) {
  const auto pits = legalPitsPlainly(rules.set(), position);
  return std::any_of(pits.begin(), pits.end(), [&](int pit) {
    Sowing sowing;
    playBallByBall(rules.set(), position, pit, &sowing);
    return sowing.madeTuzdik || sowing.captured >= largeCapture(rules.set());
  });
}

// Empty where the moves of the solution are of different kinds.
inline std::optional<std::string> plainKind(const Rules& rules, const Position& position,
                                            const std::set<int>& solution) {
  std::set<std::string> deeds;
  bool parries = !rules.set().giveaway;
  for (const int pit : legalPitsPlainly(rules.set(), position)) {
    Sowing sowing;
    const Position after = playBallByBall(rules.set(), position, pit, &sowing);
    const bool leaves = !Game(rules, after).over() && threatens(rules, after);
    if (solution.contains(pit))
      deeds.insert(sowing.madeTuzdik ? "tuzdik" : sowing.captured > 0 ? "capture" : "quiet");
    parries = parries && leaves != solution.contains(pit);
  }
  if (deeds.size() != 1) return std::nullopt;
  if (*deeds.begin() != "quiet") return *deeds.begin();
  Position passed = position;
  passed.side = opponent(position.side);
  return parries && !Game(rules, passed).over() && threatens(rules, passed) ? "avoid" : "best";
}

// All that can be told of an exercise of a file without a search.
inline void expectSound(const nlohmann::json& exercise) {
  SCOPED_TRACE(exercise.dump());
  const Rules rules = Rules::named(exercise["variant"].get<std::string>());
  const PositionText read = parsePosition(rules, exercise["fen"].get<std::string>());
  EXPECT_EQ(formatPosition(rules, read.position, read.fullmove), exercise["fen"]);
  const Game game(rules, read.position);
  ASSERT_FALSE(game.over());

  const auto& pits = exercise["solution"];
  ASSERT_TRUE(pits.size() == 1 || pits.size() == 2);
  ASSERT_EQ(exercise["moves"].size(), pits.size());
  ASSERT_LT(static_cast<int>(pits.size()), std::popcount(game.legal()));
  std::set<int> solution;
  for (std::size_t i = 0; i < pits.size(); ++i) {
    const int pit = pits[i].get<int>() - 1;
    ASSERT_TRUE(pit >= 0 && (game.legal() >> pit & 1u));
    EXPECT_EQ(formatMove(rules, game.position(), pit), exercise["moves"][i]);
    solution.insert(pit);
  }
  EXPECT_EQ(solution.size(), pits.size());
  EXPECT_EQ(plainKind(rules, game.position(), solution), exercise["kind"]);

  const int level = exercise["level"];
  EXPECT_TRUE(level >= 1 && level <= 5);
  const double winRate = exercise["winRate"], others = exercise["others"];
  EXPECT_GE(winRate - others, 14.9);  // both are rounded to a tenth
  EXPECT_GE(winRate, exercise["kind"] == "capture" ? 50 : 35);
  EXPECT_TRUE(winRate <= 100 && others >= 0 && others <= 80);

  ASSERT_FALSE(exercise["line"].empty());
  EXPECT_EQ(exercise["line"][0], exercise["moves"][0]);
  Game line = game;
  for (const auto& move : exercise["line"])
    line.play(parseMove(line, move.get<std::string>(), {.needMark = true}));
  EXPECT_FALSE(exercise["source"].get<std::string>().empty());
}

}  // namespace toguz::test
