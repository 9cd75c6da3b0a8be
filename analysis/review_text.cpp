#include "analysis/review_text.h"

#include <algorithm>
#include <cmath>

#include "core/notation.h"
#include "core/position_text.h"
#include "core/state_json.h"
#include "play/words.h"
#include "report/page.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

std::string moveText(const GameReview& review, std::size_t ply, int pit, bool score = false) {
  return formatMove(review.rules, review.positions[ply], pit, score);
}

// "34." or "34..." before the move of that ply.
std::string numberOf(const GameReview& review, std::size_t ply) {
  const bool second = review.positions[ply].side == Side::Second;
  const bool secondBegan = review.positions.front().side == Side::Second;
  const int number = review.startFullmove + static_cast<int>((ply + (secondBegan ? 1 : 0)) / 2);
  return std::to_string(number) + (second ? "..." : ".");
}

// What differs by less is noise of the searches.
constexpr double kWorthSaying = 2;  // points of win rate

// As far as a reader follows, and as a small search can be trusted.
std::span<const std::uint8_t> firstOf(const std::vector<std::uint8_t>& line) {
  constexpr std::size_t kShown = 8;
  return {line.data(), std::min(line.size(), kShown)};
}

std::string commentOf(const GameReview& review, std::size_t ply) {
  const ReviewedMove& move = review.moves[ply];
  std::string comment = text(move.mark);
  if (!comment.empty()) comment += ' ';
  comment += fixedNumber(move.winRate) + "% " + fixedNumber(move.margin, 1, true);
  if (move.lostWinRate < kWorthSaying) return comment;
  return comment + ", best " + moveText(review, ply, move.best) + " " +
         fixedNumber(move.winRateBest) + "% " + fixedNumber(move.marginBest, 1, true) + ": " +
         movesText(review.rules, review.positions[ply], firstOf(move.bestLine));
}

std::string turningText(const GameReview& review) {
  std::string list;
  for (std::size_t ply = 0; ply < review.moves.size(); ++ply) {
    if (!review.moves[ply].turning) continue;
    if (!list.empty()) list += ", ";
    list += numberOf(review, ply) + " " + moveText(review, ply, review.moves[ply].pit);
  }
  return list;
}

std::string resultOf(const GameText& record, const GameReview& review) {
  if (!record.result.empty()) return record.result;
  return review.outcome.over() ? text(review.outcome.result) : "*";
}

}  // namespace

double tenth(double value) {
  return std::round(10 * value) / 10 + 0.0;  // the sum turns -0 into 0
}

std::string movesText(const Rules& rules, const Position& from, std::span<const std::uint8_t> pits,
                      bool numbers) {
  std::string line;
  Position position = from;
  for (std::size_t i = 0; i < pits.size(); ++i) {
    if (i > 0) line += ' ';
    if (numbers && i % 2 == 0) line += std::to_string(i / 2 + 1) + ". ";
    line += formatMove(rules, position, pits[i]);
    position = play(rules, position, pits[i]);
  }
  return line;
}

GameText annotated(const GameText& record, const GameReview& review) {
  GameText out = record;
  for (std::size_t ply = 0; ply < review.moves.size() && ply < out.moves.size(); ++ply) {
    std::string& comment = out.moves[ply].comment;
    comment = commentOf(review, ply) + (comment.empty() ? "" : "; " + comment);
  }
  const std::string said = "accuracy " + fixedNumber(review.sides[0].accuracy) + " and " +
                           fixedNumber(review.sides[1].accuracy);
  out.comment = said + (out.comment.empty() ? "" : "; " + out.comment);
  return out;
}

std::string reviewLine(const GameText& record, const GameReview& review) {
  std::string line = resultOf(record, review) + ", " + std::to_string(review.moves.size()) +
                     " plies; accuracy " + fixedNumber(review.sides[0].accuracy) + " and " +
                     fixedNumber(review.sides[1].accuracy);
  const char* separator = "; ";
  for (const Mark mark : {Mark::Inaccuracy, Mark::Mistake, Mark::Blunder}) {
    line += separator + std::string(text(mark)) + " " +
            std::to_string(review.sides[0].count(mark)) + " and " +
            std::to_string(review.sides[1].count(mark));
    separator = ", ";
  }
  const std::string turning = turningText(review);
  if (!turning.empty()) line += "; turned at " + turning;
  return line;
}

