#include "store/report_json.h"

namespace toguz {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormat = 1;

// Reads one JSON object with `read`; whatever is wrong with it becomes one line.
template <class T, class Read>
T parsed(const std::string& text, const char* what, const Read& read) {
  try {
    const json object = json::parse(text);
    if (const int format = object.value("format", 0); format > kFormat)
      throw Error(std::string(what) + " of format " + std::to_string(format) +
                  "; this program reads up to " + std::to_string(kFormat) + ": update it");
    T value;
    read(object, value);
    return value;
  } catch (const json::exception& error) {
    // The rest of the message may be all that was read.
    const std::string why = error.what();
    throw DamagedText(std::string("no sound ") + what + " (" +
                      why.substr(0, why.find("; last read")) +
                      "): its learner writes it anew when it is started again");
  }
}

std::uint64_t hexNumber(const json& object, const char* key) {
  const auto text = object.at(key).get<std::string>();
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = std::stoull(text, &used, 16);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || text.empty())
    throw DamagedText(std::string("\"") + key + "\" is no hexadecimal number: '" + text + "'");
  return value;
}

Sha256 digest(const json& object, const char* key) {
  Sha256 value{};
  const auto text = object.at(key).get<std::string>();
  if (!parseHex(text, value))
    throw DamagedText(std::string("\"") + key + "\" is no SHA-256: '" + text + "'");
  return value;
}

}  // namespace

ordered_json toJson(const RunDescription& run) {
  return {{"format", kFormat},
          {"id", run.id},
          {"variant", run.variant},
          {"rules", run.rules},
          {"config_hash", hex64(run.configHash)},
          {"backlog_bytes", run.backlogBytes},
          {"config", run.config}};
}

RunDescription runDescriptionFrom(const std::string& text) {
  return parsed<RunDescription>(text, "description of a run",
                                [](const json& o, RunDescription& run) {
                                  o.at("id").get_to(run.id);
                                  o.at("variant").get_to(run.variant);
                                  o.at("rules").get_to(run.rules);
                                  run.configHash = hexNumber(o, "config_hash");
                                  o.at("backlog_bytes").get_to(run.backlogBytes);
                                  o.at("config").get_to(run.config);
                                });
}

ordered_json toJson(const Head& head) {
  return {{"format", kFormat},
          {"model", hexText(head.model)},
          {"generation", head.generation},
          {"step", head.step},
          {"config_hash", hex64(head.configHash)},
          {"progress", head.progress},
          {"ended", head.ended}};
}

Head headFrom(const std::string& text) {
  return parsed<Head>(text, "pointer to the newest model", [](const json& o, Head& head) {
    head.model = digest(o, "model");
    o.at("generation").get_to(head.generation);
    o.at("step").get_to(head.step);
    head.configHash = hexNumber(o, "config_hash");
    o.at("progress").get_to(head.progress);
    o.at("ended").get_to(head.ended);
  });
}

ordered_json toJson(const WorkerReport& r) {
  return {{"format", kFormat},
          {"id", hex64(r.id)},
          {"host", r.host},
          {"process", r.process},
          {"threads", r.threads},
          {"seconds", r.seconds},
          {"games", r.games},
          {"games_per_minute", r.gamesPerMinute},
          {"simulations_per_second", r.simulationsPerSecond},
          {"generation", r.generation},
          {"model", hexText(r.model)},
          {"spooled_games", r.spooledGames},
          {"plays_matches", r.playsMatches},
          {"match_games", r.matchGames}};
}

WorkerReport workerReportFrom(const std::string& text) {
  return parsed<WorkerReport>(text, "report of a worker", [](const json& o, WorkerReport& r) {
    r.id = hexNumber(o, "id");
    o.at("host").get_to(r.host);
    o.at("process").get_to(r.process);
    o.at("threads").get_to(r.threads);
    o.at("seconds").get_to(r.seconds);
    o.at("games").get_to(r.games);
    o.at("games_per_minute").get_to(r.gamesPerMinute);
    o.at("simulations_per_second").get_to(r.simulationsPerSecond);
    o.at("generation").get_to(r.generation);
    r.model = digest(o, "model");
    o.at("spooled_games").get_to(r.spooledGames);
    o.at("plays_matches").get_to(r.playsMatches);
    o.at("match_games").get_to(r.matchGames);
  });
}

ordered_json toJson(const LearnerReport& r) {
  ordered_json rejected = ordered_json::object();
  for (const auto& [reason, count] : r.rejected) rejected[reason] = count;
  return {{"format", kFormat},
          {"host", r.host},
          {"process", r.process},
          {"step", r.step},
          {"generation", r.generation},
          {"games", r.games},
          {"remote_games", r.remoteGames},
          {"games_per_minute", r.gamesPerMinute},
          {"lag_seconds", r.lagSeconds},
          {"duplicates", r.duplicates},
          {"rejected", std::move(rejected)}};
}

LearnerReport learnerReportFrom(const std::string& text) {
  return parsed<LearnerReport>(text, "report of a learner", [](const json& o, LearnerReport& r) {
    o.at("host").get_to(r.host);
    o.at("process").get_to(r.process);
    o.at("step").get_to(r.step);
    o.at("generation").get_to(r.generation);
    o.at("games").get_to(r.games);
    o.at("remote_games").get_to(r.remoteGames);
    o.at("games_per_minute").get_to(r.gamesPerMinute);
    o.at("lag_seconds").get_to(r.lagSeconds);
    o.at("duplicates").get_to(r.duplicates);
    for (const auto& [reason, count] : o.at("rejected").items())
      r.rejected[reason] = count.get<std::uint64_t>();
  });
}

ordered_json toJson(const StoreStatus& status) {
  ordered_json json;
  json["run"] = nullptr;
  if (status.run) {
    json["run"] = toJson(*status.run);
    json["run"].erase("config");
  }
  json["head"] = status.head ? toJson(*status.head) : ordered_json(nullptr);
  json["learner"] = nullptr;
  if (status.learner) {
    json["learner"] = toJson(*status.learner);
    json["learner"]["seconds_ago"] = status.learnerSecondsAgo;
    json["learner"]["alive"] = status.learnerSecondsAgo <= kAliveSeconds;
  }
  double games = 0, simulations = 0;
  json["workers"] = ordered_json::array();
  for (const WorkerSeen& worker : status.workers) {
    json["workers"].push_back(toJson(worker.report));
    json["workers"].back()["seconds_ago"] = worker.secondsAgo;
    games += worker.report.gamesPerMinute;
    simulations += worker.report.simulationsPerSecond;
  }
  json["workers_alive"] = status.workers.size();
  json["games_per_minute"] = games;
  json["simulations_per_second"] = simulations;
  json["backlog_batches"] = status.backlogBatches;
  json["backlog_bytes"] = status.backlogBytes;
  json["oldest_seconds"] = status.oldestSeconds;
  json["tasks"] = status.tasks;
  json["memory_bytes"] = status.memoryBytes;
  return json;
}

}  // namespace toguz
