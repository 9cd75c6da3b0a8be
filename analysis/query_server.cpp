#include "analysis/query_server.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/review_text.h"
#include "base/error.h"
#include "base/text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/state_json.h"
#include "play/words.h"

namespace toguz {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

const std::vector<std::string> kQueryKeys{"id", "variant", "position", "moves", "limits", "lines"};
const std::vector<std::string> kLimitKeys{"nodes", "movetime"};

void wantKeys(const Json& object, const std::vector<std::string>& known, const char* where) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw UsageError(std::string(where) + ": unknown key " + inQuotes(key) +
                       "; the nearest is '" + nearest(std::string_view(key).substr(0, 64), known) +
                       "'");
}

std::string textOf(const Json& query, const char* key, const std::string& standard) {
  if (!query.contains(key)) return standard;
  if (!query[key].is_string()) throw UsageError(std::string(key) + " must be a text");
  return query[key].get<std::string>();
}

std::int64_t wholeOf(const Json& query, const char* key, std::int64_t standard, std::int64_t least,
                     std::int64_t most) {
  if (!query.contains(key)) return standard;
  const Json& value = query[key];
  const bool fits =
      value.is_number_integer() && (!value.is_number_unsigned() ||
                                    value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most));
  if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
    throw UsageError(std::string(key) + " must be a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most));
  return value.get<std::int64_t>();
}

struct Start {
  Game game;
  int fullmove;
};

Start startOf(const Json& query, const Rules& rules) {
  const std::string position = textOf(query, "position", "startpos");
  Start start{Game(rules), 1};
  if (position != "startpos") {
    const PositionText read = parsePosition(rules, position);
    start = {Game(rules, read.position), read.fullmove};
  }
  if (!query.contains("moves")) return start;
  const Json& moves = query["moves"];
  if (!moves.is_array()) throw UsageError("moves must be a list of texts, as [\"76\", \"99\"]");
  for (const Json& move : moves) {
    if (!move.is_string()) throw UsageError("moves must be a list of texts, as [\"76\", \"99\"]");
    try {
      start.game.play(parseMove(start.game, move.get<std::string>(), {.barePit = true}));
    } catch (const UsageError& error) {
      throw UsageError("ply " + std::to_string(start.game.ply() + 1) + ": " + error.what());
    }
  }
  return start;
}

AnalysisLimits limitsOf(const Json& query) {
  AnalysisLimits limits;
  limits.lines = static_cast<int>(wholeOf(query, "lines", 1, 1, kMaxPits));
  if (!query.contains("limits")) return limits;
  const Json& given = query["limits"];
  if (!given.is_object()) throw UsageError("limits must be an object, as {\"nodes\": 400}");
  wantKeys(given, kLimitKeys, "limits");
  if (given.contains("movetime")) {
    limits.timeMs = static_cast<double>(wholeOf(given, "movetime", 0, 1, kMaxAnalysisMs));
    limits.nodes = kMaxAnalysisNodes;  // if nothing else is said
  }
  limits.nodes = wholeOf(given, "nodes", limits.nodes, 1, kMaxAnalysisNodes);
  return limits;
}

OrderedJson answerOf(const Json& id, const Start& start, const Analysis& analysis) {
  const Game& game = start.game;
  const Rules& rules = game.rules();
  const Position& position = game.position();
  OrderedJson answer;
  answer["id"] = id;
  answer["variant"] = rules.name();
  answer["position"] = formatPosition(rules, position, fullmoveOf(game, start.fullmove));
  answer["turn"] = index(position.side);
  answer["over"] = game.over();
  answer["cancelled"] = analysis.cancelled;
  answer["nodes"] = analysis.nodes;
  answer["time_ms"] = std::llround(analysis.timeMs);
  answer["win_rate"] = nullptr;
  answer["margin"] = nullptr;
  if (!analysis.lines.empty()) {
    answer["win_rate"] = tenth(analysis.lines.front().winRate());
    answer["margin"] = tenth(static_cast<double>(analysis.lines.front().margin));
  }
  answer["best"] = nullptr;
  if (analysis.bestPit) answer["best"] = formatMove(rules, position, *analysis.bestPit);
  answer["moves"] = OrderedJson::array();
  for (const RootMove& move : analysis.moves) {
    OrderedJson one{{"move", formatMove(rules, position, move.pit)},
                    {"visits", move.visits},
                    {"policy", std::round(1e4 * static_cast<double>(move.prior)) / 1e4}};
    // What no visit has looked at has no value of its own.
    one["win_rate"] = nullptr;
    one["margin"] = nullptr;
    if (move.visits > 0) {
      one["win_rate"] = tenth(50.0 * (1.0 + static_cast<double>(move.winLoss)));
      one["margin"] = tenth(static_cast<double>(move.margin));
    }
    answer["moves"].push_back(std::move(one));
  }
  answer["lines"] = OrderedJson::array();
  for (const SearchLine& line : analysis.lines) {
    if (line.pv.empty()) continue;
    answer["lines"].push_back({{"pv", movesText(rules, position, line.pv)},
                               {"visits", line.visits},
                               {"win_rate", tenth(line.winRate())},
                               {"margin", tenth(static_cast<double>(line.margin))}});
  }
  return answer;
}