Json reviewJson(const GameText& record, const GameReview& review) {
  Json game;
  game["tags"] = Json::object();
  for (const auto& [name, value] : record.tags) game["tags"][name] = value;
  game["variant"] = review.rules.name();
  game["start"] = formatPosition(review.rules, review.positions.front(), review.startFullmove);
  game["result"] = resultOf(record, review);
  game["ending"] = review.outcome.over() ? text(review.outcome.reason) : "open";
  game["sides"] = Json::array();
  for (const SideReview& side : review.sides)
    game["sides"].push_back({{"moves", side.moves},
                             {"accuracy", tenth(side.accuracy)},
                             {"lost_balls", tenth(side.lostBalls)},
                             {"good", side.count(Mark::Good)},
                             {"inaccuracies", side.count(Mark::Inaccuracy)},
                             {"mistakes", side.count(Mark::Mistake)},
                             {"blunders", side.count(Mark::Blunder)}});
  game["turning_points"] = Json::array();
  game["moves"] = Json::array();
  for (std::size_t ply = 0; ply < review.moves.size(); ++ply) {
    const ReviewedMove& move = review.moves[ply];
    if (move.turning) game["turning_points"].push_back(ply + 1);
    game["moves"].push_back(
        {{"ply", ply + 1},
         {"side", index(review.positions[ply].side)},
         {"move", moveText(review, ply, move.pit)},
         {"mark", text(move.mark)},
         {"win_rate", tenth(move.winRate)},
         {"margin", tenth(move.margin)},
         {"best", moveText(review, ply, move.best)},
         {"best_win_rate", tenth(move.winRateBest)},
         {"best_margin", tenth(move.marginBest)},
         {"best_line", movesText(review.rules, review.positions[ply], move.bestLine)},
         {"lost_win_rate", tenth(move.lostWinRate)},
         {"lost_balls", tenth(move.lostBalls)},
         {"accuracy", tenth(move.accuracy)}});
  }
  return game;
}

Json openingsJson(const Rules& rules, std::span<const OpeningLine> lines) {
  Json all = Json::array();
  for (const OpeningLine& line : lines)
    all.push_back({{"variant", rules.name()},
                   {"moves", movesText(rules, Position::start(rules.set()), line.pits, true)},
                   {"games", line.games},
                   {"first_won", line.results[0]},
                   {"drawn", line.results[1]},
                   {"second_won", line.results[2]},
                   {"first_win_rate", tenth(line.firstWinRate)}});
  return all;
}

Json reviewPageGame(const GameText& record, const GameReview& review, const std::string& title) {
  const RuleSet& set = review.rules.set();
  Json plies = Json::array();
  for (std::size_t ply = 0; ply < review.positions.size(); ++ply) {
    Json json = pagePosition(set, review.positions[ply]);
    json["win"] = tenth(review.firstWinRate(ply));
    json["margin"] = tenth(review.firstMargin(ply));
    if (ply < review.moves.size()) {
      const ReviewedMove& move = review.moves[ply];
      json["move"] = moveText(review, ply, move.pit, true);
      json["pit"] = move.pit;
      if (move.mark != Mark::None) json["mark"] = text(move.mark);
      if (move.turning) json["turning"] = true;
      if (move.lostWinRate >= kWorthSaying) {
        json["best"] = moveText(review, ply, move.best);
        json["line"] = movesText(review.rules, review.positions[ply], firstOf(move.bestLine));
        json["lost"] = {tenth(move.lostWinRate), tenth(move.lostBalls)};
      }
    }
    plies.push_back(std::move(json));
  }
  Json sides = Json::array();
  for (const SideReview& side : review.sides)
    sides.push_back({{"accuracy", tenth(side.accuracy)},
                     {"balls", tenth(side.lostBalls)},
                     {"marks", side.marks}});
  return {{"title", title},
          {"variant", review.rules.name()},
          {"pits", set.pits},
          {"result", resultOf(record, review)},
          {"sides", std::move(sides)},
          {"plies", std::move(plies)}};
}

}  // namespace toguz
