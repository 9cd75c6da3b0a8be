#include "arena/farmed_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "arena/player_factories.h"
#include "base/error.h"
#include "search/playout_evaluator.h"
#include "tests/arena/scripted_players.h"

namespace toguz {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::shared_ptr<const NativeNetwork> smallNetwork(const Rules& rules, std::uint64_t seed,
                                                  Precision precision = Precision::Fp32) {
  Model model = randomModel(rules, {.width = 16, .blocks = 1}, seed);
  Rng rng(seed);
  for (Tensor& tensor : model.tensors)
    if (tensor.name.starts_with("head."))
      for (float& w : tensor.data) w = static_cast<float>(0.3 * rng.normal());
  return std::make_shared<const NativeNetwork>(model, precision);
}

MatchOptions options(const Rules& rules, int games) {
  MatchOptions o;
  o.rules = rules;
  o.games = games;
  o.seed = 0xfedcba9876543210;  // all 64 bits must get there
  o.openings = randomOpenings(rules, 3, static_cast<std::size_t>((games + 1) / 2), 5);
  return o;
}

Sha256 hashOf(std::uint8_t first) {
  Sha256 hash{};
  hash[0] = first;
  return hash;
}

const std::function<bool()> kNever = [] { return false; };

void expectSameGames(const MatchResult& here, const MatchResult& there) {
  ASSERT_EQ(here.games.size(), there.games.size());
  for (std::size_t i = 0; i < here.games.size(); ++i) {
    const MatchGame &a = here.games[i], &b = there.games[i];
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.aFirst, b.aFirst);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.moves, b.moves) << "game " << i;
    EXPECT_EQ(a.openingPlies, b.openingPlies);
    EXPECT_EQ(a.end, b.end);
    EXPECT_EQ(a.result, b.result);
    EXPECT_EQ(a.reason, b.reason);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.choices, b.choices);
  }
  EXPECT_EQ(here.tally, there.tally);
  EXPECT_EQ(here.pairs, there.pairs);
  EXPECT_EQ(here.distinctGames, there.distinctGames);
}

class FarmedGame : public testing::Test {
 protected:
  // One of two networks, by its hash.
  ModelSource models(const Rules& rules) const {
    return [one = smallNetwork(rules, 1),
            two = smallNetwork(rules, 2)](const Sha256& hash) -> decltype(smallNetwork(rules, 1)) {
      return hash == hashOf(1) ? one : hash == hashOf(2) ? two : nullptr;
    };
  }
  std::unique_ptr<PlayerFactory> factory(const FarmedPlayer& player, const Rules& rules) const {
    if (!player.model) return parsePlayer(player.builtin, rules);
    EngineSettings settings;
    settings.nodes = player.nodes;
    return makeModelFactory(models(rules)(*player.model), settings, "network");
  }
  json task() const {
    return json::parse(farmedGameTask(options_, 1, {.builtin = "greedy"}, {.builtin = "random"}));
  }
  // What a worker answers to a task it should not play.
  std::string refusal(const std::string& task) const {
    const auto result = playFarmedGame(task, models(options_.rules), kNever);
    EXPECT_TRUE(result.has_value());
    const json answer = json::parse(result.value_or("{}"));
    EXPECT_FALSE(answer.contains("moves")) << task;
    return answer.value("error", "");
  }
  std::string refusal(const json& task) const { return refusal(task.dump()); }

  MatchOptions options_ = options(Rules(kBestemshe), 4);
};

