#include "arena/farmed_game.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "arena/game_runner.h"
#include "arena/player_factories.h"
#include "arena/player_spec.h"
#include "base/error.h"
#include "core/position_text.h"

namespace toguz {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;
constexpr std::size_t kMaxBytes = 1 << 20;
// As large as a configuration may ask for; a deeper alpha-beta would hold a worker for hours.
constexpr int kMaxNodes = 60000;
constexpr int kMaxDepth = 12;
constexpr int kMaxPlyCap = 60000;

json parseText(const std::string& text, const char* what) {
  if (text.size() > kMaxBytes) throw UsageError(std::string(what) + " is too large");
  json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object()) throw UsageError(std::string(what) + " is no JSON object");
  return parsed;
}

const json& member(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end())
    throw UsageError(std::string("'") + key + "' is missing");
  return *found;
}

std::uint64_t wholeNumber(const json& value, const char* name, std::uint64_t least,
                          std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most)
    throw UsageError(std::string("'") + name + "' is not a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
  return value.get<std::uint64_t>();
}

std::string word(const json& value, const char* name) {
  if (!value.is_string()) throw UsageError(std::string("'") + name + "' is no text");
  return value.get<std::string>();
}

const json& list(const json& value, const char* name, std::size_t least, std::size_t most) {
  if (!value.is_array() || value.size() < least || value.size() > most)
    throw UsageError(std::string("'") + name + "' is no list of the right length");
  return value;
}

// Plays the moves on; every one must be legal.
void playMoves(const json& moves, Game& game) {
  for (const json& move : list(moves, "moves", 0, kMaxPlyCap)) {
    const auto pit = wholeNumber(move, "moves", 0, kMaxPits - 1);
    if (!(game.legal() >> pit & 1u))
      throw UsageError("move " + std::to_string(game.ply() + 1) + " is not legal");
    game.play(static_cast<int>(pit));
  }
}

// Of the players' kinds. The text may come from anybody.
void checkBuiltin(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string options = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "random" || text == "greedy") return;
  const auto limited = [&](const char* key, int most) {
    if (!PlayerSpec(text, options, {key}).number(key, 1, most))
      throw UsageError("player '" + text + "' has no limit");
  };
  if (kind == "alphabeta") return limited("depth", kMaxDepth);
  if (kind == "mcts") return limited("nodes", kMaxNodes);
  throw UsageError(
      "a player that is not played for others: only random, greedy, alphabeta:depth=N "
      "and mcts:nodes=N are");
}

json playerJson(const FarmedPlayer& player) {
  if (!player.model) {
    TOGUZ_CHECK(isFarmable(player.builtin), "a player that is of one machine");
    return {{"player", player.builtin}};
  }
  TOGUZ_CHECK(player.nodes >= 1 && player.nodes <= kMaxNodes, "a farmed player's nodes");
  return {{"model", hexText(*player.model)}, {"nodes", player.nodes}};
}

std::unique_ptr<PlayerFactory> playerOf(const json& player, const Rules& rules,
                                        const ModelSource& models) {
  if (player.is_object() && player.contains("player")) {
    const std::string text = word(player["player"], "player");
    checkBuiltin(text);
    return parsePlayer(text, rules);
  }
  const std::string hex = word(member(player, "model"), "model");
  Sha256 hash;
  if (!parseHex(hex, hash)) throw UsageError("'model' is no SHA-256");
  EngineSettings settings;
  settings.nodes =
      static_cast<std::int64_t>(wholeNumber(member(player, "nodes"), "nodes", 1, kMaxNodes));
  const std::shared_ptr<const NativeNetwork> network = models(hash);
  if (!network) throw Error("model " + hex + " is not to be had");
  if (!(network->rules() == rules))
    throw UsageError("model " + hex + " plays " + network->rules().name() + ", not " +
                     rules.name());
  if (network->precision() != Precision::Fp32)
    throw UsageError("model " + hex + " is not in fp32, in which matches are played");
  return makeModelFactory(network, settings, "model " + hex);
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// What somebody else said, fit for one line of a log.
std::string oneLine(std::string text) {
  constexpr std::size_t kMost = 300;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  return text;
}

std::optional<std::string> playTask(const std::string& task, const ModelSource& models,
                                    const std::function<bool()>& stop) {
  const json asked = parseText(task, "the task");
  if (member(asked, "format") != kFormat)
    throw UsageError("the task is of a format that this program does not know");
  MatchOptions options;
  options.rules = Rules::named(word(member(asked, "variant"), "variant"));
  options.plyCap =
      static_cast<int>(wholeNumber(member(asked, "ply_cap"), "ply_cap", 1, kMaxPlyCap));
  options.seed =
      wholeNumber(member(asked, "seed"), "seed", 0, std::numeric_limits<std::uint64_t>::max());
  const auto index = static_cast<int>(
      wholeNumber(member(asked, "index"), "index", 0,
                  static_cast<std::uint64_t>(std::numeric_limits<int>::max() - 1)));
  options.games = index + 1;
  const json& opening = member(asked, "opening");
  const Position start =
      parsePosition(options.rules, word(member(opening, "start"), "start")).position;
  Game game(options.rules, start, options.plyCap);
  playMoves(member(opening, "moves"), game);
  options.openings = {{start, game.moves()}};
  const auto a = playerOf(member(asked, "a"), options.rules, models);
  const auto b = playerOf(member(asked, "b"), options.rules, models);

  const auto played = playGame(options, index, *a->make(), *b->make(), stop);
  if (!played) return std::nullopt;
  if (played->end != GameEnd::Rules) throw Error("the game was not played out: " + played->fault);
  return dump({{"moves", played->moves}, {"nodes", played->nodes}, {"seconds", played->seconds}});
}

}  // namespace

