#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "core/move_text.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "core/record.h"

namespace toguz {
namespace {

constexpr std::size_t kLineWidth = 80;

std::string tagLine(const std::string& name, const std::string& value) {
  std::string text = "[";
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty()) text += '_';
  text += " \"";
  for (const char c : detail::squeezed(value)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"]\n";
}

std::string braces(const std::string& comment) {
  std::string text = detail::squeezed(comment);
  std::replace(text.begin(), text.end(), '}', ')');
  return "{" + text + "}";
}

// Adds words with single spaces, breaking lines at kLineWidth.
class Wrapper {
 public:
  void add(const std::string& words) {
    for (const std::string& word : split(words, ' ')) {
      if (column_ > 0 && column_ + 1 + word.size() > kLineWidth) {
        text_ += '\n';
        column_ = 0;
      }
      if (column_ > 0) {
        text_ += ' ';
        ++column_;
      }
      text_ += word;
      column_ += word.size();
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t column_ = 0;
};

std::string cell(const std::string& value) {
  std::string text = detail::squeezed(value);
  return text.empty() ? "-" : text;
}

std::string eloCell(const GameText& game) {
  const std::string& first = game.tag("WhiteElo");
  const std::string& second = game.tag("BlackElo");
  if (first.empty() && second.empty()) return "-";
  return second.empty() ? cell(first) : cell(first) + "/" + cell(second);
}

}  // namespace

GameText describeGame(const Game& game, std::vector<std::pair<std::string, std::string>> tags,
                      const std::vector<std::string>& comments, int startFullmove) {
  GameText out;
  out.tags = std::move(tags);
  out.variant = game.rules().name();
  if (game.start() != Position::start(game.rules().set()) || startFullmove != 1)
    out.fen = formatPosition(game.rules(), game.start(), startFullmove);
  for (std::size_t i = 0; i < game.moves().size(); ++i)
    out.moves.push_back({formatMove(game.rules(), game.positions()[i], game.moves()[i], true),
                         i < comments.size() ? comments[i] : std::string()});
  const Outcome& outcome = game.outcome();
  const auto kazan = [&](unsigned side) {
    return std::to_string(game.over() ? outcome.kazan[side] : game.position().kazan[side]);
  };
  out.result = game.over() ? text(outcome.result) : "*";
  out.ending = game.over() ? text(outcome.reason) : "open";
  out.kazans = kazan(0) + "-" + kazan(1);
  out.plies = std::to_string(game.ply());
  return out;
}

std::string pgnText(const GameText& game) {
  std::string out;
  const std::pair<const char*, const std::string*> own[] = {
      {"Variant", &game.variant}, {"FEN", &game.fen},       {"Result", &game.result},
      {"Ending", &game.ending},   {"Kazans", &game.kazans}, {"Plies", &game.plies}};
  for (const auto& tag : game.tags)
    if (std::none_of(std::begin(own), std::end(own),
                     [&](const auto& o) { return tag.first == o.first; }))
      out += tagLine(tag.first, tag.second);
  for (const auto& [name, value] : own)
    if (!value->empty()) out += tagLine(name, *value);

  // The numbering follows the start position; an unreadable fen is left for the reader to refuse.
  bool second = false;
  long number = 1;
  const std::vector<std::string> fen = split(game.fen, ' ');
  std::int64_t fullmove = 0;
  if (fen.size() == 5 && parseInt(fen[4], fullmove)) {
    second = fen[3] == "N";
    number = static_cast<long>(fullmove);
  }
  Wrapper moves;
  if (!game.comment.empty()) moves.add(braces(game.comment));
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    if (!second || i == 0) moves.add(std::to_string(number) + (second ? "..." : "."));
    moves.add(game.moves[i].text);
    if (!game.moves[i].comment.empty()) moves.add(braces(game.moves[i].comment));
    if (second) ++number;
    second = !second;
  }
  moves.add(game.result.empty() ? "*" : game.result);
  return out + (out.empty() ? "" : "\n") + moves.text() + "\n\n";
}

std::string tkgText(std::span<const GameText> games) {
  const bool starts = std::any_of(games.begin(), games.end(),
                                  [](const GameText& game) { return !game.fen.empty(); });
  std::string out =
      "# tkg1: id, variant, source, date, round, elo(first/second), result, ending, plies, "
      "kazans, ";
  out += starts ? "fen, moves (tab separated)\n" : "moves (tab separated)\n";
  for (std::size_t i = 0; i < games.size(); ++i) {
    const GameText& game = games[i];
    std::string id = game.tag("Id");
    if (id.empty()) id.append("g").append(std::to_string(i + 1));
    std::string moves;
    for (const RecordedMove& move : game.moves) {
      // Scores are the pgn's: tkg has the kazans in a column.
      const std::string text = move.text.substr(0, move.text.find('('));
      moves += (moves.empty() ? "" : " ") + text;
    }
    for (const std::string& value :
         {id, game.variant, game.tag("Source"), game.tag("Date"), game.tag("Round"), eloCell(game),
          game.result, game.ending, game.plies, game.kazans})
      out += cell(value) + "\t";
    if (starts) out += cell(game.fen) + "\t";
    out += moves + "\n";
  }
  return out;
}

void writeGames(const std::filesystem::path& path, std::span<const GameText> games,
                RecordFormat format) {
  std::string out;
  if (format == RecordFormat::Tkg)
    out = tkgText(games);
  else
    for (const GameText& game : games) out += pgnText(game);
  writeFileAtomically(path, out);
}

}  // namespace toguz
