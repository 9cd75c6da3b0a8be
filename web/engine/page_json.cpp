#include "web/engine/page_json.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/record.h"
#include "core/state_json.h"
#include "play/sowing_frames.h"

namespace toguz::page {
namespace {

constexpr const char* kVariants[] = {"standard", "giveaway", "bestemshe", "seven"};
// More is no record of a game that someone wants to look at in a page.
constexpr std::size_t kMostGames = 5000;
constexpr std::size_t kMostMoves = 20'000;

const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key))
    throw UsageError(std::string("the request lacks '") + key + "'");
  return object[key];
}

std::string textOf(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw UsageError(std::string("'") + key + "' is not a text");
  return value.get<std::string>();
}

int wholeNumber(const Json& value, const char* what, int least, int most) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= least && number <= most) return static_cast<int>(number);
  }
  throw UsageError(std::string(what) + " is not a whole number from " + std::to_string(least) +
                   " to " + std::to_string(most));
}

Json boardJson(const RuleSet& set, const Position& position) {
  std::array<Json, 2> pits{Json::array(), Json::array()};
  for (int pit = 0; pit < set.pits; ++pit) {
    pits[0].push_back(position.pit(set, Side::First, pit));
    pits[1].push_back(position.pit(set, Side::Second, pit));
  }
  return {{"pits", pits},
          {"kazan", position.kazan},
          {"tuzdik",
           {position.tuzdikNumber(set, Side::First), position.tuzdikNumber(set, Side::Second)}}};
}

Json captureJson(const Capture& capture) {
  return {{"pit", capture.pit}, {"balls", capture.balls}, {"tuzdik", capture.tuzdik}};
}

// Tries beginnings of the moves, the longest that `attempt` takes as the last that it takes. What
// follows the first fault costs nothing: a file of nonsense is not to hold the page up.
template <class Attempt>
void playBeginning(GameText& record, const Attempt& attempt) {
  const std::vector<RecordedMove> moves = std::move(record.moves);
  const auto taken = [&](std::size_t count) {
    record.moves.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(count));
    return attempt(record);
  };
  if (!taken(0)) return;
  std::size_t good = 0, bad = 1;
  while (bad < moves.size() && taken(bad)) {
    good = bad;
    bad = std::min(2 * bad, moves.size());
  }
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (taken(middle) ? good : bad) = middle;
  }
}

}  // namespace

Rules variantOf(const Json& request) {
  const std::string name = textOf(request, "variant");
  if (std::find(std::begin(kVariants), std::end(kVariants), name) == std::end(kVariants))
    throw UsageError("the page plays standard, giveaway, bestemshe and seven, not " +
                     inQuotes(name));
  return Rules::named(name);
}

Game startOf(const Json& spec, int* fullmove) {
  const Rules rules = variantOf(spec);
  if (fullmove) *fullmove = 1;
  if (!spec.contains("fen") || spec["fen"].is_null()) return Game(rules);
  const PositionText start = parsePosition(rules, textOf(spec, "fen"));
  if (fullmove) *fullmove = start.fullmove;
  return Game(rules, start.position);
}

Game gameOf(const Json& spec, int* fullmove) {
  Game game = startOf(spec, fullmove);
  const Json& moves = member(spec, "moves");
  if (!moves.is_array() || moves.size() > kMostMoves)
    throw UsageError("'moves' is not a list of pits");
  for (std::size_t i = 0; i < moves.size(); ++i) {
    try {
      game.play(wholeNumber(moves[i], "a pit", 1, game.rules().set().pits) - 1);
    } catch (const UsageError& error) {
      throw UsageError("ply " + std::to_string(i + 1) + ": " + error.what());
    }
  }
  return game;
}

int pitOf(const Json& request, const Game& game) {
  const int pit = wholeNumber(member(request, "pit"), "'pit'", 1, game.rules().set().pits) - 1;
  if (!(game.legal() >> pit & 1u))
    throw UsageError("pit " + std::to_string(pit + 1) + " cannot be played here");
  return pit;
}

Json rulesJson(const Rules& rules) {
  const RuleSet& set = rules.set();
  return {{"name", rules.name()},      {"pits", set.pits},     {"balls", set.balls},
          {"total", set.total()},      {"tuzdik", set.tuzdik}, {"giveaway", set.giveaway},
          {"majority", set.majority()}};
}

Json landing(const Rules& rules, const Position& before, int pit) {
  Sowing sowing;
  const Position after = play(rules, before, pit, &sowing);
  const auto mover = static_cast<std::size_t>(index(before.side));
  return {{"pit", pit + 1},
          {"by", index(before.side)},
          {"square", sowing.last},
          {"captured", sowing.captured},
          {"tuzdik", sowing.madeTuzdik},
          {"move", formatMove(rules, before, pit, sowing, after.kazan[mover])}};
}

Json landings(const Game& game) {
  Json all = Json::array();
  for (int pit = 0; pit < game.rules().set().pits; ++pit)
    if (game.legal() >> pit & 1u) all.push_back(landing(game.rules(), game.position(), pit));
  return all;
}

