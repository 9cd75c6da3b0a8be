#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include "arena/match_journal.h"
#include "arena/match_report.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"

namespace toguz {
namespace {

struct MatchArguments {
  std::string a, b;
  int games = 200;
  std::string variant = "standard";
  std::string openings = "random:6";
  std::string sprt;
  std::string clock;
  std::string adjudicate;
  std::string state;
  int concurrency = 1;
  std::uint64_t seed = 1;
  int plyCap = Game::kDefaultPlyCap;
  std::string json;
  std::string out;
  bool times = false;
  bool quiet = false;
};

std::atomic<bool> interrupted{false};

void interrupt(int) {
  interrupted.store(true);
}

SprtSettings parseSprt(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  SprtSettings settings;
  if (parts.size() == 3 && parts[2] == "normalised") settings.scale = EloScale::Normalised;
  const bool form =
      parts.size() == 2 || (parts.size() == 3 && settings.scale == EloScale::Normalised);
  if (!form || !parseDouble(parts[0], settings.elo0) || !parseDouble(parts[1], settings.elo1) ||
      !(settings.elo0 < settings.elo1) || !(settings.elo0 > -1000 && settings.elo1 < 1000))
    throw UsageError(
        "--sprt wants ELO0,ELO1, two numbers within 1000 of 0 with ELO0 < ELO1 (as 0,10; or "
        "0,10,normalised), not '" +
        text + "'");
  return settings;
}

TimeControl parseClock(const std::string& text) {
  const std::vector<std::string> parts = split(text, '+');
  double base = 0, increment = 0;
  if (parts.size() > 2 || !parseDouble(parts[0], base) ||
      (parts.size() == 2 && !parseDouble(parts[1], increment)) || !(base > 0 && base <= 86400) ||
      !(increment >= 0 && increment <= 3600))
    throw UsageError("--clock wants SECONDS or SECONDS+INCREMENT (as 10+0.1), not '" + text + "'");
  return {1000 * base, 1000 * increment};
}

MatchOptions::Adjudication parseAdjudication(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  double winRate = 0;
  std::int64_t plies = 0;
  if (parts.size() != 2 || !parseDouble(parts[0], winRate) || !parseInt(parts[1], plies) ||
      !(winRate > 0.5 && winRate <= 1) || plies < 2 || plies > 10'000)
    throw UsageError(
        "--adjudicate wants WINRATE,PLIES: above 0.5 to 1, and 2 plies or more (as 0.99,8), not '" +
        text + "'");
  return {static_cast<float>(winRate), static_cast<int>(plies)};
}

// How the match stands: a table that is redrawn on a terminal, a line now and then elsewhere.
class LiveTable {
 public:
  LiveTable(std::string a, std::string b, std::optional<SprtSettings> sprt)
      : a_(std::move(a)), b_(std::move(b)), sprt_(sprt), terminal_(isatty(STDERR_FILENO) != 0) {}

  void show(const MatchProgress& p) {
    const auto now = Clock::now();
    if (gamesBefore_ < 0) gamesBefore_ = p.gamesDone - 1;  // those that a resumed match had already
    if (now - last_ < std::chrono::milliseconds(terminal_ ? 250 : 10000)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double played = p.gamesDone - gamesBefore_;
    const double left = seconds / played * (p.games - p.gamesDone);
    const StrengthEstimate strength = estimateStrength(p.tally, p.pairs);
    std::string head = "game " + std::to_string(p.gamesDone) + " of " + std::to_string(p.games);
    head += format(", %.1f a minute, ", 60 * played / seconds) + durationText(left) + " left";
    std::string score =
        "+" + std::to_string(p.tally.wins) + " =" + std::to_string(p.tally.draws) + " -" +
        std::to_string(p.tally.losses) + format(", %.1f%%, ", 100 * strength.score) +
        format("Elo %+.1f ", strength.elo) + format("+/- %.1f, ", strength.eloError) +
        format("LOS %.1f%%", 100 * strength.los);
    std::string test;
    if (p.llr)
      test = format("LLR %.2f", *p.llr) + format(" (%.2f", sprt_->lowerBound()) +
             format(" to %.2f)", sprt_->upperBound());
    if (!terminal_) {
      std::fprintf(stderr, "%s: %s%s%s\n", head.c_str(), score.c_str(), test.empty() ? "" : ", ",
                   test.c_str());
      return;
    }
    end();
    std::string pairs = "pairs  ";
    for (const std::int64_t count : p.pairs) pairs += " " + std::to_string(count);
    for (const std::string& line : {head, "A       " + a_, "B       " + b_, "A       " + score,
                                    pairs, test.empty() ? std::string() : "SPRT    " + test}) {
      if (line.empty()) continue;
      // Cut to the screen: a line that wraps could not be taken back.
      std::fprintf(stderr, "%s\n", cut(line).c_str());
      ++lines_;
    }
  }
  // Takes the table off the screen.
  void end() {
    if (lines_ > 0) std::fprintf(stderr, "\033[%dF\033[J", lines_);
    lines_ = 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static std::string format(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
  }
  static std::string cut(const std::string& line) {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 8;
    std::size_t end = std::min<std::size_t>(line.size(), known ? size.ws_col - 1u : 79u);
    // Not within a character of UTF-8.
    while (end < line.size() && end > 0 && (line[end] & 0xC0) == 0x80) --end;
    return line.substr(0, end);
  }

  const std::string a_, b_;
  const std::optional<SprtSettings> sprt_;
  const bool terminal_;
  int lines_ = 0;
  int gamesBefore_ = -1;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

MatchOptions matchOptions(const MatchArguments& arguments) {
  const auto within = [](const char* name, std::int64_t value, std::int64_t least,
                         std::int64_t most) {
    if (value < least || value > most)
      throw UsageError(std::string(name) + " wants a whole number from " + std::to_string(least) +
                       " to " + std::to_string(most) + ", not " + std::to_string(value));
  };
  within("--games", arguments.games, 1, 10'000'000);
  within("--concurrency", arguments.concurrency, 1, 1024);
  within("--ply-cap", arguments.plyCap, 1, 100'000);
  MatchOptions options;
  options.rules = Rules::named(arguments.variant);
  options.games = arguments.games;
  options.seed = arguments.seed;
  options.concurrency = arguments.concurrency;
  options.plyCap = arguments.plyCap;
  if (!arguments.sprt.empty()) options.sprt = parseSprt(arguments.sprt);
  if (!arguments.clock.empty()) options.clock = parseClock(arguments.clock);
  if (!arguments.adjudicate.empty()) options.adjudication = parseAdjudication(arguments.adjudicate);
  options.keepOpinions = !arguments.out.empty();
  options.openings =
      parseOpenings(options.rules, arguments.openings,
                    static_cast<std::size_t>((arguments.games + 1) / 2), arguments.seed);
  for (const Opening& opening : options.openings)
    if (static_cast<int>(opening.moves.size()) >= arguments.plyCap)
      throw UsageError("--ply-cap " + std::to_string(arguments.plyCap) +
                       " ends the game within the opening: give shorter openings");
  return options;
}

void runMatch(const MatchArguments& arguments) {
  checkDifferentFiles(
      {{"--json", arguments.json}, {"--out", arguments.out}, {"--state", arguments.state}});
  checkWritable("--json", arguments.json);
  checkWritable("--out", arguments.out);
  MatchOptions options = matchOptions(arguments);
  const std::string hashA = modelFileHash(arguments.a), hashB = modelFileHash(arguments.b);
  const double ties = !hashA.empty() && hashA == hashB ? kKinTies : 0;
  const auto a = parsePlayer(arguments.a, options.rules, ties);
  const auto b = parsePlayer(arguments.b, options.rules, ties);
  if (options.openings.size() < static_cast<std::size_t>((options.games + 1) / 2))
    std::fprintf(
        stderr,
        "toguz: only %zu different openings for %d pairs of games: they are taken in turn\n",
        options.openings.size(), (options.games + 1) / 2);

  LiveTable progress(a->name(), b->name(), options.sprt);
  if (!arguments.quiet) options.onProgress = [&](const MatchProgress& p) { progress.show(p); };
  options.stop = &interrupted;
  std::optional<MatchJournal> journal;
  if (!arguments.state.empty()) {
    checkWritable("--state", arguments.state);
    journal.emplace(arguments.state,
                    nlohmann::json{{"a", arguments.a},
                                   {"b", arguments.b},
                                   {"hash_a", hashA},
                                   {"hash_b", hashB},
                                   {"games", arguments.games},
                                   {"rules", options.rules.name()},
                                   {"openings", arguments.openings},
                                   {"seed", arguments.seed},
                                   {"clock", arguments.clock},
                                   {"adjudicate", arguments.adjudicate},
                                   {"ply_cap", arguments.plyCap},
                                   {"opinions", options.keepOpinions}},
                    options);
    options.played = journal->played();
    options.onGame = [&](const MatchGame& game) { journal->add(game); };
    if (!options.played.empty())
      std::fprintf(stderr, "toguz: %zu games are in %s already\n", options.played.size(),
                   arguments.state.c_str());
  }
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second one ends the program
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);

  const MatchResult result = playMatch(*a, *b, options);
  progress.end();

  std::fputs(matchText(result).c_str(), stdout);
  if (!arguments.json.empty())
    writeFileAtomically(arguments.json, matchJson(result).dump(2) + "\n");
  if (!arguments.out.empty())
    writeGames(arguments.out, matchRecords(result, options, arguments.times));
  for (const PlayerTotals* player : {&result.a, &result.b})
    if (result.gamesPlayed() > 0 && player->faults == result.gamesPlayed())
      throw Error("player '" + player->name + "' failed in every game: " + player->firstFault);
  if (result.interrupted) {
    if (journal)
      std::fprintf(stderr, "toguz: stopped; the same command goes on with the other games\n");
    throw CLI::RuntimeError(1);
  }
  if (result.distinctShare() < kDistinctShareWanted) {
    const std::string repeated =
        "only " + std::to_string(result.distinctGames) + " of " +
        std::to_string(result.gamesPlayed()) +
        " games are distinct: give more openings or longer ones (--openings random:PLIES), or let "
        "models draw near-ties (ties=0.2)";
    if (result.distinctShare() < kDistinctShareLeast && result.gamesPlayed() >= kDistinctShareGames)
      throw Error("the match says little: " + repeated);
    std::fprintf(stderr, "toguz: warning: %s\n", repeated.c_str());
  }
}

}  // namespace

void addMatch(CLI::App& app) {
  auto arguments = std::make_shared<MatchArguments>();
  CLI::App* sub = app.add_subcommand("match", "Play two players against each other");
  sub->add_option("A", arguments->a, "Player A (see below)")->required();
  sub->add_option("B", arguments->b, "Player B")->required();
  sub->add_option("--games", arguments->games, "Games to play, two for each opening")
      ->capture_default_str();
  sub->add_option("--variant", arguments->variant, "Rules: standard, giveaway, bestemshe, seven")
      ->capture_default_str();
  sub->add_option("--openings", arguments->openings,
                  "random:PLIES, balanced:PLIES[:BALLS], games:PLIES:FILE (of records), or a file "
                  "of one opening a line (moves or position text)")
      ->capture_default_str();
  sub->add_option("--sprt", arguments->sprt,
                  "ELO0,ELO1: stop as soon as one of the two is accepted (error rates 5%); "
                  "ELO0,ELO1,normalised on the normalised scale");
  sub->add_option("--concurrency", arguments->concurrency, "Games played at a time")
      ->capture_default_str();
  sub->add_option("--seed", arguments->seed, "Of openings and players; the same games again")
      ->capture_default_str();
  sub->add_option("--clock", arguments->clock,
                  "SECONDS+INCREMENT a game and side; players without limits of their own use it");
  sub->add_option("--adjudicate", arguments->adjudicate,
                  "WINRATE,PLIES: a game ends once both players' own win rates have agreed on the "
                  "winner that long");
  sub->add_option("--state", arguments->state,
                  "File that keeps each finished game: stopped, the same command goes on");
  sub->add_option("--ply-cap", arguments->plyCap, "Plies after which a game is drawn")
      ->capture_default_str();
  sub->add_option("--json", arguments->json, "Write the result to this file");
  sub->add_option("--out", arguments->out, "Write the games to this file, as PGN");
  sub->add_flag("--times", arguments->times, "Write the time of each move into the games too");
  sub->add_flag("--quiet", arguments->quiet, "No progress on standard error");
  sub->footer(
      "Players: random, greedy, alphabeta:depth=N or :movetime=MS, mcts:nodes=N,\n"
      "model:PATH[,nodes=N][,movetime=MS][,threads=T][,level=1..10][,precision=fp32|int8]\n"
      "  (to tune it: [,cpuct=X][,fpu=X][,margin=X][,batch=N][,loss=X]; [,ties=SHARE] of visits\n"
      "  within which moves are drawn by the seed: 0, or 0.2 where A and B are of one file), "
      "exec:COMMAND\n"
      "Examples:\n"
      "  toguz match model:a.tzn,nodes=200 model:b.tzn,nodes=200 --sprt 0,20 --games 2000\n"
      "  toguz match model:a.tzn,movetime=100 alphabeta:movetime=100 --openings balanced:6 \\\n"
      "    --concurrency 2 --state match.jsonl --out games.pgn");
  sub->callback([arguments] { runMatch(*arguments); });
}

}  // namespace toguz