TEST_F(FarmedGame, IsTheGameThatWouldHaveBeenPlayedHere) {
  const FarmedPlayer one{.model = hashOf(1), .nodes = 12}, two{.model = hashOf(2), .nodes = 8};
  const std::pair<FarmedPlayer, FarmedPlayer> pairs[] = {
      {one, two},
      {one, {.builtin = "random"}},
      {one, {.builtin = "greedy"}},
      {{.builtin = "alphabeta:depth=2"}, two},
      {{.builtin = "mcts:nodes=20"}, {.builtin = "random"}},
  };
  for (const char* variant : {"bestemshe", "seven", "giveaway", "standard,tuzdik=false"})
    for (const auto& [a, b] : pairs) {
      const Rules rules = Rules::named(variant);
      MatchOptions o = options(rules, 3);
      o.plyCap = 90;
      const auto factoryA = factory(a, rules), factoryB = factory(b, rules);
      const MatchResult here = playMatch(*factoryA, *factoryB, o);
      const ModelSource source = models(rules);
      o.elsewhere = {4, [&, a = a, b = b](int index, const auto& abandon) {
                       const std::string task = farmedGameTask(o, index, a, b);
                       const auto result = playFarmedGame(task, source, abandon);
                       return std::optional(farmedGameOf(result.value(), o, index));
                     }};
      // Players here would give themselves away.
      const test::ScriptedFactory nobody("nobody", [](const Game&, const auto&, Rng&) {
        ADD_FAILURE() << "played here";
        return Choice{};
      });
      expectSameGames(here, playMatch(nobody, nobody, o));
    }
}

TEST_F(FarmedGame, PlayedTwiceIsTheSame) {
  const FarmedPlayer a{.model = hashOf(1), .nodes = 10}, b{.builtin = "random"};
  const std::string task = farmedGameTask(options_, 3, a, b);
  const auto moves = [&](const ModelSource& source) {
    return json::parse(playFarmedGame(task, source, kNever).value())["moves"];
  };
  EXPECT_EQ(moves(models(options_.rules)), moves(models(options_.rules)));
}

TEST_F(FarmedGame, AnOpeningFromAnyPositionGetsThere) {
  Game game(options_.rules);
  for (int ply = 0; ply < 9; ++ply) game.play(std::countr_zero(game.legal()));
  options_.openings = {{game.position(), {}}};
  const auto a = makeGreedyFactory();
  const MatchResult here = playMatch(*a, *a, options_);
  options_.elsewhere = {1, [&](int index, const auto& abandon) {
                          const FarmedPlayer greedy{.builtin = "greedy"};
                          const auto result = playFarmedGame(
                              farmedGameTask(options_, index, greedy, greedy), {}, abandon);
                          return std::optional(farmedGameOf(result.value(), options_, index));
                        }};
  expectSameGames(here, playMatch(*a, *a, options_));
}

TEST_F(FarmedGame, AStopLeavesItToSomebodyElse) {
  int asked = 0;
  const auto result = playFarmedGame(task().dump(), {}, [&] { return ++asked > 5; });
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(asked, 6);
}

TEST_F(FarmedGame, OnlyPlayersThatAreTheSameEverywhere) {
  for (const char* good : {"random", "greedy", "alphabeta:depth=4", "mcts:nodes=100"}) {
    EXPECT_TRUE(isFarmable(good)) << good;
    EXPECT_NO_THROW(parsePlayer(good, Rules())) << good;
  }
  for (const char* bad :
       {"", "random:", "greedy:x", "exec:touch /tmp/owned", "exec:", "model:/etc/passwd",
        "model:best.tzn,nodes=4", "alphabeta", "alphabeta:", "alphabeta:movetime=5",
        "alphabeta:depth=4,movetime=5", "alphabeta:depth=0", "alphabeta:depth=64", "mcts:nodes=0",
        "mcts:nodes=99999999", "mcts:nodes=", "EXEC:x", " random", "random\n"}) {
    EXPECT_FALSE(isFarmable(bad)) << bad;
    json hostile = task();
    hostile["a"] = {{"player", bad}};
    EXPECT_NE(refusal(hostile), "") << bad;
  }
}

