// The page's engine, run natively: every answer against the library that it speaks for.
#include "web/engine/page_engine.h"

#include <gmock/gmock.h>

#include "analysis/review_game.h"
#include "base/file.h"
#include "base/rng.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/state_json.h"
#include "models/int8_model.h"
#include "play/shipped.h"
#include "tests/core/helpers.h"
#include "web/engine/page_json.h"

namespace toguz {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kVariants[] = {"standard", "giveaway", "bestemshe", "seven"};

Json ask(PageEngine& engine, const Json& request) {
  return Json::parse(engine.call(request.dump()));
}
std::string errorOf(PageEngine& engine, const Json& request) {
  const Json answer = ask(engine, request);
  return answer.is_object() ? answer.value("error", "") : "";
}

Json specOf(const Game& game) {
  Json moves = Json::array();
  for (const std::uint8_t pit : game.moves()) moves.push_back(pit + 1);
  return {{"variant", game.rules().name()}, {"moves", moves}};
}

Game randomGame(const Rules& rules, std::uint64_t seed, int plies) {
  Rng rng(seed);
  Game game(rules);
  while (game.ply() < plies && !game.over()) game.play(test::randomPit(game.legal(), rng));
  return game;
}

// The shipped engine as the page has it.
std::string int8File(const char* variant) {
  return serializeModel(quantized(loadModel(*shippedModel(Rules::named(variant)))));
}

// Until it is done.
Json carriedOut(PageEngine& engine, Json answer, int* slices = nullptr) {
  for (int n = 1;; ++n) {
    if (answer.contains("error") || answer["done"]) {
      if (slices) *slices = n;
      return answer;
    }
    answer = ask(engine, {{"do", "more"}});
  }
}

TEST(PageEngineTest, TellsTheStateThatTheProtocolTells) {
  PageEngine engine;
  for (const char* variant : kVariants)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Game whole = randomGame(Rules::named(variant), seed, 1000);
      Game game(whole.rules());
      for (std::size_t ply = 0;; ++ply) {
        const Json state = ask(engine, {{"do", "state"}, {"game", specOf(game)}});
        ASSERT_FALSE(state.contains("error")) << state;
        const Json told = Json::parse(stateJson(game));
        for (const auto& [name, value] : told.items()) ASSERT_EQ(state[name], value) << name;
        ASSERT_EQ(state["moves"].size(), ply);
        if (ply == whole.moves().size()) break;
        const int pit = whole.moves()[ply];
        const Json landings = ask(engine, {{"do", "landings"}, {"game", specOf(game)}});
        ASSERT_EQ(landings.size(), state["legal"].size());
        const Json frames =
            ask(engine, {{"do", "sowing"}, {"game", specOf(game)}, {"pit", pit + 1}});
        const Sowing sowing = game.play(pit);
        const Json after = ask(engine, {{"do", "state"}, {"game", specOf(game)}});
        for (const Json& landing : landings)
          if (landing["pit"] == pit + 1) {
            ASSERT_EQ(landing["square"], sowing.last);
            ASSERT_EQ(landing["captured"], sowing.captured);
            ASSERT_EQ(landing["tuzdik"], sowing.madeTuzdik);
            ASSERT_EQ(after["last"], landing);
          }
        // What is left when the row is empty is banked after the sowing.
        if (game.outcome().reason != EndReason::NoMoves) {
          ASSERT_EQ(frames.back()["pits"], after["pits"]);
          ASSERT_EQ(frames.back()["kazan"], after["kazan"]);
        }
        ASSERT_EQ(frames.back()["tuzdik"], after["tuzdik"]);
        ASSERT_EQ(frames.front()["inHand"].get<std::size_t>() + 1 + (sowing.captured > 0),
                  frames.size());
      }
    }
}

