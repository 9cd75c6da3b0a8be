// toguz analyze: recorded games looked through by the engine; or positions, as lines of JSON.
#include <CLI/CLI.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "analysis/query_server.h"
#include "analysis/review_game.h"
#include "analysis/review_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "play/shipped.h"
#include "play/words.h"
#include "report/page.h"

namespace toguz {
namespace {

struct Arguments {
  std::string file, format = "auto", variant = "standard", pgn, json, html;
  std::vector<std::string> models;
  int nodes = 400, threads = 0, pageGames = 200, openingPlies = 8, openingGames = 3;
  bool jsonLines = false, quiet = false;
};

// Networks by the rules that they play: those given, else the shipped ones.
class Networks {
 public:
  explicit Networks(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      Engine::Network network = Engine::loadNetwork(path);
      const std::string name = network->rules().name();
      if (!networks_.emplace(name, std::move(network)).second)
        throw UsageError("--model: two models of " + name + "; leave out " + path);
    }
  }
  Engine::Network of(const Rules& rules) {
    if (const auto known = networks_.find(rules.name()); known != networks_.end())
      return known->second;
    const auto path = shippedModel(rules);
    if (!path)
      throw UsageError("no engine for '" + rules.name() +
                       "' comes with the program: give a model of it (--model)");
    return networks_.emplace(rules.name(), Engine::loadNetwork(*path)).first->second;
  }

