// Lines as they come from outside, bytes of any kind, and as they go out, clean UTF-8.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace toguz {

// The parts between blanks and tabs; they point into `line`.
std::vector<std::string_view> words(std::string_view line);

// One line that any reader can take: control characters and broken UTF-8 become '?', and what is
// longer than `most` bytes is cut and ends in "...".
std::string cleanLine(std::string_view text, std::size_t most = 400);

// "12.3", with `sign` "+12.3"; never "-0.0".
std::string fixedNumber(double value, int decimals = 1, bool sign = false);

// Gives each line of `in`, without its end, to `take` until that returns false or the input ends;
// the last line may lack its end. A line without end takes no more room than `most` + 1 bytes, to
// which it is cut: whoever takes it sees that it is too long.
void eachLine(std::istream& in, std::size_t most,
              const std::function<bool(std::string_view)>& take);

}  // namespace toguz
