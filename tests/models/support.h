// Positions and models that the tests of models and trainer share.
#pragma once

#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/rng.h"
#include "core/game.h"
#include "models/model.h"

namespace toguz::test {

inline int randomLegal(PitMask legal, Rng& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip)
    legal &= legal - 1;
  return std::countr_zero(legal);
}

// Unfinished positions from random games, both sides to move.
inline std::vector<Position> randomPositions(const Rules& rules, std::size_t count,
                                             std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count)
    for (Game game(rules); !game.over() && positions.size() < count;
         game.play(randomLegal(game.legal(), rng)))
      positions.push_back(game.position());
  return positions;
}

// A random model in which no weight is zero, so that every part of the network shows.
inline Model busyModel(const Rules& rules, const Architecture& architecture, std::uint64_t seed) {
  Model model = randomModel(rules, architecture, seed);
  Rng rng(seed + 1);
  for (Tensor& tensor : model.tensors)
    for (float& x : tensor.data)
      if (x == 0) x = static_cast<float>(0.05 * rng.normal());
  return model;
}

// The LibTorch device that tests of LibTorch run on: TOGUZ_TEST_DEVICE, or the CPU.
inline std::string testDevice() {
  const char* named = std::getenv("TOGUZ_TEST_DEVICE");
  return named ? named : "cpu";
}

inline std::vector<std::string> variants() {
  return {"standard", "giveaway", "bestemshe", "seven"};
}

// The named variants and historical switches, which take the general path.
inline std::vector<std::string> variantsAndSwitches() {
  std::vector<std::string> names = variants();
  for (const char* more :
       {"giveaway2010", "standard,bar_last_pit=false", "standard,sow_origin=false",
        "standard,capture_singles_only=true", "standard,tuzdik=false",
        "seven,sow_origin=false,bar_last_pit=false", "bestemshe,tuzdik=true"})
    names.emplace_back(more);
  return names;
}

}  // namespace toguz::test