TEST_F(FarmedGame, MalformedTasksAreAnsweredWithWhatIsWrong) {
  for (const char* text : {"", "nonsense", "[]", "42", "null", "{", "{}", "\xff\xfe", "\"text\""})
    EXPECT_NE(refusal(std::string(text)), "") << text;
  EXPECT_THAT(refusal(std::string(1 << 20, '[')), HasSubstr("no JSON"));
  EXPECT_THAT(refusal(std::string((1 << 20) + 1, ' ')), HasSubstr("too large"));
  const json values[] = {nullptr,
                         true,
                         -1,
                         1.5,
                         1e300,
                         "",
                         "\x1b[2J",
                         json::array(),
                         json::object(),
                         json::array({1, 2, 3}),
                         std::uint64_t{1} << 63};
  const json whole = task();
  for (const auto& [key, was] : whole.items()) {
    json missing = task();
    missing.erase(key);
    EXPECT_THAT(refusal(missing), HasSubstr(key == "format" ? "format" : "'" + key + "'"));
    for (const json& value : values) {
      if (key == "seed" && value.is_number_unsigned()) continue;
      json wrong = task();
      wrong[key] = value;
      const std::string error = refusal(wrong);
      EXPECT_NE(error, "") << key << " " << value;
      EXPECT_EQ(error.find_first_of("\n\x1b"), std::string::npos);
    }
  }
  for (const json& value : values) {
    json wrong = task();
    wrong["opening"]["start"] = value;
    EXPECT_NE(refusal(wrong), "") << value;
    wrong = task();
    wrong["opening"]["moves"] = json::array({value});
    EXPECT_NE(refusal(wrong), "") << value;
    wrong = task();
    wrong["b"] = {{"model", value}, {"nodes", 5}};
    EXPECT_NE(refusal(wrong), "") << value;
    wrong["b"] = {{"model", hexText(hashOf(1))}, {"nodes", value}};
    EXPECT_NE(refusal(wrong), "") << value;
  }
  json wrong = task();
  wrong["format"] = 2;
  EXPECT_THAT(refusal(wrong), HasSubstr("format"));
  wrong = task();
  wrong["variant"] = std::string(100000, 'x');
  EXPECT_LT(refusal(wrong).size(), 400u);
  // A board that does not hold all balls.
  wrong["variant"] = "seven";
  EXPECT_NE(refusal(wrong), "");
}

TEST_F(FarmedGame, NetworksAreFetchedAndMustFit) {
  json asked = task();
  asked["a"] = {{"model", hexText(hashOf(9))}, {"nodes", 5}};
  EXPECT_THAT(refusal(asked), HasSubstr("not to be had"));
  asked["a"]["model"] = hexText(hashOf(1));
  const auto error = [&](const ModelSource& source) {
    return json::parse(playFarmedGame(asked.dump(), source, kNever).value()).value("error", "");
  };
  EXPECT_EQ(error(models(options_.rules)), "");
  EXPECT_THAT(error(models(Rules(kSeven))), HasSubstr("plays seven, not bestemshe"));
  EXPECT_THAT(
      error([&](const Sha256&) { return smallNetwork(options_.rules, 1, Precision::Int8); }),
      HasSubstr("fp32"));
  EXPECT_THAT(error([](const Sha256&) -> std::shared_ptr<const NativeNetwork> {
                throw Error("the store is away");
              }),
              HasSubstr("the store is away"));
}

