// Small text helpers shared by everything that reads what people write.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
// Reads a whole number; false if `text` is anything else or out of range.
bool parseInt(std::string_view text, std::int64_t& out);
bool parseDouble(std::string_view text, double& out);
bool parseBool(std::string_view text, bool& out);  // true/false/1/0/on/off/yes/no

// The candidate at the least edit distance, for "did you mean"; "" if there are none.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace toguz
