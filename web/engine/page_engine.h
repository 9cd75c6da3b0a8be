// The engine as the page has it: one request in, one answer out, both JSON (web/src/engine/api.ts
// has their types). Compiled to WebAssembly it runs twice in the page: at once where rules are
// asked, and in a worker where positions are searched. It knows no threads: a search goes on in
// slices, a request each, between which the worker hears what else the page wants.
//
// Requests are objects with "do"; an answer with "error" is one line that says what is wrong with
// the request, which then changed nothing. Pits are numbered 1..N by their owner.
//
//   rules     {variant}                    what the page wants to know of the rules
//   state     {game}                       the position after the game's moves
//   landings  {game}                       where the last ball of each legal move falls
//   sowing    {game, pit}                  a move ball by ball
//   facts     {game, pit}                  why it is good or bad, without a search
//   read      {text, variant}              games from a record
//   write     {game, tags, result, comments}   a record, pgn
//   text      {game}                       moves with numbers on one line
//   position  {variant, pits, kazan, tuzdik, turn}   the fen, if the rules allow the position
//   fen       {variant, fen}               the other way
//   think     {game, limits, slice}        begins a search: {info, done} and at last {result}
//   review    {game, nodes, slice}         begins a review: {at, total} and at last {review}
//   more      {}                           the next slice of either
//   finish    {}                           ends the search now: {result}
//   forget    {}                           the tree, so that the next search is as of a new engine
//   signature {variant}                    of the search (search/signature.h)
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "play/engine.h"

namespace toguz {

class PageEngine {
 public:
  // Never throws for what a request holds.
  std::string call(std::string_view request);
  // A model file of either form; `name` is what errors call it. The answer is {variant, name, id}
  // or {error}. It takes the place of an earlier one of its variant.
  std::string model(std::string_view bytes, const std::string& name);

 private:
  using Json = nlohmann::json;
  using Clock = std::chrono::steady_clock;

  // A search under way.
  struct Thought {
    Game game;
    EngineLimits limits;  // but for the time, which is the budget's
    std::optional<double> budgetMs{};
    double spentMs = 0;
    std::optional<SearchReport> report{};  // of the last slice
  };
  // A review under way: the analyses of the first positions.
  struct Review {
    Game game;
    std::int64_t nodes;
    std::vector<Analysis> analyses{};
  };

  Json answer(const Json& request);
  Json think(const Json& request);
  Json review(const Json& request);
  Json more();
  Json moreThinking();
  Json moreReviewing();
  Json finish();
  Engine& engineFor(const Rules& rules, const EngineOptions& options);
  // Searches `game` until its limits or the slice's end.
  SearchReport slice(Engine& engine, const Game& game, EngineLimits limits);

  std::map<std::string, Engine::Network> networks_;  // by variant
  std::optional<Engine> engine_;
  double sliceMs_ = 50;
  std::optional<Thought> thought_;
  std::optional<Review> review_;
};

}  // namespace toguz
