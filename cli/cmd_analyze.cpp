// toguz analyze: recorded games looked through by the engine; or positions, as lines of JSON.
#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "analysis/exercises_text.h"
#include "analysis/file_review_text.h"
#include "analysis/query_server.h"
#include "analysis/review_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "play/words.h"

namespace toguz {
namespace {

struct Arguments {
  std::string file, format = "auto", variant = "standard", pgn, json, html, exercises;
  std::vector<std::string> models;
  int nodes = 400, threads = 0, pageGames = 200, openingPlies = 8, openingGames = 3;
  ExerciseOptions exercise;
  bool jsonLines = false, quiet = false;
};

void serveQueries(const Arguments& args) {
  Networks networks(args.models);
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  QueryServer server([&](const Rules& rules) { return networks.of(rules); },
                     Rules::named(args.variant).name(), args.threads,
                     [](std::string_view line) { std::cout << line << '\n'
                                                           << std::flush; });
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error like any other
  eachLine(std::cin, QueryServer::kMaxLine, [&](std::string_view line) {
    server.handle(line);
    return static_cast<bool>(std::cout);
  });
  server.finish();
  if (!std::cout) throw Error("standard output: cannot be written to");
}

void review(const Arguments& args, std::span<const FileGame> playable, std::size_t skipped,
            Analysts& analysts) {
  const std::vector<ReviewedGame> games = reviewGames(playable, analysts, args.nodes);
  if (!args.quiet)
    for (const ReviewedGame& game : games)
      std::printf("%s: %s\n", gameName(*game.record, game.place).c_str(),
                  reviewLine(*game.record, game.review).c_str());
  const std::vector<Openings> openings = openingsOf(games, args.openingPlies, args.openingGames);
  if (!args.pgn.empty()) {
    std::vector<GameText> out;
    for (const ReviewedGame& game : games) out.push_back(annotated(*game.record, game.review));
    writeGames(args.pgn, out, RecordFormat::Pgn);
  }
  if (!args.json.empty())
    writeFileAtomically(
        args.json, fileReviewJson(games, openings, args.nodes, skipped)
                           .dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                       "\n");
  if (!args.html.empty()) {
    const std::string title = "Analysis of " + std::filesystem::path(args.file).filename().string();
    const auto most = static_cast<std::size_t>(args.pageGames);
    writeFileAtomically(args.html, fileReviewPage(title, games, openings, args.nodes, most));
    if (games.size() > most)
      std::fprintf(stderr, "%s: the first %zu of %zu games (--page-games)\n", args.html.c_str(),
                   most, games.size());
  }
}

// Shows each stage as work of its own: how much the later ones have to do is not known before.
class StageProgress {
 public:
  void show(const char* stage, std::size_t done, std::size_t positions) {
    const auto now = std::chrono::steady_clock::now();
    if (stage_ != stage) {
      progress_.emplace(Progress::onStandardError());
      stage_ = stage;
      start_ = now;
    }
    const std::chrono::duration<double> elapsed = now - start_;
    progress_->update(elapsed.count(), static_cast<double>(done) / static_cast<double>(positions),
                      {{stage, countText(static_cast<double>(done))}});
  }