TEST_F(FarmedGame, ResultsThatCannotBeAreRefused) {
  const json good = json::parse(playFarmedGame(task().dump(), {}, kNever).value());
  EXPECT_NO_THROW(farmedGameOf(good.dump(), options_, 1));
  const auto fault = [&](const json& result, int index = 1) -> std::string {
    try {
      farmedGameOf(result.dump(), options_, index);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault({{"error", "no\nsuch \x1bthing"}}), "no?such ?thing");
  EXPECT_THAT(fault(good, 3), HasSubstr("another opening"));
  json bad = good;
  bad["moves"].erase(bad["moves"].size() - 1);
  EXPECT_THAT(fault(bad), HasSubstr("not over"));
  bad["moves"] = json::array();
  EXPECT_THAT(fault(bad), HasSubstr("another opening"));
  bad = good;
  bad["moves"].push_back(0);
  EXPECT_THAT(fault(bad), HasSubstr("not legal"));
  for (const json& move : {json(-1), json(256), json(1.5), json("1"), json(nullptr), json(8)}) {
    bad = good;
    bad["moves"][5] = move;
    EXPECT_NE(fault(bad), "") << move;
  }
  for (const char* key : {"moves", "nodes", "seconds"}) {
    bad = good;
    bad.erase(key);
    EXPECT_THAT(fault(bad), HasSubstr(key));
    for (const json& value : {json(nullptr), json(1), json("x"), json::array({-1, 0}),
                              json::array({0}), json::array({0, nullptr})}) {
      bad[key] = value;
      EXPECT_NE(fault(bad), "") << key << " " << value;
    }
  }
  bad = good;
  bad["seconds"] = {1e300, 0};
  EXPECT_NE(fault(bad), "");
  for (const char* text : {"", "[]", "{", "{}", "\xff", "null"})
    EXPECT_THROW(farmedGameOf(text, options_, 1), Error) << text;
}

// Only what is played here takes part in the count of threads, and no more than `concurrency` at a
// time; the match is the same whoever plays which game.
TEST(Elsewhere, GamesThatDoNotComeBackArePlayedHere) {
  const MatchOptions plain = options(Rules(kBestemshe), 40);
  const auto random = makeRandomFactory();
  const MatchResult here = playMatch(*random, *random, plain);
  std::atomic<int> asked{0}, playing{0}, most{0}, playedHere{0};
  const test::ScriptedFactory counting("counting", [&](const Game& game, const auto&, Rng& rng) {
    most = std::max(most.load(), ++playing);
    if (game.ply() <= 4) ++playedHere;
    Choice choice;
    choice.pit = randomPit(game.legal(), rng);
    --playing;
    return choice;
  });
  MatchOptions o = plain;
  const FarmedPlayer player{.builtin = "random"};
  o.elsewhere = {8, [&](int index, const auto& abandon) -> std::optional<MatchGame> {
                   ++asked;
                   if (index % 3 == 0) return std::nullopt;
                   const auto result =
                       playFarmedGame(farmedGameTask(plain, index, player, player), {}, abandon);
                   if (!result) return std::nullopt;
                   return farmedGameOf(*result, plain, index);
                 }};
  expectSameGames(here, playMatch(counting, counting, o));
  EXPECT_EQ(most.load(), 1);
  EXPECT_GE(asked.load(), 40);
  EXPECT_LE(playedHere.load(), 2 * 14);
}

TEST(Elsewhere, NothingComesBackOnceTheMatchIsStopped) {
  MatchOptions o = options(Rules(kBestemshe), 20);
  std::atomic<bool> stop{false};
  std::atomic<int> waiting{0};
  o.stop = &stop;
  o.elsewhere = {5, [&](int, const auto& abandon) -> std::optional<MatchGame> {
                   if (++waiting == 5) stop = true;
                   while (!abandon()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                   return std::nullopt;
                 }};
  const auto random = makeRandomFactory();
  const MatchResult r = playMatch(*random, *random, o);
  EXPECT_TRUE(r.interrupted);
  EXPECT_EQ(r.gamesPlayed(), 0);
}

TEST(Elsewhere, AnExceptionThereEndsTheMatch) {
  MatchOptions o = options(Rules(kBestemshe), 20);
  o.elsewhere = {3, [&](int index, const auto&) -> std::optional<MatchGame> {
                   if (index == 7) throw std::runtime_error("no memory");
                   return std::nullopt;
                 }};
  const auto random = makeRandomFactory();
  EXPECT_THROW(playMatch(*random, *random, o), std::runtime_error);
}

// The sequential test decides the same, and the games beyond are thrown away.
TEST(Elsewhere, AnEarlyStopIsExact) {
  MatchOptions o = options(Rules(kBestemshe), 200);
  o.sprt = SprtSettings{0, 40};
  const auto a = makeAlphaBetaFactory(o.rules, {.depth = 2});
  const auto b = makeRandomFactory();
  const MatchResult here = playMatch(*a, *b, o);
  ASSERT_LT(here.gamesPlayed(), 200);
  o.elsewhere = {
      16, [&](int index, const auto& abandon) -> std::optional<MatchGame> {
        const auto result = playFarmedGame(
            farmedGameTask(o, index, {.builtin = "alphabeta:depth=2"}, {.builtin = "random"}), {},
            abandon);
        if (!result) return std::nullopt;
        return farmedGameOf(*result, o, index);
      }};
  const MatchResult there = playMatch(*a, *b, o);
  expectSameGames(here, there);
  EXPECT_DOUBLE_EQ(here.sprt->llr, there.sprt->llr);
  EXPECT_FALSE(there.interrupted);
}

}  // namespace
}  // namespace toguz