TEST(PageEngineTest, ASearchInSlicesIsTheEnginesSearch) {
  for (const char* variant : kVariants) {
    const std::string file = int8File(variant);
    PageEngine page;
    ASSERT_EQ(Json::parse(page.model(file, "test"))["variant"], variant);
    Engine engine(
        std::make_shared<const NativeNetwork>(std::get<Int8Model>(parseAnyModel(file, "test"))));
    int slices = 0, most = 0;
    for (const int plies : {2, 9, 16}) {
      const Game game = randomGame(Rules::named(variant), 7, plies);
      engine.clear();
      engine.setPosition(game);
      const SearchReport report = engine.search({.nodes = 3000});
      ask(page, {{"do", "forget"}});
      const Json answer = carriedOut(page,
                                     ask(page, {{"do", "think"},
                                                {"game", specOf(game)},
                                                {"limits", {{"nodes", 3000}}},
                                                {"slice", 1}}),
                                     &slices);
      most = std::max(most, slices);
      ASSERT_TRUE(answer.contains("result")) << answer;
      const Json& line = answer["result"]["lines"][0];
      EXPECT_EQ(answer["result"]["nodes"], report.info.nodes);
      EXPECT_EQ(answer["result"]["best"], *report.bestPit + 1);
      EXPECT_EQ(line["visits"], report.info.best().visits);
      EXPECT_EQ(line["margin"].get<float>(), report.info.best().margin);
      EXPECT_EQ(line["winRate"].get<double>(), report.info.best().winRate());
      ASSERT_EQ(line["pits"].size(), report.info.best().pv.size());
      for (std::size_t i = 0; i < line["pits"].size(); ++i)
        EXPECT_EQ(line["pits"][i], report.info.best().pv[i] + 1);
      EXPECT_EQ(answer["result"]["facts"]["pit"], *report.bestPit + 1);
    }
    EXPECT_GT(most, 1) << "no search was cut: the test shows nothing";
  }
}

TEST(PageEngineTest, ASearchKeepsItsTime) {
  PageEngine page;
  page.model(int8File("bestemshe"), "test");
  const Json think{{"do", "think"},
                   {"game", {{"variant", "bestemshe"}, {"moves", Json::array()}}},
                   {"slice", 5}};
  Json timed = think;
  timed["limits"] = {{"moveTimeMs", 120}};
  const Json result = carriedOut(page, ask(page, timed))["result"];
  EXPECT_GT(result["nodes"], 100);
  EXPECT_LE(result["timeMs"].get<double>(), 1000);
  // With a clock that has run out it moves at once.
  timed["limits"] = {{"remainingMs", -5}};
  EXPECT_FALSE(carriedOut(page, ask(page, timed))["result"]["best"].is_null());
  // Stopped early it tells what it has.
  timed["limits"] = {{"moveTimeMs", 3'600'000}};
  EXPECT_FALSE(ask(page, timed)["done"]);
  const Json stopped = ask(page, {{"do", "finish"}});
  EXPECT_TRUE(stopped["done"]);
  EXPECT_GE(stopped["result"]["nodes"], 1);
  EXPECT_THAT(errorOf(page, {{"do", "more"}}), HasSubstr("nothing is under way"));
}

TEST(PageEngineTest, EachLevelPlaysLegalMovesWithoutAModelToo) {
  PageEngine page;
  for (const char* variant : kVariants) {
    const Game game = randomGame(Rules::named(variant), 3, 6);
    for (int level = 1; level <= 9; ++level) {
      const Json result =
          carriedOut(page, ask(page, {{"do", "think"},
                                      {"game", specOf(game)},
                                      {"limits", {{"level", level}, {"nodes", 50}}}}));
      ASSERT_TRUE(result.contains("result")) << result;
      EXPECT_TRUE(game.legal() >> (result["result"]["best"].get<int>() - 1) & 1u);
    }
  }
}

TEST(PageEngineTest, ReviewsAsAnalyzeDoes) {
  const std::string file = int8File("bestemshe");
  PageEngine page;
  page.model(file, "test");
  const Game game = randomGame(Rules(kBestemshe), 5, 1000);
  const Json review = carriedOut(
      page, ask(page, {{"do", "review"}, {"game", specOf(game)}, {"nodes", 100}}))["review"];

  Analyst analyst(
      std::make_shared<const NativeNetwork>(std::get<Int8Model>(parseAnyModel(file, "test"))), 1);
  GameReview expected;
  reviewGame(analyst, replayGame(describeGame(game)), {.nodes = 100},
             [&](GameReview&& done) { expected = std::move(done); });
  analyst.finish();
  ASSERT_EQ(review["moves"].size(), expected.moves.size());
  for (std::size_t i = 0; i < expected.moves.size(); ++i) {
    const ReviewedMove& move = expected.moves[i];
    EXPECT_EQ(review["moves"][i]["best"], move.best + 1);
    EXPECT_EQ(review["moves"][i]["mark"], text(move.mark));
    EXPECT_EQ(review["moves"][i]["winRate"].get<double>(), move.winRate);
    EXPECT_EQ(review["firstWinRate"][i].get<double>(), expected.firstWinRate(i));
  }
  EXPECT_EQ(review["sides"][0]["accuracy"].get<double>(), expected.sides[0].accuracy);
}

