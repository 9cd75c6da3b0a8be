// Lines as they come from outside, bytes of any kind, and as they go out, clean UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toguz {

// The parts between blanks and tabs; they point into `line`.
std::vector<std::string_view> words(std::string_view line);

// One line that any reader can take: control characters and broken UTF-8 become '?', and what is
// longer than `most` bytes is cut and ends in "...".
std::string cleanLine(std::string_view text, std::size_t most = 400);

}  // namespace toguz
