// Exercises made from games, and those that come with the page.
#include "analysis/exercises.h"

#include <gmock/gmock.h>

#include <map>

#include "analysis/exercise_choice.h"
#include "analysis/exercises_text.h"
#include "base/file.h"
#include "models/model.h"
#include "play/shipped.h"
#include "tests/analysis/exercise_support.h"
#include "tests/core/helpers.h"

namespace toguz {
namespace {

using Json = nlohmann::json;

Engine::Network shipped(const Rules& rules) {
  return Engine::loadNetwork(*shippedModel(rules), Precision::Fp32);
}

std::vector<ReplayedGame> humanGames(std::size_t most) {
  std::vector<GameText> records = readGames(test::dataPath("games/games.tsv"));
  records.resize(most);
  std::vector<ReplayedGame> games;
  for (const GameText& record : records) games.push_back(replayGame(record));
  return games;
}

ReplayedGame randomGame(const Rules& rules, std::uint64_t seed) {
  Rng rng(seed);
  Game game(rules);
  while (!game.over()) game.play(test::randomPit(game.legal(), rng));
  return replayGame(describeGame(game), rules.name());
}

std::vector<Exercise> made(const Rules& rules, const std::vector<ReplayedGame>& games,
                           int threads = 2, ExerciseOptions options = {60, 400, 4}) {
  Analyst analyst(shipped(rules), threads);
  std::vector<ExerciseGame> sources;
  for (std::size_t i = 0; i < games.size(); ++i)
    sources.push_back({&games[i], "game " + std::to_string(i + 1)});
  return makeExercises(analyst, sources, options);
}

void expectAllSound(const std::string& file) {
  std::set<std::string> ids, boards;
  const Json json = Json::parse(file);
  EXPECT_EQ(json["version"], 1);
  for (const Json& exercise : json["exercises"]) {
    test::expectSound(exercise);
    EXPECT_TRUE(ids.insert(exercise["id"]).second) << exercise["id"];
    const Rules rules = Rules::named(exercise["variant"].get<std::string>());
    Position position = parsePosition(rules, exercise["fen"].get<std::string>()).position;
    if (position.side == Side::Second) position = position.swapped(rules.set());
    position.kazan = {0, 0};
    EXPECT_TRUE(boards.insert(rules.name() + formatPosition(rules, position)).second)
        << exercise["fen"];
  }
}

TEST(ExercisesTest, FullEachIsSoundAndTheyRepeatToTheByte) {
  const auto games = humanGames(12);
  const auto exercises = made(Rules(), games, 1);
  ASSERT_GE(exercises.size(), 12u);
  std::map<int, int> levels;
  for (const Exercise& exercise : exercises) EXPECT_LE(++levels[exercise.level], 4);
  const std::string file = exercisesFile(exercises);
  expectAllSound(file);
  EXPECT_EQ(exercisesFile(made(Rules(), games, 2)), file);
}

TEST(ExercisesTest, EveryVariant) {
  for (const char* variant : {"giveaway", "bestemshe", "seven"}) {
    const Rules rules = Rules::named(variant);
    const auto exercises = made(rules, {randomGame(rules, 1), randomGame(rules, 2)});
    EXPECT_FALSE(exercises.empty()) << variant;
    expectAllSound(exercisesFile(exercises));
  }
}

TEST(ExercisesTest, TheSolutionStandsAsTheSearchSaysIt) {
  const auto games = humanGames(6);
  const ExerciseOptions options{60, 400, 2};
  Analyst analyst(shipped(Rules()), 1);
  for (const Exercise& exercise : made(Rules(), games, 1, options)) {
    const Game game(exercise.rules, exercise.position, 100'000);
    std::map<int, double> rates;
    for (PitMask rest = game.legal(); rest; rest &= rest - 1) {
      const int pit = std::countr_zero(rest);
      Game after = game;
      after.play(pit);
      if (!after.over()) after = Game(after.rules(), after.position(), 100'000);
      analyst.submit(after, {.nodes = 100}, [&rates, pit](Analyst::Ticket, Analysis&& analysis) {
        rates[pit] = 100 - analysis.lines.front().winRate();
      });
      analyst.finish();
    }
    EXPECT_EQ(rates.at(exercise.solution.front()), exercise.winRate);
    for (const std::uint8_t pit : exercise.solution) rates.erase(pit);
    double others = 0;
    for (const auto& [pit, rate] : rates) others = std::max(others, rate);
    EXPECT_EQ(others, exercise.others);

    std::optional<int> best;  // of the last look
    analyst.submit(game, {.nodes = 2000},
                   [&](Analyst::Ticket, Analysis&& analysis) { best = analysis.bestPit; });
    analyst.finish();
    EXPECT_THAT(exercise.solution, ::testing::Contains(*best));
  }
}

TEST(ExercisesTest, AGameTwiceGivesNothingNew) {
  const auto games = humanGames(3);
  auto twice = games;
  twice.insert(twice.end(), games.begin(), games.end());
  EXPECT_EQ(exercisesFile(made(Rules(), twice)), exercisesFile(made(Rules(), games)));
}

TEST(ExercisesTest, TheSourceNamesTheGameAndThePly) {
  const auto games = humanGames(4);
  for (const Exercise& exercise : made(Rules(), games)) {
    int game = 0, ply = 0;
    ASSERT_EQ(std::sscanf(exercise.source.c_str(), "game %d ply %d", &game, &ply), 2);
    const ReplayedGame& from = games.at(static_cast<std::size_t>(game - 1));
    EXPECT_EQ(from.positions.at(static_cast<std::size_t>(ply - 1)), exercise.position);
    EXPECT_EQ(exercise.fullmove, (ply + 1) / 2);
    const auto& solution = exercise.solution;
    const bool played =
        std::find(solution.begin(), solution.end(),
                  from.pits.at(static_cast<std::size_t>(ply - 1))) != solution.end();
    EXPECT_EQ(exercise.played, played);
  }
}

TEST(ExerciseLevelTest, HarderToFindIsAHigherLevel) {
  EXPECT_EQ(exerciseLevel({0, 0.9, true}), 1);
  EXPECT_EQ(exerciseLevel({0, 0.9, false}), 2);
  EXPECT_EQ(exerciseLevel({1, 0.4, true}), 3);
  EXPECT_EQ(exerciseLevel({1, 0.4, false}), 4);
  EXPECT_EQ(exerciseLevel({2, 0.1, true}), 4);
  EXPECT_EQ(exerciseLevel({2, 0.1, false}), 5);
  EXPECT_EQ(exerciseLevel({5, 0.9, true}), 5);
  for (int found = 0; found < 5; ++found)
    for (const double policy : {0.9, 0.4, 0.1})
      for (const bool most : {true, false})
        EXPECT_GE(exerciseLevel({found + 1, policy, most}), exerciseLevel({found, policy, most}));
}

ExerciseCandidate candidate(std::size_t game, std::size_t ply, int level, double gap,
                            ExerciseKind kind = ExerciseKind::Best) {
  ExerciseCandidate one;
  one.exercise.position = Position::start(kStandard);
  one.exercise.kind = kind;
  one.exercise.level = level;
  one.exercise.winRate = 60;
  one.exercise.others = 60 - gap;
  one.exercise.solution = {0};
  one.exercise.source = std::to_string(game) + ":" + std::to_string(ply);
  one.game = game;
  one.ply = ply;
  return one;
}

std::vector<std::string> chosen(const std::vector<ExerciseCandidate>& all, std::size_t perLevel) {
  std::vector<std::string> sources;
  for (const std::size_t place : chooseExercises(all, perLevel))
    sources.push_back(all.at(place).exercise.source);
  return sources;
}

TEST(ExerciseChoiceTest, SpreadsOverGamesAndKinds) {
  const std::vector<ExerciseCandidate> all{candidate(0, 10, 1, 35), candidate(0, 30, 1, 34),
                                           candidate(0, 33, 1, 34), candidate(1, 10, 1, 16),
                                           candidate(2, 10, 1, 15, ExerciseKind::Capture)};
  using ::testing::ElementsAre;
  EXPECT_THAT(chosen(all, 2), ElementsAre("0:10", "2:10"));
  EXPECT_THAT(chosen(all, 3), ElementsAre("0:10", "1:10", "2:10"));
  // Two of a game before it is too near to the other.
  EXPECT_THAT(chosen(all, 9), ElementsAre("0:10", "0:30", "1:10", "2:10"));
  EXPECT_TRUE(chooseExercises({}, 5).empty());
}

TEST(ExerciseChoiceTest, KeepsTheBestOfEachCell) {
  const auto kept =
      promising({candidate(0, 1, 1, 15), candidate(1, 1, 1, 30), candidate(2, 1, 2, 15),
                 candidate(3, 1, 1, 15, ExerciseKind::Tuzdik)},
                1);
  std::set<std::size_t> games;
  for (const ExerciseCandidate& one : kept) games.insert(one.game);
  EXPECT_EQ(games, (std::set<std::size_t>{1, 2, 3}));
}

TEST(ExercisesTextTest, AnIdIsOfThePositionAlone) {
  Exercise exercise;
  exercise.position = Position::start(kStandard);
  exercise.solution = {6};
  exercise.line = {6, 8};
  const std::string id = exerciseJson(exercise)["id"];
  exercise.fullmove = 7;
  exercise.level = 4;
  exercise.source = "elsewhere";
  EXPECT_EQ(exerciseJson(exercise)["id"], id);
  EXPECT_EQ(exerciseJson(exercise)["line"], Json({"76", "98"}));
  exercise.position = exercise.position.swapped(kStandard);
  EXPECT_NE(exerciseJson(exercise)["id"], id);
  EXPECT_EQ(Json::parse(exercisesFile({}))["exercises"].size(), 0u);
}

TEST(PageExercisesTest, AreSoundAndEnough) {
  const std::string file = readFile(TOGUZ_WEB_DATA "/exercises.json");
  EXPECT_LT(file.size(), 250'000u);
  expectAllSound(file);
  std::map<std::string, int> variants;
  std::map<std::string, std::map<int, int>> levels;
  const Json json = Json::parse(file);
  for (const Json& exercise : json["exercises"]) {
    const std::string variant = exercise["variant"];
    ++variants[variant];
    ++levels[variant][exercise["level"].get<int>()];
    // No game of people is claimed that was not one.
    const bool engine = exercise["source"].get<std::string>().starts_with("engine level");
    EXPECT_EQ(engine, variant != "standard") << exercise["source"];
  }
  EXPECT_GE(variants["standard"], 300);
  for (const char* variant : {"giveaway", "bestemshe", "seven"}) EXPECT_GE(variants[variant], 60);
  for (const auto& [variant, counts] : levels) EXPECT_EQ(counts.size(), 5u) << variant;
}

TEST(PageExercisesTest, StandAsTheirGamesSay) {
  std::map<std::string, ReplayedGame> games;
  for (const GameText& record : readGames(test::dataPath("games/games.tsv")))
    games.emplace(record.tag("Source") + " " + record.tag("Id"), replayGame(record));
  const Json json = Json::parse(readFile(TOGUZ_WEB_DATA "/exercises.json"));
  for (const Json& exercise : json["exercises"]) {
    if (exercise["variant"] != "standard") continue;
    const std::string source = exercise["source"];
    const std::size_t at = source.find(" ply ");
    ASSERT_NE(at, std::string::npos);
    const auto game = games.find(source.substr(0, at));
    ASSERT_NE(game, games.end()) << source;
    const std::size_t ply = std::stoul(source.substr(at + 5)) - 1;
    EXPECT_EQ(game->second.positions.at(ply),
              parsePosition(Rules(), exercise["fen"].get<std::string>()).position);
  }
}

}  // namespace
}  // namespace toguz
