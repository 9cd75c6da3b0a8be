#include "arena/match_report.h"

#include <cstdarg>
#include <cstdio>

namespace toguz {
namespace {

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string playerText(const char* letter, const PlayerTotals& player) {
  std::string text = std::string(letter) + "  " + player.name + "\n";
  const double milliseconds =
      player.moves > 0 ? 1000.0 * player.seconds / static_cast<double>(player.moves) : 0;
  text +=
      print("   %lld moves, %.3g ms a move", static_cast<long long>(player.moves), milliseconds);
  if (player.nodes > 0) text += print(", %.0f nodes a second", player.nodesPerSecond());
  text += "\n";
  if (player.faults + player.timeLosses > 0)
    text += print("   lost by fault: %d, on time: %d; first, ", player.faults, player.timeLosses) +
            player.firstFault + "\n";
  return text;
}

nlohmann::json playerJson(const PlayerTotals& player) {
  return {{"name", player.name},
          {"faults", player.faults},
          {"time_losses", player.timeLosses},
          {"first_fault",
           player.firstFault.empty() ? nlohmann::json() : nlohmann::json(player.firstFault)},
          {"moves", player.moves},
          {"nodes", player.nodes},
          {"seconds", player.seconds},
          {"nodes_per_second", player.nodesPerSecond()}};
}

std::string opinionText(const Opinion& opinion, bool times) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (opinion.winLoss)
    add(print("winrate %.1f", 50.0 * (1.0 + static_cast<double>(*opinion.winLoss))));
  if (opinion.margin) add(print("margin %+.1f", static_cast<double>(*opinion.margin)));
  if (opinion.nodes > 0) add(print("nodes %llu", static_cast<unsigned long long>(opinion.nodes)));
  if (times) add(print("%.1f ms", static_cast<double>(opinion.milliseconds)));
  return text;
}

}  // namespace

std::string matchText(const MatchResult& r) {
  const auto n = [](std::int64_t count) { return static_cast<long long>(count); };
  std::string text = playerText("A", r.a) + playerText("B", r.b);
  text += print("games      %d, distinct %d (%.1f%%), %.1f plies on average%s\n", r.gamesPlayed(),
                r.distinctGames, 100 * r.distinctShare(), r.meanPlies,
                r.interrupted ? ", interrupted" : "");
  if (r.adjudicated > 0) text += print("           %d adjudicated\n", r.adjudicated);
  text += print("A          %lld wins, %lld draws, %lld losses: %.2f%%\n", n(r.tally.wins),
                n(r.tally.draws), n(r.tally.losses), 100 * r.strength.score);
  text += print("pairs      %lld %lld %lld %lld %lld (points of A: 0, 1/2, 1, 1 1/2, 2)\n",
                n(r.pairs[0]), n(r.pairs[1]), n(r.pairs[2]), n(r.pairs[3]), n(r.pairs[4]));
  text += print("Elo        %+.1f +/- %.1f (95%%), LOS %.1f%%, normalised %+.1f\n", r.strength.elo,
                r.strength.eloError, 100 * r.strength.los, normalisedElo(r.pairs));
  if (r.sprt)
    text += print("SPRT       elo0 %g, elo1 %g%s: LLR %.3f [%.3f, %.3f], verdict %s\n",
                  r.sprt->settings.elo0, r.sprt->settings.elo1,
                  r.sprt->settings.scale == EloScale::Normalised ? " (normalised)" : "",
                  r.sprt->llr, r.sprt->settings.lowerBound(), r.sprt->settings.upperBound(),
                  toguz::text(r.sprt->verdict));
  text += print("first      %lld wins, %lld draws, %lld losses: %.2f%% for who moved first\n",
                n(r.firstPlayer.wins), n(r.firstPlayer.draws), n(r.firstPlayer.losses),
                100 * r.firstPlayer.score());
  if (r.overhead > 0) text += print("arena      %.2f%% of the games' time\n", 100 * r.overhead);
  return text;
}

nlohmann::json matchJson(const MatchResult& r) {
  nlohmann::json json = {{"games", r.gamesPlayed()},
                         {"wins", r.tally.wins},
                         {"draws", r.tally.draws},
                         {"losses", r.tally.losses},
                         {"pairs", r.pairs},
                         {"score", r.strength.score},
                         {"elo", r.strength.elo},
                         {"elo_error", r.strength.eloError},
                         {"normalised_elo", normalisedElo(r.pairs)},
                         {"los", r.strength.los},
                         {"distinct_games", r.distinctGames},
                         {"mean_plies", r.meanPlies},
                         {"interrupted", r.interrupted},
                         {"adjudicated", r.adjudicated},
                         {"overhead", r.overhead},
                         {"first_player",
                          {{"wins", r.firstPlayer.wins},
                           {"draws", r.firstPlayer.draws},
                           {"losses", r.firstPlayer.losses},
                           {"score", r.firstPlayer.score()}}},
                         {"a", playerJson(r.a)},
                         {"b", playerJson(r.b)}};
  if (r.sprt) {
    json["llr"] = r.sprt->llr;
    json["verdict"] = text(r.sprt->verdict);
    json["sprt"] = {{"elo0", r.sprt->settings.elo0},
                    {"elo1", r.sprt->settings.elo1},
                    {"lower", r.sprt->settings.lowerBound()},
                    {"upper", r.sprt->settings.upperBound()}};
  }
  return json;
}

std::vector<GameText> matchRecords(const MatchResult& result, const MatchOptions& options,
                                   bool times) {
  std::vector<GameText> records;
  for (const MatchGame& game : result.games) {
    const Game replay = Opening{game.start, game.moves}.game(options.rules, options.plyCap);
    std::vector<std::string> comments(static_cast<std::size_t>(game.openingPlies));
    for (const Opinion& opinion : game.opinions) comments.push_back(opinionText(opinion, times));
    std::vector<std::pair<std::string, std::string>> tags = {
        {"Event", "toguz match"},
        {"Round", std::to_string(game.index / 2 + 1) + "." + std::to_string(game.index % 2 + 1)},
        {"White", game.aFirst ? result.a.name : result.b.name},
        {"Black", game.aFirst ? result.b.name : result.a.name},
        {"OpeningPlies", std::to_string(game.openingPlies)}};
    if (game.end != GameEnd::Rules) tags.emplace_back("Termination", game.fault);
    GameText text = describeGame(replay, tags, comments);
    text.result = toguz::text(game.result);
    records.push_back(std::move(text));
  }
  return records;
}

}  // namespace toguz
