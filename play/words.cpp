#include "play/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <istream>

namespace toguz {
namespace {

// Bytes of the well-formed UTF-8 character that `text` starts with, 0 if it is not one (Unicode
// 15, table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF).
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r\n";
  std::vector<std::string_view> found;
  for (;;) {
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return found;
    line.remove_prefix(first);
    const std::size_t length = std::min(line.find_first_of(kBlank), line.size());
    found.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

std::string cleanLine(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    if (out.size() + std::max<std::size_t>(length, 1) > most) return out + "...";
    const bool control =
        length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
    if (length == 0 || control)
      out += '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string fixedNumber(double value, int decimals, bool sign) {
  const double unit = std::pow(10.0, -decimals);
  if (std::abs(value) < 0.5 * unit) value = 0;
  char text[64];
  std::snprintf(text, sizeof text, sign ? "%+.*f" : "%.*f", decimals, value);
  return text;
}

void eachLine(std::istream& in, std::size_t most,
              const std::function<bool(std::string_view)>& take) {
  std::streambuf& bytes = *in.rdbuf();
  constexpr auto kEnd = std::streambuf::traits_type::eof();
  std::string line;
  for (auto c = bytes.sbumpc(); c != kEnd; c = bytes.sbumpc()) {
    if (c != '\n') {
      if (line.size() <= most) line += static_cast<char>(c);
      continue;
    }
    if (!take(line)) return;
    line.clear();
  }
  if (!line.empty()) take(line);
}

}  // namespace toguz
