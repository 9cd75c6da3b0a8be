// How self-play plays: plain data, described (ranges, help) once in training/config.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "core/game.h"
#include "search/precision.h"
#include "search/search.h"

namespace toguz {

// Which weights self-play searches with.
enum class Follow : std::uint8_t {
  Newest,  // the newest averaged weights, without waiting for the gate
  Best     // the gate's playing engine
};

struct SelfPlayConfig {
  int workers = 2;  // threads; 0 = one a core
  int games = 48;   // in flight a worker: the batch that the network sees
  // Answers of the network that a worker remembers; 0 = none. 96 bytes each.
  int cache = 1 << 14;

  Selection selection = Selection::Puct;
  // Root visits. Full searches make policy targets; each move is one with probability fullShare.
  // The final figure is reached linearly over the run's budget.
  int fullNodes = 96;
  int fullNodesFinal = 128;
  int cheapNodes = 24;
  double fullShare = 0.3;
  bool treeReuse = true;

  // PUCT only; Gumbel explores by its own noise.
  double noiseAlpha = 1.1;
  double noiseWeight = 0.25;
  double cpuct = 1.25;
  double cpuctLog = 1.0;
  double cpuctBase = 5000.0;
  double fpuReduction = 0.2;
  double marginWeight = 0.0;

  // The move's temperature at ply p: floor + (temperature - floor) * 2^(-p / halfLife).
  double temperature = 1.0;
  double temperatureHalfLife = 12.0;
  double temperatureFloor = 0.2;
  // A game opens with 0..openingPlies moves (uniform) sampled from the bare policy.
  int openingPlies = 8;
  double openingTemperature = 1.5;
  double forkShare = 0.03;  // of games that start from a position of an earlier one

  // Once the mover's root value has passed +-wonThreshold for wonPlies turns, searches shrink to
  // wonNodes and rows weigh wonWeight; the game goes on to its end by the rules.
  double wonThreshold = 0.9;
  int wonPlies = 3;
  double wonWeight = 0.1;
  int wonNodes = 16;

  int gumbelNodes = 32;
  int gumbelNodesFinal = 48;
  double gumbelScale = 1.0;
  double gumbelVisit = 50.0;

  Follow follow = Follow::Newest;
  Precision precision = Precision::Auto;
  // "cpu": native inference, each worker its own. "torch:cpu", "cuda" or "cuda:N": LibTorch, in
  // batches gathered from all workers.
  std::string device = "cpu";

  SearchParams searchParams() const {
    SearchParams params;
    params.selection = selection;
    params.cpuct = static_cast<float>(cpuct);
    params.cpuctLog = static_cast<float>(cpuctLog);
    params.cpuctBase = static_cast<float>(cpuctBase);
    params.fpuReduction = static_cast<float>(fpuReduction);
    params.gumbelVisit = static_cast<float>(gumbelVisit);
    params.gumbelScale = static_cast<float>(gumbelScale);
    params.marginWeight = static_cast<float>(marginWeight);
    return params;
  }
  // Full searches' visits once `progress` (0..1) of the run's budget is spent.
  int fullNodesAt(double progress) const {
    const bool gumbel = selection == Selection::Gumbel;
    const int first = gumbel ? gumbelNodes : fullNodes;
    const int last = gumbel ? gumbelNodesFinal : fullNodesFinal;
    const double spent = progress < 0.0 ? 0.0 : progress > 1.0 ? 1.0 : progress;
    return first + static_cast<int>(spent * (last - first) + 0.5);
  }
};

}  // namespace toguz