std::string lineOf(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

QueryServer::QueryServer(Networks networks, std::string variant, int threads, Sink sink)
    : networks_(std::move(networks)),
      variant_(std::move(variant)),
      threads_(threads),
      sink_(std::move(sink)) {}

QueryServer::~QueryServer() = default;

void QueryServer::handle(std::string_view line) {
  ++lines_;
  if (trim(line).empty()) return;
  Json id;
  try {
    if (line.size() > kMaxLine)
      throw UsageError("more than " + std::to_string(kMaxLine) + " bytes");
    const Json parsed = Json::parse(line, nullptr, false);
    if (parsed.is_discarded()) throw UsageError("not JSON");
    if (!parsed.is_object()) throw UsageError("not a JSON object");
    if (parsed.contains("id")) {
      if (!parsed["id"].is_string() && !parsed["id"].is_number_integer())
        throw UsageError("id must be a text or a whole number");
      id = parsed["id"];
    }
    if (parsed.contains("cancel")) return cancel(parsed);
    if (id.is_null()) throw UsageError("a query without id");
    query(parsed, id.dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (const std::exception& error) {
    OrderedJson answer;
    answer["id"] = id;
    answer["error"] = "line " + std::to_string(lines_) + ": " + cleanLine(error.what());
    send(lineOf(answer));
  }
}

void QueryServer::query(const Json& query, const std::string& id) {
  wantKeys(query, kQueryKeys, "query");
  const Rules rules = Rules::named(textOf(query, "variant", variant_));
  const Start start = startOf(query, rules);
  const AnalysisLimits limits = limitsOf(query);
  Analyst& analyst = analystOf(rules);
  {
    const std::lock_guard lock(pendingMutex_);
    if (!pending_.emplace(id, Pending{&analyst, std::nullopt}).second)
      throw UsageError("id " + cleanLine(id, 80) + " is that of a query not answered yet");
  }
  const Analyst::Ticket ticket = analyst.submit(
      start.game, limits, [this, id, start, json = query["id"]](auto, Analysis&& analysis) {
        {
          const std::lock_guard lock(pendingMutex_);
          pending_.erase(id);
        }
        send(lineOf(answerOf(json, start, analysis)));
      });
  const std::lock_guard lock(pendingMutex_);
  // It may be answered by now.
  if (const auto found = pending_.find(id); found != pending_.end()) found->second.ticket = ticket;
}

void QueryServer::cancel(const Json& query) {
  wantKeys(query, {"cancel"}, "cancel");
  if (!query["cancel"].is_string() && !query["cancel"].is_number_integer())
    throw UsageError("cancel must be the id of a query, a text or a whole number");
  Pending pending;
  {
    const std::lock_guard lock(pendingMutex_);
    const auto found =
        pending_.find(query["cancel"].dump(-1, ' ', false, Json::error_handler_t::replace));
    if (found != pending_.end()) pending = found->second;
  }
  const bool found = pending.analyst && pending.ticket && pending.analyst->cancel(*pending.ticket);
  OrderedJson answer;
  answer["cancel"] = query["cancel"];
  answer["found"] = found;
  send(lineOf(answer));
}

Analyst& QueryServer::analystOf(const Rules& rules) {
  if (const auto known = analysts_.find(rules.name()); known != analysts_.end())
    return *known->second;
  return *analysts_.emplace(rules.name(), std::make_unique<Analyst>(networks_(rules), threads_))
              .first->second;
}

void QueryServer::send(const std::string& line) {
  const std::lock_guard lock(sinkMutex_);
  sink_(line);
}

void QueryServer::finish() {
  for (const auto& [variant, analyst] : analysts_) analyst->finish();
}

}  // namespace toguz
