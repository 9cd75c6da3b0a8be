#include "arena/agreement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "play/engine.h"

namespace toguz {
namespace {

constexpr int kBandWidth = 200;
constexpr int kLowestBand = 1200;

// Weakest first; those of no known rating at the ends.
int bandOrder(const std::string& band) {
  if (band == "unrated") return -1;
  if (band == "tournament") return 1 << 20;
  std::int64_t from = 0;
  parseInt(split(band, ' ').front(), from);  // "under 1200" gives 0
  return static_cast<int>(from);
}

// Shares of the moves and the value, by the network alone or by a search.
class Judgement {
 public:
  Judgement(const std::shared_ptr<const NativeNetwork>& network, int nodes)
      : nodes_(nodes), evaluator_(network), engine_(network) {}

  void look(const Game& game, std::array<float, kMaxPits>& share, float& winLoss) {
    if (nodes_ == 0) {
      Evaluation evaluation;
      evaluator_.evaluate({&game.position(), 1}, {&evaluation, 1});
      share = evaluation.policy;
      winLoss = evaluation.winLoss;
      return;
    }
    engine_.setPosition(game);
    const SearchReport report = engine_.search({.nodes = nodes_});
    share.fill(0);
    float visits = 0;
    for (const RootMove& move : report.moves) visits += static_cast<float>(move.visits);
    // A visit more for each, so that a move never looked at has a likelihood.
    const float all = visits + static_cast<float>(report.moves.size());
    for (const RootMove& move : report.moves)
      share[move.pit] = (static_cast<float>(move.visits) + 1) / all;
    winLoss = report.info.best().winLoss;
  }

 private:
  int nodes_;
  NativeEvaluator evaluator_;
  Engine engine_;
};

int knownResult(const std::string& result) {  // of the first player; 2: not known
  if (result == "1-0") return 1;
  if (result == "0-1") return -1;
  if (result == "1/2-1/2") return 0;
  return 2;
}

}  // namespace

std::string ratingBand(const std::string& elo) {
  if (elo.empty() || elo == "-") return "tournament";
  std::int64_t rating = 0;
  if (!parseInt(elo, rating)) return "unrated";
  if (rating < kLowestBand) return "under " + std::to_string(kLowestBand);
  const auto from = rating / kBandWidth * kBandWidth;
  return std::to_string(from) + " to " + std::to_string(from + kBandWidth - 1);
}

Agreement measureAgreement(const std::shared_ptr<const NativeNetwork>& network,
                           std::span<const GameText> games, const AgreementOptions& options) {
  TOGUZ_CHECK(network != nullptr, "agreement with no network");
  Agreement agreement;
  std::map<std::string, BandAgreement> bands;
  Judgement judgement(network, options.nodes);
  for (std::size_t number = 0; number < games.size(); ++number) {
    const GameText& text = games[number];
    if (options.onProgress) options.onProgress(number, games.size());
    ReplayedGame replayed;
    try {
      replayed = replayGame(text, network->rules().name());
      if (!(replayed.rules == network->rules()))
        throw Error("of the variant " + replayed.rules.name());
    } catch (const Error& error) {
      agreement.skipped.push_back("game " + std::to_string(number + 1) + ": " + error.what());
      continue;
    }
    ++agreement.games;
    const std::array<std::string, 2> band = {ratingBand(text.tag("WhiteElo")),
                                             ratingBand(text.tag("BlackElo"))};
    const int result = knownResult(text.result);
    Game game(replayed.rules, replayed.positions.front(), 60'000);
    for (const std::uint8_t pit : replayed.pits) {
      // Rules of the place where it was played may differ on endless play.
      if (game.over()) break;
      const Side mover = game.position().side;
      std::array<float, kMaxPits> share{};
      float winLoss = 0;
      judgement.look(game, share, winLoss);
      if (result != 2)
        agreement.calibration.add(game.ply(), winLoss, mover == Side::First ? result : -result);
      if (!std::has_single_bit(game.legal())) {
        BandAgreement& of = bands[band[static_cast<std::size_t>(index(mover))]];
        int better = 0;
        for (PitMask rest = game.legal(); rest; rest &= rest - 1)
          better += share[static_cast<std::size_t>(std::countr_zero(rest))] > share[pit];
        ++of.moves;
        of.first += better == 0;
        of.inThree += better < 3;
        of.logLikelihood += std::log(std::max(share[pit], 1e-9f));
      }
      game.play(pit);
    }
  }
  if (options.onProgress) options.onProgress(games.size(), games.size());
  for (auto& [name, of] : bands) {
    of.band = name;
    agreement.bands.push_back(of);
  }
  std::sort(agreement.bands.begin(), agreement.bands.end(),
            [](const BandAgreement& a, const BandAgreement& b) {
              return bandOrder(a.band) < bandOrder(b.band);
            });
  return agreement;
}

std::string agreementText(const Agreement& agreement) {
  char line[160];
  std::snprintf(line, sizeof line, "%zu games, %zu skipped\n", agreement.games,
                agreement.skipped.size());
  std::string text = line;
  std::snprintf(line, sizeof line, "%-14s %8s %10s %10s %12s\n", "players", "moves", "first",
                "in three", "ln P(move)");
  text += line;
  for (const BandAgreement& of : agreement.bands) {
    const auto n = static_cast<double>(of.moves);
    std::snprintf(line, sizeof line, "%-14s %8zu %9.1f%% %9.1f%% %12.3f\n", of.band.c_str(),
                  of.moves, 100 * static_cast<double>(of.first) / n,
                  100 * static_cast<double>(of.inThree) / n, of.logLikelihood / n);
    text += line;
  }
  text += "win rate against result (error: mean difference of said and come true)\n";
  for (int phase = 0; phase < Calibration::kPhases; ++phase) {
    std::snprintf(line, sizeof line, "%-14s %8llu positions, error %.3f\n",
                  Calibration::phaseName(phase),
                  static_cast<unsigned long long>(agreement.calibration.count(phase)),
                  agreement.calibration.error(phase));
    text += line;
  }
  return text;
}

nlohmann::ordered_json agreementJson(const Agreement& agreement) {
  auto bands = nlohmann::ordered_json::array();
  for (const BandAgreement& of : agreement.bands) {
    const auto n = static_cast<double>(of.moves);
    bands.push_back({{"band", of.band},
                     {"moves", of.moves},
                     {"first", static_cast<double>(of.first) / n},
                     {"in_three", static_cast<double>(of.inThree) / n},
                     {"log_likelihood", of.logLikelihood / n}});
  }
  return {{"games", agreement.games},
          {"skipped", agreement.skipped},
          {"bands", std::move(bands)},
          {"calibration", agreement.calibration.json()}};
}

}  // namespace toguz
