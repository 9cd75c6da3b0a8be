#include "training/judge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "arena/player_factories.h"
#include "base/error.h"
#include "base/file.h"
#include "training/farmed_match.h"

namespace toguz {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(std::atomic<double>& total) : total_(total) {}
  ~Stopwatch() {
    total_ =
        total_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::atomic<double>& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string generationName(std::uint32_t generation) {
  return "generation " + std::to_string(generation);
}

// JSON has no infinity: null stands for it.
nlohmann::json errorJson(double error) {
  return std::isfinite(error) ? nlohmann::json(error) : nlohmann::json(nullptr);
}

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

}  // namespace

// A player, and how the farm's workers may make it, if they may.
struct Judge::Contestant {
  std::unique_ptr<PlayerFactory> factory;
  std::optional<FarmPlayer> farmed;
};

Judge::Contestant Judge::contestant(const std::shared_ptr<const Published>& published, int nodes) {
  EngineSettings settings;
  settings.nodes = nodes;
  return {makeModelFactory(published->network, settings, generationName(published->generation)),
          FarmPlayer{{.model = published->hash, .nodes = nodes}, published}};
}

Judge::Judge(const Setup& setup)
    : config_(*setup.config),
      directory_(*setup.directory),
      reporter_(*setup.reporter),
      stop_(*setup.stop),
      farm_(setup.farm),
      rules_(config_.rules()) {
  if (std::filesystem::exists(directory_.best())) {
    Model model = loadModel(directory_.best());
    const std::uint64_t step = model.provenance.value("step", std::uint64_t{0});
    const auto generation = model.provenance.value("generation", std::uint32_t{0});
    best_ = publish(std::move(model), generation, step);
  }
  players_.push_back("random");
  if (std::filesystem::exists(directory_.rating())) loadRatings();
}

std::shared_ptr<const Published> Judge::best() const {
  const std::lock_guard lock(mutex_);
  return best_;
}

std::uint32_t Judge::newestGeneration() const {
  const std::shared_ptr<const Published> best = this->best();
  std::uint32_t newest = best ? best->generation : 0;
  for (const nlohmann::json& point : curve_)
    newest = std::max(newest, point.at("generation").get<std::uint32_t>());
  return newest;
}

std::optional<Rating> Judge::lastRating() const {
  const std::lock_guard lock(mutex_);
  return lastRating_;
}

MatchOptions Judge::matchOptions(int games, std::uint64_t seed) const {
  MatchOptions options;
  options.rules = rules_;
  options.games = games;
  options.openings = randomOpenings(rules_, config_.gate.openingPlies,
                                    static_cast<std::size_t>((games + 1) / 2), seed);
  options.seed = seed;
  options.plyCap = config_.game.plyCap;
  options.stop = &stop_;
  return options;
}

MatchResult Judge::play(const Contestant& a, const Contestant& b, MatchOptions options) {
  if (!farm_ || !a.farmed || !b.farmed || farm_->room() == 0)
    return playMatch(*a.factory, *b.factory, options);
  FarmedMatch match(*farm_, options, *a.farmed, *b.farmed,
                    [this](const std::string& line) { reporter_.warn(line); });
  options.elsewhere = match.elsewhere();
  MatchResult result = playMatch(*a.factory, *b.factory, options);
  farmedGames_ += static_cast<std::uint64_t>(match.farmed());
  return result;
}

void Judge::promote(const std::shared_ptr<const Published>& candidate) {
  saveModel(candidate->model, directory_.best());
  const std::lock_guard lock(mutex_);
  best_ = candidate;
}

bool Judge::gate(const std::shared_ptr<const Published>& candidate) {
  const Stopwatch watch(gateSeconds_);
  const std::shared_ptr<const Published> best = this->best();
  if (!best) {
    promote(candidate);
    reporter_.say(generationName(candidate->generation) + " is the first playing engine");
    return true;
  }
  if (best->generation == candidate->generation) return false;

  const std::uint64_t seed =
      Rng::stream(static_cast<std::uint64_t>(config_.run.seed), 0x6a7e, candidate->generation)();
  MatchOptions options = matchOptions(2 * config_.gate.pairsMax, seed);
  options.sprt = SprtSettings{.elo0 = config_.gate.elo0, .elo1 = config_.gate.elo1};
  const MatchResult match = play(contestant(candidate, config_.gate.nodes),
                                 contestant(best, config_.gate.nodes), options);
  if (match.interrupted || match.games.empty()) return false;

  // At the cap the likelier hypothesis decides.
  const double llr = match.sprt ? match.sprt->llr : 0;
  const SprtVerdict verdict = match.sprt ? match.sprt->verdict : SprtVerdict::None;
  const bool promoted = verdict == SprtVerdict::H1 || (verdict == SprtVerdict::None && llr > 0);
  if (promoted) promote(candidate);
  nlohmann::ordered_json fields = {{"kind", "gate"},
                                   {"candidate", candidate->generation},
                                   {"best", best->generation},
                                   {"games", match.gamesPlayed()},
                                   {"wins", match.tally.wins},
                                   {"draws", match.tally.draws},
                                   {"losses", match.tally.losses},
                                   {"score", match.tally.score()},
                                   {"elo", match.strength.elo},
                                   {"elo_error", match.strength.eloError},
                                   {"llr", llr},
                                   {"verdict", text(verdict)},
                                   {"distinct_share", match.distinctShare()},
                                   {"promoted", promoted}};
  reporter_.metric(std::move(fields));
  reporter_.say("gate: " + generationName(candidate->generation) + " against " +
                generationName(best->generation) + ": " + std::to_string(match.tally.wins) + "-" +
                std::to_string(match.tally.draws) + "-" + std::to_string(match.tally.losses) +
                (promoted ? ", is the playing engine now" : ", not promoted"));
  return promoted;
}

std::size_t Judge::playerIndex(const std::string& name) {
  const auto found = std::find(players_.begin(), players_.end(), name);
  if (found != players_.end()) return static_cast<std::size_t>(found - players_.begin());
  players_.push_back(name);
  return players_.size() - 1;
}

void Judge::playRated(const Contestant& candidate, std::size_t candidateIndex,
                      const Contestant& opponent, std::size_t opponentIndex, int games) {
  const std::uint64_t seed =
      Rng::stream(static_cast<std::uint64_t>(config_.run.seed), 0x7a7e, matches_++)();
  const MatchResult match = play(candidate, opponent, matchOptions(games, seed));
  if (match.interrupted || match.games.empty()) return;
  if (match.b.faults > 0) {
    reporter_.warn("rating: " + match.b.name + " failed and is left out: " + match.b.firstFault);
    return;
  }
  results_.push_back({candidateIndex, opponentIndex, static_cast<double>(match.tally.games()),
                      match.tally.score() * static_cast<double>(match.tally.games())});
}

void Judge::rate(const std::shared_ptr<const Published>& candidate) {
  const Stopwatch watch(ratingSeconds_);
  const std::string name = generationName(candidate->generation);
  if (std::find(players_.begin(), players_.end(), name) != players_.end()) return;
  const Contestant player = contestant(candidate, config_.rating.nodes);
  const std::size_t me = playerIndex(name);

  // A built-in player that the last candidates beat every time tells nothing new.
  // The anchor is always met once, or the scale would hang in the air.
  std::vector<std::string> opponents = config_.rating.opponents;
  if (std::find(opponents.begin(), opponents.end(), players_[0]) == opponents.end())
    opponents.insert(opponents.begin(), players_[0]);
  for (const std::string& opponent : opponents) {
    if (stop_) return;
    const std::size_t index = playerIndex(opponent);
    double games = 0, score = 0;
    for (auto r = results_.rbegin(); r != results_.rend() && games < 2 * config_.rating.games; ++r)
      if (r->second == index) games += r->games, score += r->score;
    if (games >= 2 * config_.rating.games && score > 0.98 * games) continue;
    Contestant other{parsePlayer(opponent, rules_), std::nullopt};
    if (isFarmable(opponent)) other.farmed = FarmPlayer{{.builtin = opponent}, nullptr};
    playRated(player, me, other, index, config_.rating.games);
  }
  if (lastRated_ && !stop_) {
    playRated(player, me, contestant(lastRated_, config_.rating.nodes),
              playerIndex(generationName(lastRated_->generation)), config_.rating.games);
  }
  if (stop_) return;
  lastRated_ = candidate;
  saveModel(candidate->model, directory_.model(candidate->generation));

  const std::vector<Rating> ratings = fitRatings(players_.size(), results_, 0);
  {
    const std::lock_guard lock(mutex_);
    lastRating_ = ratings[me];
  }
  curve_.push_back({{"generation", candidate->generation}, {"step", candidate->step}});
  for (nlohmann::json& point : curve_) {
    const std::size_t index = playerIndex(generationName(point["generation"].get<std::uint32_t>()));
    point["elo"] = ratings[index].elo;
    point["error"] = errorJson(ratings[index].error);
  }
  saveRatings();
  reporter_.metric({{"kind", "rating"},
                    {"candidate", candidate->generation},
                    {"elo", ratings[me].elo},
                    {"elo_error", errorJson(ratings[me].error)}});
  reporter_.say("rating: " + name + " at " + format("%.0f", ratings[me].elo) + " +- " +
                format("%.0f", ratings[me].error) + " (random = 0)");
}

void Judge::saveRatings() const {
  const std::vector<Rating> ratings = fitRatings(players_.size(), results_, 0);
  nlohmann::ordered_json file;
  file["anchor"] = "random";
  file["nodes"] = config_.rating.nodes;
  file["players"] = nlohmann::json::array();
  for (std::size_t i = 0; i < players_.size(); ++i)
    file["players"].push_back(
        {{"name", players_[i]}, {"elo", ratings[i].elo}, {"error", errorJson(ratings[i].error)}});
  file["results"] = nlohmann::json::array();
  for (const PairResult& r : results_)
    file["results"].push_back({{"first", players_[r.first]},
                               {"second", players_[r.second]},
                               {"games", r.games},
                               {"score", r.score}});
  file["curve"] = curve_;
  writeFileAtomically(directory_.rating(), file.dump(1) + "\n");
}

void Judge::loadRatings() {
  const std::string path = directory_.rating().string();
  try {
    const auto file = nlohmann::json::parse(readFile(directory_.rating()));
    for (const auto& r : file.at("results")) {
      PairResult result;
      result.first = playerIndex(r.at("first").get<std::string>());
      result.second = playerIndex(r.at("second").get<std::string>());
      result.games = r.at("games").get<double>();
      result.score = r.at("score").get<double>();
      results_.push_back(result);
    }
    curve_ = file.at("curve");
    matches_ = results_.size();
    if (!curve_.empty()) {
      const auto generation = curve_.back().at("generation").get<std::uint32_t>();
      const nlohmann::json& error = curve_.back().at("error");
      lastRating_ =
          Rating{curve_.back().at("elo").get<double>(),
                 error.is_null() ? std::numeric_limits<double>::infinity() : error.get<double>()};
      if (std::filesystem::exists(directory_.model(generation)))
        lastRated_ = publish(loadModel(directory_.model(generation)), generation,
                             curve_.back().at("step").get<std::uint64_t>());
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": not a rating table (" + error.what() +
                "); move it away to start the curve anew");
  }
}

}  // namespace toguz
