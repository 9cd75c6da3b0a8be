#include "play/terminal/board_drawing.h"

#include <algorithm>

#include "base/text.h"

namespace toguz {
namespace {

constexpr int kMargin = 2;
constexpr int kLeastInner = 3;  // three digits
constexpr int kMostInner = 11;
constexpr int kLeastForDots = 9;
constexpr int kMostBar = 60;

// Colours that can be read on dark and on light grounds.
constexpr const char* kSideInk[] = {"32", "35"};  // green, magenta
constexpr const char* kDim = "2";
constexpr const char* kBold = "1";
constexpr const char* kMarked = "7";  // reversed

std::string repeated(std::string_view glyph, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += glyph;
  return text;
}

std::string centred(const std::string& text, int width) {
  const int room = std::max(0, width - columnsOf(text));
  return repeated(" ", room / 2) + text + repeated(" ", room - room / 2);
}

std::string withoutEndBlanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

struct Glyphs {
  const char *across, *down, *ball, *full, *rest, *empty;
  const char* corners[2][3];  // top, bottom: left, between, right
};
constexpr Glyphs kAscii{"-", "|", "o", "#", ".", ".", {{"+", "+", "+"}, {"+", "+", "+"}}};
constexpr Glyphs kUnicode{"─", "│", "●", "█", "░", "·", {{"┌", "┬", "┐"}, {"└", "┴", "┘"}}};

class Drawing {
 public:
  Drawing(const BoardScene& scene, const BoardLook& look)
      : scene_(scene),
        look_(look),
        glyphs_(look.unicode ? kUnicode : kAscii),
        pits_(scene.rules.pits) {
    inner_ = std::clamp((look.width - 2 * kMargin - 1) / pits_ - 1, kLeastInner, kMostInner);
    margin_ = pits_ * (inner_ + 1) + 1 + 2 * kMargin <= look.width ? kMargin : 0;
    dots_ = look.dots && inner_ >= kLeastForDots;
  }

  std::vector<std::string> lines() {
    const Side top = look_.flip ? Side::First : Side::Second;
    heading(top);
    numbers(top, true);
    row(top, true);
    kazan(top);
    kazan(opponent(top));
    row(opponent(top), false);
    numbers(opponent(top), false);
    heading(opponent(top));
    return std::move(lines_);
  }

