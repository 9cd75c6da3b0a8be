#include "arena/league.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "arena/openings.h"
#include "arena/player.h"
#include "base/error.h"
#include "base/file.h"

namespace toguz {

std::vector<std::string> ladderPlayers(const Rules& rules, const std::filesystem::path& engines) {
  std::vector<std::string> players = {
      "random",           "mcts:nodes=10",     "mcts:nodes=50",     "greedy",
      "mcts:nodes=800",   "alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6",
      "alphabeta:depth=8"};
  const std::filesystem::path engine = engines / (rules.name() + ".tzn");
  if (std::filesystem::exists(engine))
    for (const char* nodes : {",nodes=1", ",nodes=100"})
      players.push_back("model:" + engine.string() + nodes);
  return players;
}

std::pair<std::size_t, std::size_t> nextPairing(const std::vector<PairResult>& results,
                                                const RatingFit& fit) {
  const std::size_t players = fit.ratings.size();
  TOGUZ_CHECK(players >= 2, "a pairing of fewer than two");
  const auto games = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (const PairResult& r : results)
      if ((r.first == a && r.second == b) || (r.first == b && r.second == a)) sum += r.games;
    return sum;
  };
  for (std::size_t i = 0; i + 1 < players; ++i)
    if (games(i, i + 1) == 0) return {i, i + 1};
  std::pair<std::size_t, std::size_t> best{0, 1};
  double most = -1;
  for (std::size_t a = 0; a < players; ++a)
    for (std::size_t b = a + 1; b < players; ++b) {
      const double expected = scoreOfElo(fit.ratings[a].elo - fit.ratings[b].elo);
      // A game's information about the difference, times what is not yet known of it. Errors that
      // two players share, as all do by the games that tie them to the anchor, cancel.
      const double worth = expected * (1 - expected) * fit.variance(a, b);
      if (worth > most) {
        most = worth;
        best = {a, b};
      }
    }
  return best;
}

League::League(std::vector<std::string> players, const LeagueOptions& options,
               std::filesystem::path file)
    : players_(std::move(players)), options_(options), file_(std::move(file)) {
  if (players_.size() < 2) throw UsageError("a rating wants two players or more");
  if (options_.gamesAStep < 2 || options_.gamesAStep % 2 != 0)
    throw UsageError("the games of a step want to be an even number");
  for (std::size_t i = 0; i < players_.size(); ++i) {
    if (std::find(players_.begin(), players_.begin() + static_cast<std::ptrdiff_t>(i),
                  players_[i]) != players_.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError("player '" + players_[i] + "' is named twice");
    factories_.push_back(parsePlayer(players_[i], options_.rules));
    if (std::string hash = modelFileHash(players_[i]); !hash.empty())
      hashes_[players_[i]] = std::move(hash);
  }
  load();
}

PairResult& League::resultOf(std::size_t a, std::size_t b) {
  for (PairResult& r : results_)
    if (r.first == a && r.second == b) return r;
  return results_.emplace_back(PairResult{a, b, 0, 0});
}

void League::load() {
  if (file_.empty() || !std::filesystem::exists(file_)) return;
  const auto fail = [&](const std::string& what) {
    throw UsageError(file_.string() + ": " + what + "; name another file with --results");
  };
  const auto json = nlohmann::json::parse(readFile(file_), nullptr, false);
  try {
    if (json.at("variant") != options_.rules.name())
      fail("results of the variant " + json.at("variant").get<std::string>());
    if (!json.at("steps").is_number_unsigned() || !json.at("results").is_array())
      fail("not a file of results");
    steps_ = json.at("steps");
    const auto hashes = json.value("files", std::map<std::string, std::string>());
    // The name under which the player of that day stands now: a file that has changed and changed
    // back is the same player again.
    const auto nameNow = [&](const std::string& name) -> std::string {
      const auto then = hashes.find(name);
      if (then == hashes.end()) return name;
      const std::string mark = "#" + then->second.substr(0, 8);
      const std::string plain =
          name.ends_with(mark) ? name.substr(0, name.size() - mark.size()) : name;
      const auto now = std::as_const(hashes_).find(plain);
      if (now == hashes_.end()) return name;
      return then->second == now->second ? plain : plain + mark;
    };
    for (const auto& [name, hash] : hashes) hashes_.try_emplace(nameNow(name), hash);
    for (const auto& item : json.at("results")) {
      const std::string a = nameNow(item.at("a")), b = nameNow(item.at("b"));
      const double games = item.at("games"), score = item.at("score");
      if (!(games >= 0 && games <= 1e12) || !(score >= 0) || !(score <= games))
        fail("counts that cannot be");
      const auto at = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(players_.begin(), players_.end(), name) -
                                        players_.begin());
      };
      const std::size_t i = at(a), j = at(b);
      if (i == players_.size() || j == players_.size() || i == j) {
        others_.push_back({{"a", a}, {"b", b}, {"games", games}, {"score", score}});
        continue;
      }
      PairResult& result = resultOf(std::min(i, j), std::max(i, j));
      result.games += games;
      result.score += i < j ? score : games - score;
    }
  } catch (const nlohmann::json::exception&) {
    fail("not a file of results");
  }
}