 private:
  std::optional<Progress> progress_;
  std::string stage_;
  std::chrono::steady_clock::time_point start_;
};

void makeExercises(const Arguments& args, std::span<const FileGame> playable, Analysts& analysts) {
  std::map<std::string, std::vector<ExerciseGame>> byRules;
  for (const FileGame& game : playable)
    byRules[game.replay.rules.name()].push_back(
        {&game.replay, gameSource(*game.record, game.place)});
  ExerciseOptions options = args.exercise;
  options.nodes = args.nodes;
  std::vector<Exercise> all;
  StageProgress progress;
  for (const auto& [name, games] : byRules)
    for (Exercise& one :
         makeExercises(analysts.of(Rules::named(name)), games, options,
                       [&](const char*stage, std::size_t done, std::size_t positions) {
                         progress.show(stage, done, positions);
                       }))
      all.push_back(std::move(one));
  writeFileAtomically(args.exercises, exercisesFile(all));
  if (all.empty())
    std::fprintf(stderr, "%s: no position of these games makes an exercise\n",
                 args.exercises.c_str());
  if (!args.quiet) std::fputs(exercisesTable(all).c_str(), stdout);
}

void analyzeFile(const Arguments& args) {
  Rules::named(args.variant);  // a wrong name is a usage error, not a fault of every game
  checkWritable("--pgn", args.pgn);
  checkWritable("--json", args.json);
  checkWritable("--html", args.html);
  checkWritable("--exercises", args.exercises);
  checkDifferentFiles({{"FILE", args.file},
                       {"--pgn", args.pgn},
                       {"--json", args.json},
                       {"--html", args.html},
                       {"--exercises", args.exercises}});
  const std::vector<GameText> records = readGames(args.file, recordFormat(args.format));
  Networks networks(args.models);
  Analysts analysts(networks, args.threads);
  std::size_t skipped = 0;
  const std::vector<FileGame> games =
      playableGames(records, args.variant, analysts, [&](const std::string& line) {
        ++skipped;
        std::fprintf(stderr, "%s\n", line.c_str());
      });
  if (games.empty()) throw Error(args.file + ": no game that agrees with the rules");

  // Exercises alone need no review.
  const bool reviews =
      args.exercises.empty() || !args.pgn.empty() || !args.json.empty() || !args.html.empty();
  if (reviews) review(args, games, skipped, analysts);
  if (!args.exercises.empty()) makeExercises(args, games, analysts);
  if (skipped > 0)
    std::fprintf(stderr, "%s: %zu, skipped: %zu\n", reviews ? "reviewed" : "read", games.size(),
                 skipped);
}

}  // namespace

void addAnalyze(CLI::App& app) {
  auto args = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "analyze", "Look through recorded games with the engine, or answer queries in JSON lines");
  command->add_option("file", args->file, "File of game records");
  command->add_flag("--json-lines", args->jsonLines,
                    "Read queries from standard input, one JSON object a line");
  command->add_option("--model", args->models,
                      "Model file, one for each variant (default: the shipped engines)");
  command
      ->add_option("--variant", args->variant, "Rules of games or queries that do not name theirs")
      ->capture_default_str();
  command->add_option("--format", args->format, "Of the file: auto, tkg, pgn or text")
      ->capture_default_str();
  command->add_option("--nodes", args->nodes, "Budget of a position: root visits of its search")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, kMaxAnalysisNodes));
  command->add_option("--threads", args->threads, "0 = one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command->add_option("--pgn", args->pgn, "Write the games with comments to this file");
  command->add_option("--json", args->json, "Write all figures to this file");
  command->add_option("--html", args->html, "Write a page with boards and graphs to this file");
  command->add_option("--page-games", args->pageGames, "Games on the page, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--opening-plies", args->openingPlies, "Length of the opening lines")
      ->capture_default_str()
      ->check(CLI::Range(0, 60));
  command
      ->add_option("--opening-games", args->openingGames,
                   "Opening lines are those of so many games at least")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--exercises", args->exercises,
                      "Write positions with one thing to find to this file; alone, in place of a "
                      "review");
  command
      ->add_option("--exercises-per-level", args->exercise.perLevel,
                   "Exercises of each of the five levels and each variant, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--exercises-nodes", args->exercise.closerNodes,
                   "Budget of the closer look at what --nodes finds")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, kMaxAnalysisNodes));
  command->add_flag("--quiet", args->quiet, "No line a game on standard output");
  command->footer(
      "Marks say what a move gave away of the win rate: ?! 5 points, ? 10, ?? 15; ! is the one "
      "good "
      "move where it is no plain capture. Accuracy is the mean over a side's moves of\n"
      "103.17 exp(-0.0435 points lost) - 3.17. Games that do not agree with the rules are named "
      "and "
      "skipped. docs/protocols.md describes --json, --exercises and --json-lines.\n"
      "Examples:\n"
      "  toguz analyze games.pgn --html games.html\n"
      "  toguz analyze games.tsv --nodes 1000 --pgn annotated.pgn --json all.json --quiet\n"
      "  toguz analyze games.tsv --exercises exercises.json --exercises-per-level 50\n"
      "  echo '{\"id\": 1, \"moves\": [\"76\"], \"limits\": {\"nodes\": 800}, \"lines\": 3}' | "
      "toguz analyze --json-lines");
  command->callback([args] {
    if (args->jsonLines != args->file.empty())
      throw UsageError(args->jsonLines ? "analyze: either FILE or --json-lines, not both"
                                       : "analyze: no FILE of games (or --json-lines)");
    args->jsonLines ? serveQueries(*args) : analyzeFile(*args);
  });
}

}  // namespace toguz