Json state(const Game& game, int fullmove) {
  const Rules& rules = game.rules();
  Json json = Json::parse(stateJson(game, fullmove));
  json["moves"] = Json::array();
  for (std::size_t i = 0; i < game.moves().size(); ++i)
    json["moves"].push_back(
        formatMove(rules, game.positions()[i], game.moves()[i], /*withScore=*/true));
  const PitMask filled =
      withRules(rules, [&](const auto& r) { return filledPits(r, game.position()); });
  json["compelled"] = !game.over() && game.legal() != filled;
  json["last"] = nullptr;
  if (!game.moves().empty())
    json["last"] = landing(rules, *(game.positions().end() - 2), game.moves().back());
  return json;
}

Json sowing(const Game& game, int pit) {
  Json frames = Json::array();
  for (const SowingFrame& frame : sowingFrames(game.rules(), game.position(), pit)) {
    Json json = boardJson(game.rules().set(), frame.position);
    json["square"] = frame.square;
    json["inHand"] = frame.inHand;
    json["capture"] = frame.capture;
    frames.push_back(std::move(json));
  }
  return frames;
}

Json factsJson(const MoveFacts& facts) {
  Json json{{"pit", facts.pit},
            {"capture", captureJson(facts.capture)},
            {"intoOwnTuzdik", facts.intoOwnTuzdik},
            {"intoOtherTuzdik", facts.intoOtherTuzdik},
            {"only", facts.only},
            {"compelled", facts.compelled},
            {"end", nullptr},
            {"dangerBefore", captureJson(facts.dangerBefore)},
            {"dangerAfter", captureJson(facts.dangerAfter)},
            {"endangered", facts.endangered},
            {"preventedTuzdik", facts.preventedTuzdik},
            {"chanceBefore", captureJson(facts.chanceBefore)},
            {"chanceAfter", captureJson(facts.chanceAfter)},
            {"newChance", facts.newChance},
            {"expected", nullptr},
            {"nextBest", nullptr},
            {"nextBestWinRate", facts.nextBestWinRate}};
  if (facts.end)
    json["end"] = {
        {"score", facts.end->score}, {"own", facts.end->own}, {"other", facts.end->other}};
  if (facts.expected)
    json["expected"] = {{"winRate", facts.expected->winRate},
                        {"own", facts.expected->own},
                        {"other", facts.expected->other}};
  if (facts.nextBest) json["nextBest"] = *facts.nextBest;
  return json;
}

std::string fenOf(const Json& edited) {
  const Rules rules = variantOf(edited);
  const RuleSet& set = rules.set();
  Position position;
  const auto pair = [&](const char* key) -> const Json& {
    const Json& value = member(edited, key);
    if (!value.is_array() || value.size() != 2)
      throw UsageError(std::string("'") + key + "' is not a pair");
    return value;
  };
  const Json &pits = pair("pits"), &kazan = pair("kazan"), &tuzdik = pair("tuzdik");
  for (unsigned side = 0; side < 2; ++side) {
    if (!pits[side].is_array() || pits[side].size() != set.pits)
      throw UsageError("a row has " + std::to_string(set.pits) + " pits");
    for (unsigned pit = 0; pit < set.pits; ++pit)
      position.board[side * set.pits + pit] = static_cast<std::uint8_t>(
          wholeNumber(pits[side][pit], "the balls of a pit", 0, set.total()));
    position.kazan[side] =
        static_cast<std::uint8_t>(wholeNumber(kazan[side], "a kazan", 0, set.total()));
    const int number = wholeNumber(tuzdik[side], "a tuzdik", 0, set.pits);
    if (number > 0)
      position.tuzdik[side] =
          static_cast<std::uint8_t>((1 - side) * set.pits + static_cast<unsigned>(number) - 1);
  }
  position.side = static_cast<Side>(wholeNumber(member(edited, "turn"), "'turn'", 0, 1));
  if (const char* fault = position.fault(set)) throw UsageError(fault);
  return formatPosition(rules, position);
}

Json editedPosition(const Json& request) {
  const Rules rules = variantOf(request);
  const PositionText text = parsePosition(rules, textOf(request, "fen"));
  Json json = boardJson(rules.set(), text.position);
  json["variant"] = rules.name();
  json["turn"] = index(text.position.side);
  return json;
}

