#include "report/run_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "arena/calibration.h"
#include "base/error.h"
#include "base/file.h"
#include "core/notation.h"
#include "report/metric_lines.h"
#include "report/page.h"
#include "report/run_workers.h"
#include "store/chunk.h"

namespace toguz {
namespace {

using Json = nlohmann::ordered_json;

constexpr MetricColumn kColumns[] = {
    {"generation", "/generation"},
    {"games", "/games"},
    {"rows", "/rows"},
    {"window", "/window"},
    {"policy", "/losses/policy"},
    {"result", "/losses/result"},
    {"margin", "/losses/margin"},
    {"reply", "/losses/reply"},
    {"short_value", "/losses/short_value"},
    {"entropy", "/losses/policy_entropy"},
    {"hold_policy", "/hold_out/policy"},
    {"hold_result", "/hold_out/result"},
    {"hold_margin", "/hold_out/margin"},
    {"simulations", "/simulations_per_second"},
    {"plies", "/mean_plies"},
    {"draws", "/draw_share"},
    {"first", "/first_player_score"},
    {"decided", "/decided_share"},
    {"tuzdiks", "/tuzdiks/a_game"},
    {"duplicates", "/duplicate_share"},
    {"gate_share", "/gate_share"},
    {"rating_share", "/rating_share"},
    {"memory", "/resident_mb"},
};

// Of the last tenth of the run, at least the last line: [[count, predicted, actual], ...] a phase.
Json lateCalibration(const std::vector<const Json*>& lines) {
  Json phases;
  const std::size_t from = lines.size() - std::min(lines.size(), lines.size() / 10 + 1);
  for (int phase = 0; phase < Calibration::kPhases; ++phase) {
    const char* name = Calibration::phaseName(phase);
    std::vector<std::array<double, 3>> bins(Calibration::kBins);
    double total = 0;
    for (std::size_t i = from; i < lines.size(); ++i) {
      const Json::json_pointer at("/calibration/" + std::string(name) + "/bins");
      if (!lines[i]->contains(at)) continue;
      const Json& read = lines[i]->at(at);
      for (std::size_t b = 0; b < bins.size() && b < read.size(); ++b) {
        const double count = read[b].at(0).get<double>();
        if (!(count > 0)) continue;
        total += count;
        bins[b][0] += count;
        bins[b][1] += count * read[b].at(1).get<double>();
        bins[b][2] += count * read[b].at(2).get<double>();
      }
    }
    if (total == 0) continue;
    Json out = Json::array();
    double error = 0;
    for (const auto& bin : bins) {
      if (bin[0] == 0) continue;
      out.push_back({bin[0], bin[1] / bin[0], bin[2] / bin[0]});
      error += std::abs(bin[1] - bin[2]);
    }
    phases[name] = {{"error", error / total}, {"bins", std::move(out)}};
  }
  return phases;
}

// {"anchors": [{name, elo, error}], "curve": [{generation, minutes, elo, error}], "nodes"}: all of
// one fit, the last, so that points are on one scale.
Json ratingOf(const std::filesystem::path& path, const RunClock& clock) {
  Json out;
  if (!std::filesystem::exists(path)) return out;
  try {
    const Json file = Json::parse(readFile(path));
    std::map<std::uint32_t, std::uint64_t> stepOf;
    for (const Json& point : file.at("curve"))
      stepOf[point.at("generation").get<std::uint32_t>()] = point.at("step").get<std::uint64_t>();
    out["nodes"] = file.at("nodes");
    out["anchors"] = Json::array();
    out["curve"] = Json::array();
    constexpr std::string_view kGeneration = "generation ";
    needNumber(file, "nodes", false);
    for (const Json& player : file.at("players")) {
      const std::string name = player.at("name").get<std::string>();
      needNumber(player, "elo", true);
      needNumber(player, "error", true);
      if (!name.starts_with(kGeneration)) {
        out["anchors"].push_back(player);
        continue;
      }
      const auto generation =
          static_cast<std::uint32_t>(std::stoul(name.substr(kGeneration.size())));
      const auto step = stepOf.find(generation);
      if (step == stepOf.end()) continue;
      out["curve"].push_back({{"generation", generation},
                              {"minutes", clock.minutes(step->second)},
                              {"elo", player.at("elo")},
                              {"error", player.at("error")}});
    }
    std::sort(out["curve"].begin(), out["curve"].end(),
              [](const Json& a, const Json& b) { return a["generation"] < b["generation"]; });
  } catch (const std::exception& error) {
    throw Error(path.string() + ": not a rating table (" + firstWords(error.what()) +
                "); move it away");
  }
  return out;
}

Json readAgreement(const std::string& path) {
  try {
    Json file = Json::parse(readFile(path));
    for (const Json& band : file.at("bands")) {
      if (!band.at("band").is_string()) throw Error("band is no text");
      for (const char* key : {"moves", "first", "in_three"}) needNumber(band, key, false);
    }
    checkCalibration(file.at("calibration"));
    return file;
  } catch (const std::exception& error) {
    throw UsageError(path + ": not what `toguz measure --json FILE` writes (" +
                     firstWords(error.what()) + ")");
  }
}

// The games of the newest chunk files, oldest first, some hundreds.
std::vector<GameRecord> lastGames(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code))
    if (entry.path().extension() == kChunkExtension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  constexpr std::size_t kWanted = 500;
  std::vector<GameRecord> games;
  while (!files.empty() && games.size() < kWanted) {
    std::vector<GameRecord> chunk = Chunk(readFile(files.back()), files.back().string()).games();
    games.insert(games.begin(), std::make_move_iterator(chunk.begin()),
                 std::make_move_iterator(chunk.end()));
    files.pop_back();
  }
  return games;
}

double firstWinRate(const MoveRecord& move, Side side) {
  const double ofMover = 50 + 50 * std::clamp(static_cast<double>(move.rootWinLoss), -1.0, 1.0);
  return side == Side::First ? ofMover : 100 - ofMover;
}

const char* resultText(const Outcome& outcome) {
  switch (outcome.score(Side::First)) {
    case 1:
      return "1-0";
    case -1:
      return "0-1";
    default:
      return outcome.over() ? "½-½" : "*";
  }
}

const char* markOf(double fall) {
  if (fall >= 35) return "??";
  if (fall >= 20) return "?";
  if (fall >= 10) return "?!";
  return "";
}

}  // namespace