TEST(PageEngineTest, WritesWhatItReads) {
  PageEngine page;
  for (const char* variant : kVariants)
    for (const int plies : {0, 5, 1000}) {
      const Game game = randomGame(Rules::named(variant), 11, plies);
      const Json text = ask(page, {{"do", "write"},
                                   {"game", specOf(game)},
                                   {"tags", {{"Event", "Той"}}},
                                   {"comments", {"a } b"}}});
      ASSERT_TRUE(text.is_string()) << text;
      const Json games = ask(page, {{"do", "read"}, {"text", text}, {"variant", "standard"}});
      ASSERT_EQ(games.size(), 1u) << text;
      EXPECT_EQ(games[0]["game"], specOf(game));
      EXPECT_EQ(games[0]["tags"]["Event"], "Той");
      EXPECT_TRUE(games[0]["fault"].is_null()) << games[0]["fault"];
    }
}

TEST(PageEngineTest, ReadsAFaultyRecordAsFarAsItGoes) {
  PageEngine page;
  const auto read = [&](const char* text) {
    return ask(page, {{"do", "read"}, {"text", text}, {"variant", "standard"}})[0];
  };
  const Json wrongMove = read("1. 76 98 2. 12 22");
  EXPECT_EQ(wrongMove["game"]["moves"], Json({7, 9}));
  EXPECT_THAT(wrongMove["fault"], HasSubstr("ply 3"));
  const Json wrongResult = read("[Kazans \"5-5\"]\n1. 76 98 1-0");
  EXPECT_EQ(wrongResult["game"]["moves"], Json({7, 9}));
  EXPECT_THAT(wrongResult["fault"], HasSubstr("kazans"));
  EXPECT_THAT(errorOf(page, {{"do", "read"}, {"text", ""}, {"variant", "standard"}}),
              HasSubstr("no game"));
  EXPECT_THAT(read("[Variant \"standard,tuzdik=false\"]\n1. 76 98")["fault"],
              HasSubstr("the page plays"));
}

// In the page's own thread: half a second of it, where a try a move took many.
TEST(PageEngineTest, NonsenseIsReadNoLongerThanItMakesSense) {
  PageEngine page;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Game game = randomGame(Rules::named("standard"), seed, 60);
    std::string text;
    for (const std::string& move : page::notation(game.rules(), game.start(), game.moves()))
      text += move + ' ';
    for (int i = 0; i < 200'000; ++i) text += "11 99 ";
    const Json games = ask(page, {{"do", "read"}, {"text", text}, {"variant", "standard"}});
    ASSERT_EQ(games.size(), 1u);
    std::vector<int> played = games[0]["game"]["moves"];
    ASSERT_GE(played.size(), 60u);
    ASSERT_LT(played.size(), 70u);
    played.resize(60);
    EXPECT_EQ(Json(played), specOf(game)["moves"]);
    EXPECT_THAT(games[0]["fault"], HasSubstr("ply 6"));
  }
}

TEST(PageEngineTest, EditedPositionsRoundTrip) {
  PageEngine page;
  for (const char* variant : kVariants)
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      const Game game = randomGame(Rules::named(variant), seed, static_cast<int>(seed) * 4);
      if (game.over()) continue;
      const std::string fen = formatPosition(game.rules(), game.position());
      Json edited = ask(page, {{"do", "fen"}, {"variant", variant}, {"fen", fen}});
      ASSERT_FALSE(edited.contains("error")) << edited;
      edited["do"] = "position";
      EXPECT_EQ(ask(page, edited), fen);
      edited["kazan"][0] = edited["kazan"][0].get<int>() + 1;
      EXPECT_NE(errorOf(page, edited), "") << "a ball too many";
    }
}

TEST(PageEngineTest, SignatureIsTheSearchs) {
  PageEngine page;
  // The page's own tests hold the WebAssembly build against the same file.
  const Json golden = Json::parse(readFile(TOGUZ_TEST_DATA "/search_signatures.json"));
  for (const char* variant : kVariants)
    EXPECT_EQ(ask(page, {{"do", "signature"}, {"variant", variant}}), golden[variant]);
}

