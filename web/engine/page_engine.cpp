#include "web/engine/page_engine.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "base/error.h"
#include "base/hash.h"
#include "models/int8_model.h"
#include "play/time_budget.h"
#include "search/signature.h"
#include "web/engine/page_json.h"

namespace toguz {
namespace {

using Json = nlohmann::json;

// 256 bytes each: what a phone can spare.
constexpr std::size_t kMaxTreeNodes = 800'000;
constexpr std::int64_t kMaxNodes = 1 << 24;
constexpr double kDayMs = 86'400'000;
// A program in a page is held up by other things than one of its own.
constexpr double kOverheadMs = 30;

std::optional<double> number(const Json& limits, const char* key, double least, double most) {
  if (!limits.contains(key) || limits[key].is_null()) return std::nullopt;
  if (limits[key].is_number()) {
    const double value = limits[key].get<double>();
    if (value >= least && value <= most) return value;
  }
  char text[96];
  std::snprintf(text, sizeof text, "'%s' is not a number from %.0f to %.0f", key, least, most);
  throw UsageError(text);
}

std::int64_t whole(const Json& limits, const char* key, std::int64_t fallback, std::int64_t least,
                   std::int64_t most) {
  const auto value = number(limits, key, static_cast<double>(least), static_cast<double>(most));
  return value ? static_cast<std::int64_t>(*value) : fallback;
}

Json error(const std::string& what) {
  return {{"error", what}};
}

}  // namespace

std::string PageEngine::call(std::string_view request) {
  Json reply;
  try {
    reply = answer(Json::parse(request));
  } catch (const Error& wrong) {
    reply = error(wrong.what());
  } catch (const Json::exception& wrong) {
    reply = error(std::string("not a request: ") + wrong.what());
  }
  // Texts of records may hold anything.
  return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string PageEngine::model(std::string_view bytes, const std::string& name) {
  try {
    const AnyModel any = parseAnyModel(bytes, name);
    Engine::Network network;
    if (const auto* fp32 = std::get_if<Model>(&any))
      network = std::make_shared<const NativeNetwork>(*fp32, Precision::Int8);
    else
      network = std::make_shared<const NativeNetwork>(std::get<Int8Model>(any));
    const std::string variant = network->rules().name();
    page::variantOf({{"variant", variant}});
    networks_[variant] = network;
    if (engine_ && engine_->rules() == network->rules()) engine_.reset();
    thought_.reset();
    review_.reset();
    return Json{{"variant", variant}, {"name", name}, {"id", network->id()}}.dump();
  } catch (const Error& wrong) {
    return error(wrong.what()).dump();
  }
}

Json PageEngine::answer(const Json& request) {
  if (!request.is_object() || !request.contains("do") || !request["do"].is_string())
    throw UsageError("a request is an object with \"do\"");
  const std::string what = request["do"];
  const auto game = [&](int* fullmove = nullptr) {
    if (!request.contains("game")) throw UsageError("the request lacks 'game'");
    return page::gameOf(request["game"], fullmove);
  };
  if (what == "rules") return page::rulesJson(page::variantOf(request));
  if (what == "state") {
    int fullmove = 1;
    const Game of = game(&fullmove);
    return page::state(of, fullmove);
  }
  if (what == "landings") return page::landings(game());
  if (what == "sowing") {
    const Game of = game();
    return page::sowing(of, page::pitOf(request, of));
  }
  if (what == "facts") {
    const Game of = game();
    return page::factsJson(factsOf(of, page::pitOf(request, of)));
  }
  if (what == "read") {
    if (!request.contains("text") || !request["text"].is_string())
      throw UsageError("the request lacks 'text'");
    return page::readRecords(request["text"], page::variantOf(request));
  }
  if (what == "write") return page::writeRecord(request);
  if (what == "text") {
    int fullmove = 1;
    const Game of = game(&fullmove);
    return page::numberedMoves(of, fullmove);
  }
  if (what == "position") return page::fenOf(request);
  if (what == "fen") return page::editedPosition(request);
  if (what == "think") return think(request);
  if (what == "review") return review(request);
  if (what == "more") return more();
  if (what == "finish") return finish();
  if (what == "forget") {
    thought_.reset();
    review_.reset();
    engine_.reset();
    return Json::object();
  }
  if (what == "signature") return hex64(searchSignature(page::variantOf(request)).hash);
  throw UsageError("nothing is known of \"do\": \"" + what.substr(0, 40) + "\"");
}

Engine& PageEngine::engineFor(const Rules& rules, const EngineOptions& options) {
  if (!engine_ || !(engine_->rules() == rules)) {
    const auto found = networks_.find(rules.name());
    if (found != networks_.end())
      engine_.emplace(found->second, options);
    else
      engine_.emplace(rules, options);
    return *engine_;
  }
  // New options drop the tree, which a game goes on with from move to move.
  const EngineOptions& old = engine_->options();
  if (old.level != options.level || old.lines != options.lines || old.seed != options.seed ||
      old.infoEveryMs != options.infoEveryMs)
    engine_->setOptions(options);
  return *engine_;
}

SearchReport PageEngine::slice(Engine& engine, const Game& game, EngineLimits limits) {
  const auto begun = Clock::now();
  StopSignal stop;
  engine.setPosition(game);
  return engine.search(
      limits,
      [&](const SearchInfo&) {
        if (std::chrono::duration<double, std::milli>(Clock::now() - begun).count() >= sliceMs_)
          stop.request();
      },
      &stop);
}

Json PageEngine::think(const Json& request) {
  if (!request.contains("game")) throw UsageError("the request lacks 'game'");
  const Json limits = request.value("limits", Json::object());
  Thought thought{.game = page::gameOf(request["game"]), .limits = {}, .budgetMs = {}};
  EngineOptions options;
  options.level = static_cast<int>(whole(limits, "level", kLevels, 1, kLevels));
  options.lines = static_cast<int>(whole(limits, "lines", 1, 1, kMaxPits));
  options.seed = static_cast<std::uint64_t>(whole(limits, "seed", 1, 0, std::int64_t{1} << 53));
  options.maxTreeNodes = kMaxTreeNodes;
  sliceMs_ = number(request, "slice", 1, 10'000).value_or(50);
  options.infoEveryMs = std::min(sliceMs_, 10.0);
  EngineLimits& of = thought.limits;
  if (const std::int64_t nodes = whole(limits, "nodes", 0, 1, kMaxNodes)) of.nodes = nodes;
  of.moveTimeMs = number(limits, "moveTimeMs", 0, kDayMs);
  of.remainingMs = number(limits, "remainingMs", -kDayMs, kDayMs);
  of.incrementMs = number(limits, "incrementMs", 0, kDayMs).value_or(0);
  thought.budgetMs = timeBudgetMs(of, thought.game, kOverheadMs);
  if (of.remainingMs && std::popcount(thought.game.legal()) == 1) of.nodes = 1;
  of.remainingMs.reset();
  engineFor(thought.game.rules(), options);
  review_.reset();
  thought_ = std::move(thought);
  return moreThinking();
}

Json PageEngine::more() {
  if (thought_) return moreThinking();
  if (review_) return moreReviewing();
  throw UsageError("nothing is under way");
}

Json PageEngine::moreThinking() {
  Thought& thought = *thought_;
  EngineLimits limits = thought.limits;
  if (thought.budgetMs) limits.moveTimeMs = std::max(0.0, *thought.budgetMs - thought.spentMs);
  const auto begun = Clock::now();
  const double before = thought.spentMs;
  thought.report = slice(*engine_, thought.game, limits);
  thought.spentMs += std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
  SearchInfo& info = thought.report->info;
  info.timeMs = before + info.timeMs;
  if (thought.report->complete) return finish();
  return {{"done", false}, {"info", page::searchInfo(thought.game, info)}};
}

Json PageEngine::finish() {
  if (!thought_) throw UsageError("no search is under way");
  const Thought thought = std::move(*thought_);
  thought_.reset();
  const SearchReport& report = *thought.report;
  Json result = page::searchInfo(thought.game, report.info);
  result["best"] = nullptr;
  result["facts"] = nullptr;
  if (report.bestPit) {
    result["best"] = *report.bestPit + 1;
    result["facts"] = page::factsJson(factsOf(thought.game, *report.bestPit, &report));
  }
  return {{"done", true}, {"result", std::move(result)}};
}

Json PageEngine::review(const Json& request) {
  if (!request.contains("game")) throw UsageError("the request lacks 'game'");
  Review review{.game = page::gameOf(request["game"]),
                .nodes = whole(request, "nodes", 400, 1, 1'000'000)};
  sliceMs_ = number(request, "slice", 1, 10'000).value_or(50);
  EngineOptions options;
  options.maxTreeNodes = kMaxTreeNodes;
  options.infoEveryMs = std::min(sliceMs_, 10.0);
  engineFor(review.game.rules(), options);
  engine_->clear();
  thought_.reset();
  review_ = std::move(review);
  return moreReviewing();
}

Json PageEngine::moreReviewing() {
  Review& review = *review_;
  const auto& positions = review.game.positions();
  const auto begun = Clock::now();
  do {
    // As reviewGame (analysis/review_game.h) has it: each position on its own, without history.
    const Game at(review.game.rules(), positions[review.analyses.size()], 100'000);
    SearchReport report = slice(*engine_, at, {.nodes = review.nodes});
    if (!report.complete) break;
    Analysis analysis;
    analysis.nodes = report.info.nodes;
    analysis.timeMs = report.info.timeMs;
    analysis.bestPit = report.bestPit;
    analysis.lines = std::move(report.info.lines);
    analysis.moves = std::move(report.moves);
    review.analyses.push_back(std::move(analysis));
    engine_->clear();
  } while (review.analyses.size() < positions.size() &&
           std::chrono::duration<double, std::milli>(Clock::now() - begun).count() < sliceMs_);
  Json reply{{"done", false}, {"at", review.analyses.size()}, {"total", positions.size()}};
  if (review.analyses.size() < positions.size()) return reply;
  ReplayedGame game;
  game.rules = review.game.rules();
  game.positions = positions;
  game.pits = review.game.moves();
  game.outcome = review.game.outcome();
  reply["done"] = true;
  reply["review"] = page::reviewJson(reviewOf(std::move(game), review.analyses));
  review_.reset();
  return reply;
}

}  // namespace toguz
