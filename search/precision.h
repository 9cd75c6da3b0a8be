// The arithmetic of a network's inference, as users name it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "core/notation.h"

namespace toguz {

enum class Precision : std::uint8_t {
  Fp32,
  Int8,  // faster where the processor has VNNI, slow but the same to the bit where it has not
  Auto   // Int8 where the processor has VNNI, else Fp32
};

inline constexpr std::array<const char*, 3> kPrecisionNames{"fp32", "int8", "auto"};

// Throws UsageError that starts with `where` and names the choices.
inline Precision parsePrecision(std::string_view text, const std::string& where) {
  for (std::size_t i = 0; i < kPrecisionNames.size(); ++i)
    if (text == kPrecisionNames[i]) return static_cast<Precision>(i);
  throw UsageError(where + " wants fp32, int8 or auto, not " + inQuotes(text));
}

}  // namespace toguz