TEST(PageEngineTest, RefusesWhatIsWrongInOneLine) {
  PageEngine page;
  const Json game{{"variant", "standard"}, {"moves", {7, 9}}};
  const std::pair<Json, const char*> cases[] = {
      {nullptr, "an object"},
      {{{"do", 5}}, "an object"},
      {{{"do", "dance"}}, "dance"},
      {{{"do", "state"}}, "lacks 'game'"},
      {{{"do", "state"}, {"game", {{"variant", "chess"}, {"moves", Json::array()}}}}, "chess"},
      {{{"do", "state"}, {"game", {{"variant", "standard"}, {"moves", "76"}}}}, "list of pits"},
      {{{"do", "state"}, {"game", {{"variant", "standard"}, {"moves", {7, 10}}}}}, "ply 2"},
      {{{"do", "state"}, {"game", {{"variant", "standard"}, {"moves", {1.5}}}}}, "ply 1"},
      {{{"do", "state"}, {"game", {{"variant", "standard"}, {"fen", "8S"}, {"moves", {1}}}}},
       "position text"},
      {{{"do", "sowing"},
        {"game", {{"variant", "giveaway"}, {"moves", Json::array()}}},
        {"pit", 1}},
       "cannot be played"},
      {{{"do", "think"}, {"game", game}, {"limits", {{"level", 11}}}}, "level"},
      {{{"do", "think"}, {"game", game}, {"limits", {{"nodes", "many"}}}}, "nodes"},
      {{{"do", "review"}, {"game", game}, {"nodes", 0}}, "nodes"},
      {{{"do", "more"}}, "nothing is under way"},
      {{{"do", "finish"}}, "no search"},
  };
  for (const auto& [request, expected] : cases) {
    const std::string error = errorOf(page, request);
    EXPECT_THAT(error, HasSubstr(expected)) << request;
    EXPECT_EQ(error.find('\n'), std::string::npos) << request;
  }
  EXPECT_THAT(page.call("{"), HasSubstr("not a request"));
  EXPECT_THAT(page.call("\xff\xfe"), HasSubstr("error"));
}

TEST(PageEngineTest, RefusesBrokenModelsAndKeepsTheOneItHas) {
  const std::string file = int8File("bestemshe");
  PageEngine page;
  const std::string id = Json::parse(page.model(file, "good"))["id"];
  for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 50)
    EXPECT_THAT(page.model(std::string_view(file).substr(0, size), "cut"), HasSubstr("error"));
  std::string flipped = file;
  flipped[flipped.size() / 2] ^= 1;
  EXPECT_THAT(page.model(flipped, "flipped"), HasSubstr("flipped"));
  const Json think{{"do", "think"},
                   {"game", {{"variant", "bestemshe"}, {"moves", Json::array()}}},
                   {"limits", {{"nodes", 200}}}};
  PageEngine other;
  other.model(file, "good");
  const Json kept = carriedOut(page, ask(page, think)),
             fresh = carriedOut(other, ask(other, think));
  EXPECT_EQ(kept["result"]["lines"], fresh["result"]["lines"]);
}

TEST(PageEngineTest, SurvivesAnyRequest) {
  PageEngine page;
  Rng rng(17);
  const std::string seeds[] = {
      R"({"do":"state","game":{"variant":"standard","moves":[7,6,3]}})",
      R"({"do":"think","game":{"variant":"seven","fen":null,"moves":[1]},"limits":{"nodes":3,"level":4}})",
      R"({"do":"read","text":"1. 76 98 2. 52 (3) 1-0 {x}","variant":"standard"})",
      R"({"do":"position","variant":"bestemshe","pits":[[5,5,5,5,5],[5,5,5,5,5]],"kazan":[0,0],"tuzdik":[0,0],"turn":0})",
      R"({"do":"review","game":{"variant":"bestemshe","moves":[1,2]},"nodes":2})",
      R"({"do":"write","game":{"variant":"standard","moves":[7]},"tags":{"A":"b"},"result":"*"})",
  };
  for (int i = 0; i < 5000; ++i) {
    std::string request = seeds[rng.below(6)];
    for (std::uint32_t n = rng.below(4); n > 0; --n) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(request.size()));
      switch (rng.below(3)) {
        case 0:
          request[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          request.erase(at, rng.below(6));
          break;
        default:
          request.insert(at,
                         request.substr(rng.below(static_cast<std::uint32_t>(request.size())), 9));
      }
    }
    ASSERT_TRUE(Json::accept(page.call(request))) << request;
  }
}

}  // namespace
}  // namespace toguz
