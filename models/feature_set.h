// The names of what a network may see; models/features.h says what they mean.
#pragma once

#include <array>
#include <cstdint>

namespace toguz {

enum class FeatureSet : std::uint8_t { Rows1, Rows2 };
inline constexpr std::array<const char*, 2> kFeatureSets = {"rows-1", "rows-2"};
constexpr const char* name(FeatureSet set) {
  return kFeatureSets[static_cast<std::size_t>(set)];
}

}  // namespace toguz