Json readRecords(const std::string& text, const Rules& rules) {
  std::vector<GameText> games = parseGames(text);
  if (games.empty()) throw UsageError("no game is written here");
  if (games.size() > kMostGames)
    throw UsageError("more than " + std::to_string(kMostGames) + " games: cut the file up");
  Json all = Json::array();
  for (GameText& record : games) {
    Json spec{{"variant", rules.name()}, {"moves", Json::array()}}, tags = Json::object();
    Json fault = nullptr;
    for (const auto& [name, value] : record.tags) tags[name] = value;
    const auto attempt = [&](const GameText& part) {
      try {
        const ReplayedGame played = replayGame(part, rules.name());
        Json game{{"variant", played.rules.name()}, {"moves", Json::array()}};
        variantOf(game);
        if (!part.fen.empty()) game["fen"] = part.fen;
        for (const std::uint8_t pit : played.pits) game["moves"].push_back(pit + 1);
        // A Game ends where a recorded one may go on: at the third repetition.
        gameOf(game);
        spec = std::move(game);
        return true;
      } catch (const Error& error) {
        if (fault.is_null()) fault = error.what();
        return false;
      }
    };
    if (!attempt(record)) {
      // What was wrong may be the summary; else the moves count as far as they can be played.
      record.result = record.kazans = record.ending = record.plies = record.fault = {};
      if (!attempt(record)) playBeginning(record, attempt);
    }
    all.push_back({{"game", std::move(spec)},
                   {"tags", std::move(tags)},
                   {"result", record.result.empty() ? "*" : record.result},
                   {"fault", std::move(fault)}});
  }
  return all;
}

std::string writeRecord(const Json& request) {
  int fullmove = 1;
  const Game game = gameOf(member(request, "game"), &fullmove);
  std::vector<std::pair<std::string, std::string>> tags;
  if (request.contains("tags"))
    for (const auto& [name, value] : request["tags"].items())
      if (value.is_string()) tags.emplace_back(name, value.get<std::string>());
  std::vector<std::string> comments;
  if (request.contains("comments"))
    for (const Json& comment : request["comments"])
      comments.push_back(comment.is_string() ? comment.get<std::string>() : "");
  GameText record = describeGame(game, std::move(tags), comments, fullmove);
  if (!game.over() && request.contains("result") && request["result"].is_string()) {
    const std::string result = request["result"];
    if (result != "1-0" && result != "0-1" && result != "1/2-1/2" && result != "*")
      throw UsageError("a result is 1-0, 0-1, 1/2-1/2 or *");
    record.result = result;
  }
  return pgnText(record);
}

std::vector<std::string> notation(const Rules& rules, Position from,
                                  std::span<const std::uint8_t> pits) {
  std::vector<std::string> moves;
  for (const std::uint8_t pit : pits) {
    moves.push_back(formatMove(rules, from, pit));
    from = play(rules, from, pit);
  }
  return moves;
}

std::string numberedMoves(const Game& game, int fullmove) {
  std::string text;
  const std::vector<std::string> moves = notation(game.rules(), game.start(), game.moves());
  Side side = game.start().side;
  for (std::size_t i = 0; i < moves.size(); ++i, side = opponent(side)) {
    if (!text.empty()) text += ' ';
    if (side == Side::First)
      text += std::to_string(fullmove) + ". ";
    else if (i == 0)
      text += std::to_string(fullmove) + "... ";
    if (side == Side::Second) ++fullmove;
    text += moves[i];
  }
  return text;
}

Json searchInfo(const Game& game, const SearchInfo& info) {
  Json lines = Json::array();
  for (const SearchLine& line : info.lines) {
    Json pits = Json::array();
    for (const std::uint8_t pit : line.pv) pits.push_back(pit + 1);
    lines.push_back({{"visits", line.visits},
                     {"winRate", line.winRate()},
                     {"margin", line.margin},
                     {"pv", notation(game.rules(), game.position(), line.pv)},
                     {"pits", std::move(pits)}});
  }
  return {{"nodes", info.nodes}, {"nps", info.nps}, {"timeMs", info.timeMs}, {"lines", lines}};
}

Json reviewJson(const GameReview& review) {
  Json moves = Json::array(), rates = Json::array(), margins = Json::array(), sides = Json::array();
  for (std::size_t i = 0; i <= review.moves.size(); ++i) {
    rates.push_back(review.firstWinRate(i));
    margins.push_back(review.firstMargin(i));
  }
  for (std::size_t i = 0; i < review.moves.size(); ++i) {
    const ReviewedMove& move = review.moves[i];
    const Position& before = review.positions[i];
    moves.push_back({{"pit", move.pit + 1},
                     {"move", formatMove(review.rules, before, move.pit)},
                     {"best", move.best + 1},
                     {"bestMove", formatMove(review.rules, before, move.best)},
                     {"bestLine", notation(review.rules, before, move.bestLine)},
                     {"winRateBest", move.winRateBest},
                     {"winRate", move.winRate},
                     {"marginBest", move.marginBest},
                     {"margin", move.margin},
                     {"lostWinRate", move.lostWinRate},
                     {"lostBalls", move.lostBalls},
                     {"accuracy", move.accuracy},
                     {"mark", text(move.mark)},
                     {"turning", move.turning}});
  }
  for (const SideReview& side : review.sides)
    sides.push_back({{"moves", side.moves},
                     {"accuracy", side.accuracy},
                     {"lostBalls", side.lostBalls},
                     {"marks",
                      {{"good", side.count(Mark::Good)},
                       {"inaccuracy", side.count(Mark::Inaccuracy)},
                       {"mistake", side.count(Mark::Mistake)},
                       {"blunder", side.count(Mark::Blunder)}}}});
  return {{"moves", moves}, {"firstWinRate", rates}, {"firstMargin", margins}, {"sides", sides}};
}

}  // namespace toguz::page