nlohmann::ordered_json annotatedGame(const GameRecord& record, const std::string& title) {
  Game game(record.rules, record.start, 100'000);
  const RuleSet& rules = record.rules.set();
  Json plies = Json::array();
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    const MoveRecord& move = record.moves[i];
    const Side side = game.position().side;
    Json ply = pagePosition(rules, game.position());
    ply["move"] = formatMove(record.rules, game.position(), move.pit, true);
    ply["pit"] = move.pit;
    const double here = firstWinRate(move, side);
    ply["win"] = std::round(10 * here) / 10;
    if (i + 1 < record.moves.size()) {
      const double next = firstWinRate(record.moves[i + 1], opponent(side));
      ply["mark"] = markOf(side == Side::First ? here - next : next - here);
    }
    game.play(move.pit);
    plies.push_back(std::move(ply));
  }
  plies.push_back(pagePosition(rules, game.position()));
  return {{"title", title},
          {"id", record.id},
          {"generation", record.moves.empty() ? 0 : record.moves.back().generation},
          {"result", resultText(record.outcome)},
          {"score", {record.outcome.kazan[0], record.outcome.kazan[1]}},
          {"plies", std::move(plies)}};
}

std::vector<std::pair<const GameRecord*, std::string>> gamesWorthSeeing(
    const std::vector<GameRecord>& games, int count) {
  std::vector<std::pair<const GameRecord*, std::string>> chosen;
  const auto add = [&](const GameRecord* game, const char* why) {
    if (!game || static_cast<int>(chosen.size()) >= count) return;
    for (const auto& [other, reason] : chosen)
      if (other == game) return;
    chosen.emplace_back(game, why);
  };
  const GameRecord *longest = nullptr, *turned = nullptr, *drawn = nullptr;
  double lowest = 100;
  for (const GameRecord& game : games) {
    if (game.moves.empty()) continue;
    if (!longest || game.moves.size() > longest->moves.size()) longest = &game;
    const int score = game.outcome.score(Side::First);
    if (score == 0) {
      drawn = &game;
      continue;
    }
    Side side = game.start.side;
    for (const MoveRecord& move : game.moves) {
      const double first = firstWinRate(move, side);
      const double winner = score > 0 ? first : 100 - first;
      if (move.fullSearch && winner < lowest) {
        lowest = winner;
        turned = &game;
      }
      side = opponent(side);
    }
  }
  if (!games.empty()) add(&games.back(), "the last game");
  add(turned, "the greatest turn: its winner had been closest to losing");
  add(longest, "the longest");
  add(drawn, "a draw");
  for (auto game = games.rbegin(); game != games.rend(); ++game) add(&*game, "a recent game");
  return chosen;
}

nlohmann::ordered_json runReport(const RunPaths& run, const RunReportOptions& options) {
  if (!std::filesystem::exists(run.config()))
    throw UsageError("there is no run in " + run.path().string() +
                     " (no config.toml); name the folder that toguz train was given by --run");
  Json report;
  report["name"] = std::filesystem::weakly_canonical(run.path()).filename().string();
  report["config"] = readFile(run.config());
  const std::vector<Json> lines = readMetricLines(run.metrics());
  std::vector<const Json*> train;
  report["gates"] = Json::array();
  for (const Json& line : lines)
    if (line["kind"] == "train") train.push_back(&line);
  const RunClock clock(train);
  for (const Json& line : lines) {
    if (line["kind"] != "gate") continue;
    Json gate;
    for (const char* key : {"candidate", "best", "games", "wins", "draws", "losses", "score", "elo",
                            "elo_error", "verdict", "promoted"})
      if (line.contains(key)) gate[key] = line[key];
    gate["minutes"] = clock.minutes(line["step"].get<std::uint64_t>());
    report["gates"].push_back(std::move(gate));
  }
  report["train"] = columnsOf(train, kColumns, clock, options.points);
  if (!train.empty()) report["calibration"] = lateCalibration(train);
  report["rating"] = ratingOf(run.rating(), clock);
  Json workers = workersReport(run, lines, clock, options.points);
  if (!workers.is_null()) report["workers"] = std::move(workers);
  if (!options.agreement.empty()) {
    report["agreement"] = readAgreement(options.agreement);
  }
  const std::vector<GameRecord> games = lastGames(run.games());
  report["annotated"] = Json::array();
  for (const auto& [game, why] : gamesWorthSeeing(games, options.games))
    report["annotated"].push_back(annotatedGame(*game, why));
  if (!games.empty()) {
    report["variant"] = games.front().rules.name();
    report["pits"] = games.front().rules.set().pits;
  }
  return report;
}

}  // namespace toguz
