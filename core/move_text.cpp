#include "core/move_text.h"

#include <cstdlib>

#include "core/notation.h"

namespace toguz::detail {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// A result at the start of `text`, "" if there is none.
std::string_view resultAt(std::string_view text) {
  for (const std::string_view result : {"1/2-1/2", "1-0", "0-1", "*"})
    if (text.starts_with(result) && (text.size() == result.size() || !isDigit(text[result.size()])))
      return result;
  return {};
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (blank(c)) {
      gap = !out.empty();
    } else {
      if (gap) out += ' ';
      gap = false;
      out += c;
    }
  }
  return out;
}

void MoveTextLexer::advance(std::size_t count) {
  for (const char c : rest_.substr(0, count)) {
    if (c == '\n') {
      ++line_;
      ++newlines_;
      lineStart_ = true;
    }
  }
  rest_.remove_prefix(count);
}

std::string MoveTextLexer::take(std::size_t count) {
  std::string text(rest_.substr(0, count));
  advance(count);
  return text;
}

std::size_t MoveTextLexer::blankLength(std::size_t from) const {
  std::size_t end = from;
  while (end < rest_.size() && blank(rest_[end])) ++end;
  return end - from;
}

void MoveTextLexer::skipBlank() {
  for (;;) {
    advance(blankLength());
    if (rest_.empty()) return;
    const bool remark = rest_[0] == ';' || (rest_[0] == '#' && lineStart_);
    if (!remark) return;
    advance(std::min(rest_.find('\n'), rest_.size()));
  }
}

Token MoveTextLexer::next() {
  newlines_ = 0;
  skipBlank();
  Token token;
  token.line = line_;
  token.startsLine = lineStart_;
  token.afterBlank = newlines_ > 1;
  lineStart_ = false;
  if (rest_.empty()) return token;
  if (const std::string_view result = resultAt(rest_); !result.empty()) {
    token.kind = Token::Kind::Result;
    token.text = take(result.size());
  } else if (rest_[0] == '[') {
    readTag(token);
  } else if (rest_[0] == '{') {
    readComment(token);
  } else if (isDigit(rest_[0])) {
    readDigits(token);
  } else {
    readWord(token);
  }
  return token;
}

void MoveTextLexer::readTag(Token& token) {
  const std::size_t endOfLine = std::min(rest_.find('\n'), rest_.size());
  const std::string_view text = rest_.substr(0, endOfLine);
  std::size_t at = 1;
  const auto skip = [&](std::string_view what) {
    at = std::min(text.find_first_not_of(what, at), text.size());
  };
  const auto here = [&](char c) { return at < text.size() && text[at] == c; };
  skip(" \t");
  const std::size_t nameStart = at;
  at = std::min(text.find_first_of(" \t\r\"]", at), text.size());
  token.name = std::string(text.substr(nameStart, at - nameStart));
  skip(" \t");
  bool closed = false;
  if (!token.name.empty() && here('"')) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      token.text += text[at];
    }
    if (here('"')) {
      ++at;
      skip(" \t");
      closed = here(']');
    }
  }
  if (!closed) {
    token.kind = Token::Kind::BadTag;
    token.text = "a tag is [Name \"value\"], not " + inQuotes(squeezed(take(endOfLine)));
    return;
  }
  token.kind = Token::Kind::Tag;
  advance(at + 1);
}

void MoveTextLexer::readComment(Token& token) {
  const std::size_t close = rest_.find('}');
  if (close == std::string_view::npos) {
    token.kind = Token::Kind::Bad;
    token.text = "the comment opened on line " + std::to_string(line_) + " is never closed";
    advance(rest_.size());
    return;
  }
  token.kind = Token::Kind::Comment;
  token.text = squeezed(rest_.substr(1, close - 1));
  advance(close + 1);
}

void MoveTextLexer::readDigits(Token& token) {
  std::string digits;
  for (;;) {
    std::size_t count = 0;
    while (count < rest_.size() && isDigit(rest_[count])) ++count;
    digits += take(count);
    if (rest_.starts_with('.')) {
      std::size_t dots = 0;
      while (dots < rest_.size() && rest_[dots] == '.') ++dots;
      advance(dots);
      token.kind = Token::Kind::Number;
      token.number = digits.size() > 6 ? -1 : std::strtol(digits.c_str(), nullptr, 10);
      token.text = digits;
      return;
    }
    const bool whole = digits.size() >= 2 && digits.find('0') == std::string::npos;
    const std::size_t gap = blankLength();
    const bool cut = wraps_ && !whole && gap > 0 && gap < rest_.size() &&
                     rest_.substr(0, gap).find('\n') != std::string_view::npos &&
                     isDigit(rest_[gap]);
    if (!cut || digits.size() > 6) break;
    advance(gap);
  }
  token.kind = Token::Kind::Move;
  token.text = digits;
  // Whatever is glued to the digits belongs to the move; the parser of moves judges it.
  const auto glue = [&] {
    std::size_t count = 0;
    while (count < rest_.size() && !blank(rest_[count]) &&
           std::string_view("{}[];()").find(rest_[count]) == std::string_view::npos)
      ++count;
    token.text += take(count);
  };
  glue();
  for (const std::string_view mark : {"X", "x", "\xd0\xa5", "\xd1\x85"})
    if (token.text.size() <= 2 && rest_.substr(blankLength()).starts_with(mark)) {
      advance(blankLength());
      glue();
    }
  if (rest_.substr(blankLength()).starts_with('(')) {
    const std::size_t start = blankLength();
    const std::size_t close = rest_.find(')', start);
    if (close == std::string_view::npos || close - start > 12) {
      token.kind = Token::Kind::Bad;
      token.text =
          "the score after move " + inQuotes(token.text) + " is not a number in parentheses";
      advance(start + 1);
      return;
    }
    advance(start);
    for (const char c : take(close + 1 - start))
      if (!blank(c)) token.text += c;
  }
}

void MoveTextLexer::readWord(Token& token) {
  std::size_t count = 1;
  while (count < rest_.size() && !blank(rest_[count]) &&
         std::string_view("{}[];()").find(rest_[count]) == std::string_view::npos)
    ++count;
  token.text = take(count);
  token.kind = Token::Kind::Bad;
  token.text = "neither a move nor anything else that a record holds: " + inQuotes(token.text);
}

}  // namespace toguz::detail