 private:
  std::map<std::string, Engine::Network> networks_;
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

struct ReviewedGame {
  std::size_t place = 0;  // 1-based, in the file
  const GameText* record = nullptr;
  GameReview review;
};

std::string nameOf(const GameText& record, std::size_t place) {
  const std::string& id = record.tag("Id");
  return "game " + std::to_string(place) + (id.empty() ? "" : " (" + id + ")");
}

// Reviews of the games in their order; what cannot be read is named on standard error.
std::vector<ReviewedGame> reviewAll(const Arguments& args, const std::vector<GameText>& records,
                                    std::size_t& skipped) {
  Networks networks(args.models);
  std::map<std::string, std::unique_ptr<Analyst>> analysts;
  std::vector<ReviewedGame> games;
  std::vector<ReplayedGame> replays;
  std::size_t plies = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    try {
      ReplayedGame replay = replayGame(records[i], args.variant);
      if (replay.pits.empty()) throw Error("no moves");
      const std::string variant = replay.rules.name();
      if (!analysts.contains(variant))
        analysts.emplace(variant,
                         std::make_unique<Analyst>(networks.of(replay.rules), args.threads));
      plies += replay.positions.size();
      replays.push_back(std::move(replay));
      games.push_back({i + 1, &records[i], {}});
    } catch (const Error& error) {
      ++skipped;
      std::fprintf(stderr, "skipped %s: %s\n", nameOf(records[i], i + 1).c_str(), error.what());
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::size_t done = 0, donePlies = 0;
  const auto start = std::chrono::steady_clock::now();
  Progress progress = Progress::onStandardError();
  const auto show = [&] {  // under the lock
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    progress.update(elapsed.count(), static_cast<double>(donePlies) / static_cast<double>(plies),
                    {{"games", std::to_string(done)},
                     {"positions/s",
                      countText(static_cast<double>(donePlies) / std::max(elapsed.count(), 0.1))}});
  };
  // A few games ahead of the threads: their positions wait in memory.
  constexpr std::size_t kAhead = 64;
  for (std::size_t i = 0; i < games.size(); ++i) {
    {
      std::unique_lock lock(mutex);
      while (i >= done + kAhead) {
        changed.wait_for(lock, std::chrono::milliseconds(500));
        show();
      }
    }
    reviewGame(*analysts.at(replays[i].rules.name()), replays[i], {.nodes = args.nodes},
               [&, i](GameReview&& review) {
                 const std::lock_guard lock(mutex);
                 donePlies += review.positions.size();
                 games[i].review = std::move(review);
                 ++done;
                 changed.notify_all();
               });
  }
  std::unique_lock lock(mutex);
  while (done < games.size()) {
    changed.wait_for(lock, std::chrono::milliseconds(500));
    if (plies > 0) show();
  }
  lock.unlock();
  for (const auto& [variant, analyst] : analysts) analyst->finish();
  progress.finish();
  return games;
}

struct Openings {
  Rules rules;
  std::vector<OpeningLine> lines;
};

std::vector<Openings> openingsOf(const std::vector<ReviewedGame>& games, const Arguments& args) {
  std::map<std::string, std::pair<std::vector<const GameReview*>, std::vector<std::string>>>
      byRules;
  for (const ReviewedGame& game : games) {
    auto& [reviews, results] = byRules[game.review.rules.name()];
    reviews.push_back(&game.review);
    results.push_back(game.record->result);
  }
  std::vector<Openings> all;
  for (const auto& [name, of] : byRules)
    all.push_back({Rules::named(name),
                   openingLines(of.first, of.second, args.openingPlies, args.openingGames)});
  return all;
}

void writePage(const Arguments& args, const std::vector<ReviewedGame>& games,
               const std::vector<Openings>& openings) {
  nlohmann::ordered_json data;
  std::array<double, 2> accuracy{}, moves{};
  for (const ReviewedGame& game : games)
    for (std::size_t side = 0; side < 2; ++side) {
      const SideReview& of = game.review.sides[side];
      accuracy[side] += of.accuracy * of.moves;
      moves[side] += of.moves;
    }
  const auto percent = [&](std::size_t side) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f%%", accuracy[side] / std::max(1.0, moves[side]));
    return std::string(text);
  };
  data["tiles"] = {{"games", std::to_string(games.size())},
                   {"moves", countText(moves[0] + moves[1])},
                   {"accuracy of the first player", percent(0)},
                   {"accuracy of the second player", percent(1)},
                   {"visits a position", std::to_string(args.nodes)}};
  data["variants"] = openings.size();
  data["games"] = nlohmann::ordered_json::array();
  for (const ReviewedGame& game : games) {
    if (data["games"].size() == static_cast<std::size_t>(args.pageGames)) break;
    const std::string& id = game.record->tag("Id");
    data["games"].push_back(reviewPageGame(*game.record, game.review,
                                           id.empty() ? "Game " + std::to_string(game.place) : id));
  }
  data["openings"] = nlohmann::ordered_json::array();
  for (const Openings& of : openings)
    for (auto& line : openingsJson(of.rules, of.lines)) data["openings"].push_back(line);
  const std::string title = "Analysis of " + std::filesystem::path(args.file).filename().string();
  writeFileAtomically(args.html, reviewPage(title, data));
  if (games.size() > static_cast<std::size_t>(args.pageGames))
    std::fprintf(stderr, "%s: the first %d of %zu games (--page-games)\n", args.html.c_str(),
                 args.pageGames, games.size());
}

void analyzeFile(const Arguments& args) {
  Rules::named(args.variant);  // a wrong name is a usage error, not a fault of every game
  checkWritable("--pgn", args.pgn);
  checkWritable("--json", args.json);
  checkWritable("--html", args.html);
  checkDifferentFiles(
      {{"FILE", args.file}, {"--pgn", args.pgn}, {"--json", args.json}, {"--html", args.html}});
  const std::vector<GameText> records = readGames(args.file, recordFormat(args.format));
  std::size_t skipped = 0;
  const std::vector<ReviewedGame> games = reviewAll(args, records, skipped);
  if (games.empty()) throw Error(args.file + ": no game that agrees with the rules");

  if (!args.quiet)
    for (const ReviewedGame& game : games)
      std::printf("%s: %s\n", nameOf(*game.record, game.place).c_str(),
                  reviewLine(*game.record, game.review).c_str());
  const std::vector<Openings> openings = openingsOf(games, args);
  if (!args.pgn.empty()) {
    std::vector<GameText> out;
    for (const ReviewedGame& game : games) out.push_back(annotated(*game.record, game.review));
    writeGames(args.pgn, out, RecordFormat::Pgn);
  }
  if (!args.json.empty()) {
    nlohmann::ordered_json all;
    all["nodes"] = args.nodes;
    all["skipped"] = skipped;
    all["games"] = nlohmann::ordered_json::array();
    for (const ReviewedGame& game : games) {
      nlohmann::ordered_json one{{"game", game.place}};
      one.update(reviewJson(*game.record, game.review));
      all["games"].push_back(std::move(one));
    }
    all["openings"] = nlohmann::ordered_json::array();
    for (const Openings& of : openings)
      for (auto& line : openingsJson(of.rules, of.lines)) all["openings"].push_back(line);
    writeFileAtomically(
        args.json,
        all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
  if (!args.html.empty()) writePage(args, games, openings);
  if (skipped > 0) std::fprintf(stderr, "reviewed: %zu, skipped: %zu\n", games.size(), skipped);
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
  command->add_flag("--quiet", args->quiet, "No line a game on standard output");
  command->footer(
      "Marks say what a move gave away of the win rate: ?! 5 points, ? 10, ?? 15; ! is the one "
      "good "
      "move where it is no plain capture. Accuracy is the mean over a side's moves of\n"
      "103.17 exp(-0.0435 points lost) - 3.17. Games that do not agree with the rules are named "
      "and "
      "skipped. docs/protocols.md describes --json and --json-lines.\n"
      "Examples:\n"
      "  toguz analyze games.pgn --html games.html\n"
      "  toguz analyze games.tsv --nodes 1000 --pgn annotated.pgn --json all.json --quiet\n"
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
