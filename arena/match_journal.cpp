#include "arena/match_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

constexpr int kVersion = 1;

nlohmann::json opinionJson(const Opinion& opinion) {
  nlohmann::json json = {{"nodes", opinion.nodes}, {"ms", opinion.milliseconds}};
  if (opinion.winLoss) json["win_loss"] = *opinion.winLoss;
  if (opinion.margin) json["margin"] = *opinion.margin;
  return json;
}

nlohmann::json gameJson(const MatchGame& game) {
  nlohmann::json json = {{"index", game.index},
                         {"moves", game.moves},
                         {"end", static_cast<int>(game.end)},
                         {"result", static_cast<int>(game.result)},
                         {"reason", static_cast<int>(game.reason)},
                         {"offender_is_a", game.offenderIsA},
                         {"fault", game.fault},
                         {"nodes", game.nodes},
                         {"seconds", game.seconds},
                         {"choices", game.choices}};
  for (const Opinion& opinion : game.opinions) json["opinions"].push_back(opinionJson(opinion));
  return json;
}

template <class Enum>
Enum enumOf(const nlohmann::json& json, int count) {
  const int value = json;
  if (value < 0 || value >= count) throw UsageError("a number out of range");
  return static_cast<Enum>(value);
}

MatchGame gameOf(const nlohmann::json& json, const MatchOptions& options) {
  MatchGame game;
  game.index = json.at("index");
  if (game.index < 0 || game.index >= options.games) throw UsageError("a game of no such place");
  const Opening& opening =
      options.openings[static_cast<std::size_t>(game.index / 2) % options.openings.size()];
  game.aFirst = game.index % 2 == 0;
  game.start = opening.start;
  game.openingPlies = static_cast<int>(opening.moves.size());
  game.moves = json.at("moves").get<std::vector<std::uint8_t>>();
  // It must be a game of this match: the opening, then legal moves.
  Game replay(options.rules, game.start, options.plyCap);
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const int pit = game.moves[i];
    if (replay.over() || pit >= options.rules.set().pits || !(replay.legal() >> pit & 1u) ||
        (i < opening.moves.size() && pit != opening.moves[i]))
      throw UsageError("moves that cannot be");
    replay.play(pit);
  }
  game.end = enumOf<GameEnd>(json.at("end"), 4);
  game.result = enumOf<Result>(json.at("result"), 3);
  game.reason = enumOf<EndReason>(json.at("reason"), 5);
  if (game.end == GameEnd::Rules && (!replay.over() || replay.outcome().result != game.result ||
                                     replay.outcome().reason != game.reason))
    throw UsageError("a result that the moves do not give");
  game.offenderIsA = json.at("offender_is_a");
  game.fault = json.at("fault");
  game.nodes = json.at("nodes");
  game.seconds = json.at("seconds");
  game.choices = json.at("choices");
  for (const auto& item : json.value("opinions", nlohmann::json::array())) {
    Opinion opinion;
    opinion.nodes = item.at("nodes");
    opinion.milliseconds = item.at("ms");
    if (item.contains("win_loss")) opinion.winLoss = item["win_loss"].get<float>();
    if (item.contains("margin")) opinion.margin = item["margin"].get<float>();
    game.opinions.push_back(opinion);
  }
  return game;
}

}  // namespace

MatchJournal::MatchJournal(const std::filesystem::path& path, const nlohmann::json& asked,
                           const MatchOptions& options)
    : path_(path) {
  const std::string header =
      nlohmann::json({{"toguz_match", kVersion}, {"asked", asked}}).dump() + "\n";
  const auto fail = [&](std::size_t line, const std::string& what) {
    throw UsageError(path.string() + ":" + std::to_string(line) + ": " + what +
                     "; name another file with --state, or remove this one");
  };
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw Error("cannot write " + path.string() + ": " + std::generic_category().message(errno));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw Error(path.string() + ": another match is writing to it");
  }
  try {
    const std::string text = readFile(path);
    std::size_t whole = 0, number = 0;
    std::set<int> seen;
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string line = text.substr(begin, end - begin);
      whole = end + 1;
      if (++number == 1) {
        if (line + "\n" == header) continue;
        const auto json = nlohmann::json::parse(line, nullptr, false);
        fail(1, json.is_object() && json.contains("toguz_match")
                    ? "the journal of another match (other players, games, openings or limits)"
                    : "no journal of a match");
      }
      try {
        MatchGame game = gameOf(nlohmann::json::parse(line), options);
        if (!seen.insert(game.index).second) throw UsageError("a game that was there already");
        played_.push_back(std::move(game));
      } catch (const nlohmann::json::exception&) {
        fail(number, "no game of this match");
      } catch (const UsageError& error) {
        fail(number, error.what());
      }
    }
    if (whole == 0 && text.size() > 0 && !header.starts_with(text))
      fail(1, "no journal of a match");
    if (whole < text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
      throw Error("cannot write " + path.string() + ": " + std::generic_category().message(errno));
    if (whole == 0 &&
        ::write(file_, header.data(), header.size()) != static_cast<ssize_t>(header.size()))
      throw Error("cannot write " + path.string() + ": " + std::generic_category().message(errno));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

MatchJournal::~MatchJournal() {
  ::close(file_);
}

void MatchJournal::add(const MatchGame& game) {
  const std::string line =
      gameJson(game).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(mutex_);
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw Error("cannot write " + path_.string() + ": " + std::generic_category().message(errno));
}

}  // namespace toguz