void League::save() const {
  if (file_.empty()) return;
  nlohmann::json all = {{"variant", options_.rules.name()},
                        {"steps", steps_},
                        {"files", hashes_},
                        {"results", others_}};
  for (const PairResult& r : results_)
    if (r.games > 0)
      all["results"].push_back({{"a", players_[r.first]},
                                {"b", players_[r.second]},
                                {"games", r.games},
                                {"score", r.score}});
  writeFileAtomically(file_, all.dump(1) + "\n");
}

bool League::step() {
  const auto [a, b] = nextPairing(results_, fitLeague(players_.size(), results_, 0));
  MatchOptions match;
  match.rules = options_.rules;
  match.games = options_.gamesAStep;
  match.seed = options_.seed + 1000 * steps_;
  match.openings = randomOpenings(options_.rules, options_.openingPlies,
                                  static_cast<std::size_t>(options_.gamesAStep / 2), match.seed);
  match.concurrency = options_.concurrency;
  match.stop = options_.stop;
  const MatchResult played = playMatch(*factories_[a], *factories_[b], match);
  if (played.interrupted || (options_.stop && *options_.stop)) return false;
  for (const PlayerTotals* totals : {&played.a, &played.b})
    if (totals->faults == played.gamesPlayed())
      throw Error("player '" + totals->name + "' failed in every game: " + totals->firstFault);
  PairResult& result = resultOf(a, b);
  result.games += static_cast<double>(played.tally.games());
  result.score += played.tally.score() * static_cast<double>(played.tally.games());
  ++steps_;
  save();
  char text[64];
  std::snprintf(text, sizeof text, ": %.1f of %d", played.tally.score() * played.gamesPlayed(),
                played.gamesPlayed());
  lastStep_ = players_[a] + " against " + players_[b] + text;
  return true;
}

double League::gamesPlayed() const {
  double sum = 0;
  for (const PairResult& r : results_) sum += r.games;
  return sum;
}

std::vector<Standing> League::standings() const {
  const std::vector<Rating> ratings = fitRatings(players_.size(), results_, 0);
  std::vector<Standing> standings;
  for (std::size_t i = 0; i < players_.size(); ++i) {
    Standing standing{players_[i], ratings[i], 0, 0};
    for (const PairResult& r : results_) {
      if (r.first != i && r.second != i) continue;
      standing.games += r.games;
      standing.score += r.first == i ? r.score : r.games - r.score;
    }
    if (standing.games > 0) standing.score /= standing.games;
    standings.push_back(std::move(standing));
  }
  std::stable_sort(standings.begin(), standings.end(), [](const Standing& a, const Standing& b) {
    return a.rating.elo > b.rating.elo;
  });
  return standings;
}

std::string standingsText(const std::vector<Standing>& standings) {
  std::size_t width = 6;
  for (const Standing& s : standings) width = std::max(width, s.player.size());
  const int w = static_cast<int>(std::min<std::size_t>(width, 60));
  char line[200];
  std::snprintf(line, sizeof line, "%-*s  %6s  %6s  %7s  %6s\n", w, "player", "Elo", "+-", "games",
                "score");
  std::string text = line;
  for (const Standing& s : standings) {
    std::snprintf(line, sizeof line, "%-*.60s  %6.0f  %6.0f  %7.0f  %5.1f%%\n", w, s.player.c_str(),
                  s.rating.elo, s.rating.error, s.games, 100 * s.score);
    text += line;
  }
  return text;
}

nlohmann::ordered_json standingsJson(const std::vector<Standing>& standings) {
  auto all = nlohmann::ordered_json::array();
  for (const Standing& s : standings) {
    nlohmann::ordered_json item = {{"player", s.player}, {"elo", s.rating.elo}};
    // Infinity is no number of JSON's: a player without any chain of games to the anchor.
    if (std::isfinite(s.rating.error))
      item["elo_error"] = s.rating.error;
    else
      item["elo_error"] = nullptr;
    item["games"] = s.games;
    item["score"] = s.score;
    all.push_back(std::move(item));
  }
  return all;
}

}  // namespace toguz
