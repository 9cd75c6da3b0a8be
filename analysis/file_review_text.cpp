#include "analysis/file_review_text.h"

#include <algorithm>
#include <array>

#include "analysis/review_text.h"
#include "base/progress.h"
#include "play/words.h"
#include "report/page.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

Json openingsJsonOf(std::span<const Openings> openings) {
  Json all = Json::array();
  for (const Openings& of : openings)
    for (auto& line : openingsJson(of.rules, of.lines)) all.push_back(line);
  return all;
}

}  // namespace

Json fileReviewJson(std::span<const ReviewedGame> games, std::span<const Openings> openings,
                    int nodes, std::size_t skipped) {
  Json all;
  all["nodes"] = nodes;
  all["skipped"] = skipped;
  all["games"] = Json::array();
  for (const ReviewedGame& game : games) {
    Json one{{"game", game.place}};
    one.update(reviewJson(*game.record, game.review));
    all["games"].push_back(std::move(one));
  }
  all["openings"] = openingsJsonOf(openings);
  return all;
}

std::string fileReviewPage(const std::string& title, std::span<const ReviewedGame> games,
                           std::span<const Openings> openings, int nodes, std::size_t most) {
  std::array<double, 2> accuracy{}, moves{};
  for (const ReviewedGame& game : games)
    for (std::size_t side = 0; side < 2; ++side) {
      const SideReview& of = game.review.sides[side];
      accuracy[side] += of.accuracy * of.moves;
      moves[side] += of.moves;
    }
  const auto percent = [&](std::size_t side) {
    return fixedNumber(accuracy[side] / std::max(1.0, moves[side])) + "%";
  };
  Json data;
  data["tiles"] = {{"games", std::to_string(games.size())},
                   {"moves", countText(moves[0] + moves[1])},
                   {"accuracy of the first player", percent(0)},
                   {"accuracy of the second player", percent(1)},
                   {"visits a position", std::to_string(nodes)}};
  data["variants"] = openings.size();
  data["games"] = Json::array();
  for (const ReviewedGame& game : games.first(std::min(games.size(), most))) {
    const std::string& id = game.record->tag("Id");
    data["games"].push_back(reviewPageGame(*game.record, game.review,
                                           id.empty() ? "Game " + std::to_string(game.place) : id));
  }
  data["openings"] = openingsJsonOf(openings);
  return reviewPage(title, data);
}

}  // namespace toguz
