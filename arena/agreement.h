// How a network sees games that others played: how often the players' moves are its own, and how
// far its win rates were borne out by the results. A measure, never a training target.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "arena/calibration.h"
#include "core/record.h"
#include "models/native/network.h"

namespace toguz {

struct AgreementOptions {
  // Root visits of a search at each position; 0: the network alone.
  int nodes = 0;
  // Called after each game with the games done and those in all.
  std::function<void(std::size_t, std::size_t)> onProgress;
};

// Moves of one band of players. Forced moves do not count.
struct BandAgreement {
  std::string band;  // "tournament", "under 1200", "1200 to 1399", ..., "unrated"
  std::size_t moves = 0;
  std::size_t first = 0;     // were the network's (or the search's) first choice
  std::size_t inThree = 0;   // were among its first three
  double logLikelihood = 0;  // sum of ln P(move): of the policy, or of the share of visits
};

struct Agreement {
  std::vector<BandAgreement> bands;  // those that have moves, weakest first
  Calibration calibration;           // over games whose result is known
  std::size_t games = 0;
  std::vector<std::string> skipped;  // games that are not by the rules, or of other ones: one line
};

Agreement measureAgreement(const std::shared_ptr<const NativeNetwork>& network,
                           std::span<const GameText> games, const AgreementOptions& options = {});
std::string agreementText(const Agreement& agreement);
nlohmann::ordered_json agreementJson(const Agreement& agreement);

// The band of a rating as records give it ("1316", "?", "-").
std::string ratingBand(const std::string& elo);

}  // namespace toguz
