// The tokens of pgn and text records. Internal to record reading.
#pragma once

#include <string>
#include <string_view>

namespace toguz::detail {

struct Token {
  enum class Kind { End, Tag, Number, Move, Comment, Result, BadTag, Bad };
  Kind kind = Kind::End;
  std::string text;         // move, comment, result, tag value; what is wrong for BadTag and Bad
  std::string name;         // of a tag
  long number = 0;          // of a move
  int line = 1;             // where it starts
  bool startsLine = false;  // first on its line
  bool afterBlank = false;  // a blank line stands before it
};

// Cuts text into tokens. A move that the end of a line cut in two is joined if `wraps`; its mark
// and score may always stand apart from it. Never throws; every call makes progress.
class MoveTextLexer {
 public:
  MoveTextLexer(std::string_view text, bool wraps) : rest_(text), wraps_(wraps) {}
  Token next();

 private:
  void skipBlank();
  void advance(std::size_t count);
  std::string take(std::size_t count);
  void readTag(Token& token);
  void readComment(Token& token);
  void readDigits(Token& token);
  void readWord(Token& token);
  std::size_t blankLength(std::size_t from = 0) const;

  std::string_view rest_;
  bool wraps_;
  int line_ = 1;
  bool lineStart_ = true;
  int newlines_ = 0;  // since the last token
};

// Blank space run together and trimmed.
std::string squeezed(std::string_view text);

}  // namespace toguz::detail