 private:
  std::string ink(const std::string& code, const std::string& text) const {
    return look_.colour && !code.empty() ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
  static std::string sideInk(Side side) { return kSideInk[index(side)]; }

  // The pit, 0-based from its owner's left, in a column of his row.
  int pitAt(int column, bool top) const { return top ? pits_ - 1 - column : column; }
  int squareOf(Side owner, int pit) const { return index(owner) * pits_ + pit; }

  void add(const std::string& line) {
    lines_.push_back(withoutEndBlanks(repeated(" ", margin_) + line));
  }

  void heading(Side side) {
    const auto& name = scene_.names[static_cast<unsigned>(index(side))];
    const bool turn = scene_.toMove == side;
    add(ink(turn ? std::string(kBold) + ";" + sideInk(side) : sideInk(side),
            (turn ? "> " : "  ") + name + (turn ? ", to move" : "")));
  }

  void numbers(Side owner, bool top) {
    std::string line;
    for (int column = 0; column < pits_; ++column) {
      const int pit = pitAt(column, top);
      const int square = squareOf(owner, pit);
      std::string text = std::to_string(pit + 1);
      if (scene_.last == square) text = "[" + text + "]";
      if (scene_.from == square && columnsOf(text) + 2 <= inner_) text = "(" + text + ")";
      std::string code = sideInk(owner);
      if (scene_.last == square || scene_.from == square)
        code = std::string(kBold) + ";" + code;
      else if (scene_.toMove == owner)
        code = (scene_.legal >> pit & 1u) ? std::string(kBold) + ";" + code : std::string(kDim);
      else
        code = kDim;
      // Only the number is inked: blanks at the end of a line are cut.
      const int room = inner_ - columnsOf(text);
      line += repeated(" ", 1 + room / 2) + ink(code, text) + repeated(" ", room - room / 2);
    }
    add(line);
  }

  void row(Side owner, bool top) {
    border(0);
    const int height = dots_ ? 3 : 1;
    for (int i = 0; i < height; ++i) {
      // The count is beside the pit's number, the balls towards the middle.
      const int part = top ? i : height - 1 - i;
      const std::string bar = ink(kDim, glyphs_.down);
      std::string line = bar;
      for (int column = 0; column < pits_; ++column)
        line += cell(squareOf(owner, pitAt(column, top)), part) + bar;
      add(line);
    }
    border(1);
  }

  // One line of a pit: part 0 is the count, parts 1 and 2 are balls.
  std::string cell(int square, int part) const {
    const Position& position = scene_.position;
    const int balls = position.board[static_cast<unsigned>(square)];
    std::string code, text;
    for (const Side side : {Side::First, Side::Second}) {
      if (position.tuzdik[static_cast<unsigned>(index(side))] != square) continue;
      code = std::string(kBold) + ";" + sideInk(side);
      if (part == 0) text = inner_ >= 6 ? "tuzdik" : "X";
      if (part > 0) text = repeated("=", inner_ - 2);
    }
    if (code.empty() && part == 0) {
      code = balls > 0 ? kBold : kDim;
      text = balls > 0 ? std::to_string(balls) : glyphs_.empty;
    } else if (code.empty()) {
      text = ballLine(balls, part - 1);
      code = sideInk(square < pits_ ? Side::First : Side::Second);
    }
    if (square == scene_.now) code += (code.empty() ? "" : ";") + std::string(kMarked);
    return ink(code, centred(text, inner_));
  }

  std::string ballLine(int balls, int line) const {
    const int most = std::min(10, inner_);
    const bool more = line == 1 && balls > 2 * most;
    const int shown = std::clamp(balls - line * most, 0, most) - (more ? 1 : 0);
    return repeated(glyphs_.ball, shown) + (more ? "+" : "") +
           repeated(" ", most - shown - (more ? 1 : 0));
  }

  void border(int which) {
    const auto& corners = glyphs_.corners[which];
    std::string line = corners[0];
    for (int column = 0; column < pits_; ++column)
      line += repeated(glyphs_.across, inner_) + (column + 1 < pits_ ? corners[1] : corners[2]);
    add(ink(kDim, line));
  }

  void kazan(Side side) {
    const int balls = scene_.position.kazan[static_cast<unsigned>(index(side))];
    const int majority = scene_.rules.majority();
    const std::string count = std::to_string(balls);
    const std::string label =
        "  kazan " + repeated(" ", 3 - static_cast<int>(count.size())) + count;
    const std::string goal =
        std::to_string(majority) + (scene_.rules.giveaway ? " loses" : " wins");
    const int total = pits_ * (inner_ + 1) + 1;
    const int room = std::min(kMostBar, total - columnsOf(label) - columnsOf(goal) - 4);
    std::string line = ink(std::string(kBold) + ";" + sideInk(side), label);
    if (room >= 8) {
      const int filled = std::min(room, balls * room / majority);
      line += "  " + ink(sideInk(side), repeated(glyphs_.full, filled)) +
              ink(kDim, repeated(glyphs_.rest, room - filled));
    }
    add(line + "  " + goal);
  }

  const BoardScene& scene_;
  const BoardLook& look_;
  const Glyphs& glyphs_;
  int pits_;
  int inner_;   // columns of a pit
  int margin_;  // columns before everything
  bool dots_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> drawBoard(const BoardScene& scene, const BoardLook& look) {
  return Drawing(scene, look).lines();
}

int columnsOf(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::vector<std::string> wrapText(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;  // but for the indent
  for (const std::string& word : split(text, ' ')) {
    if (!empty && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push_back(withoutEndBlanks(line));
      line = repeated(" ", indent);
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    // Blanks at the start of the text are kept: lists stay lists.
    empty = false;
  }
  lines.push_back(withoutEndBlanks(line));
  return lines;
}

}  // namespace toguz