bool isFarmable(const std::string& player) {
  try {
    checkBuiltin(player);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

std::string farmedGameTask(const MatchOptions& options, int index, const FarmedPlayer& a,
                           const FarmedPlayer& b) {
  TOGUZ_CHECK(!options.clock && !options.adjudication && !options.keepOpinions,
              "a match that cannot be farmed");
  const Opening& opening =
      options.openings[static_cast<std::size_t>(index / 2) % options.openings.size()];
  return dump(
      {{"format", kFormat},
       {"variant", options.rules.name()},
       {"ply_cap", options.plyCap},
       {"seed", options.seed},
       {"index", index},
       {"opening",
        {{"start", formatPosition(options.rules, opening.start)}, {"moves", opening.moves}}},
       {"a", playerJson(a)},
       {"b", playerJson(b)}});
}

std::optional<std::string> playFarmedGame(const std::string& task, const ModelSource& models,
                                          const std::function<bool()>& stop) {
  try {
    return playTask(task, models, stop);
  } catch (const std::exception& error) {
    return dump({{"error", oneLine(error.what())}});
  }
}

MatchGame farmedGameOf(const std::string& result, const MatchOptions& options, int index) {
  const json answer = parseText(result, "the result");
  if (answer.contains("error")) throw Error(oneLine(word(answer["error"], "error")));
  const Opening& opening =
      options.openings[static_cast<std::size_t>(index / 2) % options.openings.size()];
  MatchGame game;
  game.index = index;
  game.aFirst = index % 2 == 0;
  game.start = opening.start;
  game.openingPlies = static_cast<int>(opening.moves.size());
  Game replay(options.rules, opening.start, options.plyCap);
  playMoves(member(answer, "moves"), replay);
  game.moves = replay.moves();
  if (game.moves.size() < opening.moves.size() ||
      !std::equal(opening.moves.begin(), opening.moves.end(), game.moves.begin()))
    throw UsageError("the game is of another opening");
  if (!replay.over()) throw UsageError("the game is not over after its moves");
  game.result = replay.outcome().result;
  game.reason = replay.outcome().reason;
  for (std::size_t ply = opening.moves.size(); ply < game.moves.size(); ++ply) {
    const bool first = replay.positions()[ply].side == Side::First;
    ++game.choices[first == game.aFirst ? 0 : 1];
  }
  const json& nodes = list(member(answer, "nodes"), "nodes", 2, 2);
  const json& seconds = list(member(answer, "seconds"), "seconds", 2, 2);
  for (std::size_t side = 0; side < 2; ++side) {
    game.nodes[side] = wholeNumber(nodes[side], "nodes", 0, std::uint64_t{1} << 53);
    if (!seconds[side].is_number()) throw UsageError("'seconds' is no number");
    game.seconds[side] = seconds[side].get<double>();
    if (!(game.seconds[side] >= 0 && game.seconds[side] < 1e9))
      throw UsageError("'seconds' is out of range");
  }
  return game;
}

}  // namespace toguz
