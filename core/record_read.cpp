#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "core/move_text.h"
#include "core/notation.h"
#include "core/record.h"

namespace toguz {
namespace {

using detail::Token;

struct FieldName {
  std::string_view tag;     // pgn
  std::string_view column;  // tkg
  std::string GameText::*field;
};
constexpr std::array<FieldName, 6> kFields = {{{"Variant", "variant", &GameText::variant},
                                               {"FEN", "fen", &GameText::fen},
                                               {"Result", "result", &GameText::result},
                                               {"Ending", "ending", &GameText::ending},
                                               {"Kazans", "kazans", &GameText::kazans},
                                               {"Plies", "plies", &GameText::plies}}};

void addFault(GameText& game, const std::string& reason) {
  if (!game.fault.empty()) return;
  game.fault = reason;
  game.faultPly = static_cast<int>(game.moves.size()) + 1;
}

// Puts the tokens of pgn and text files together to games.
class GameBuilder {
 public:
  explicit GameBuilder(bool lineGames) : lineGames_(lineGames) {}

  void add(const Token& token) {
    if (startsGame(token)) finish();
    if (!open_) {
      game_.line = token.line;
      open_ = true;
    }
    switch (token.kind) {
      case Token::Kind::Tag:
        addTag(token);
        break;
      case Token::Kind::Number:
        numbered_ = true;
        break;
      case Token::Kind::Move:
        game_.moves.push_back({token.text, ""});
        inMoves_ = true;
        break;
      case Token::Kind::Comment:
        addComment(token.text);
        break;
      case Token::Kind::Result:
        addResult(token.text);
        break;
      case Token::Kind::BadTag:
        addFault(game_, token.text);
        break;
      case Token::Kind::Bad:
        addFault(game_, token.text);
        inMoves_ = true;
        break;
      case Token::Kind::End:
        break;
    }
  }

  std::vector<GameText> done() {
    finish();
    return std::move(games_);
  }

 private:
  bool startsGame(const Token& token) const {
    if (!inMoves_) return false;
    switch (token.kind) {
      case Token::Kind::Tag:
      case Token::Kind::BadTag:
        return true;
      case Token::Kind::Comment:
      case Token::Kind::End:
        return false;
      case Token::Kind::Result:
        if (ended_) return true;
        break;
      case Token::Kind::Number:
        if (ended_ || (token.number == 1 && token.startsLine)) return true;
        break;
      case Token::Kind::Move:
      case Token::Kind::Bad:
        if (ended_) return true;
        break;
    }
    if (!lineGames_) return false;
    return token.afterBlank ||
           (token.startsLine && !numbered_ && token.kind != Token::Kind::Result);
  }

  void addTag(const Token& token) {
    for (const FieldName& known : kFields)
      if (token.name == known.tag) {
        game_.*(known.field) = token.text;
        return;
      }
    game_.tags.emplace_back(token.name, token.text);
  }

  void addComment(const std::string& text) {
    std::string& comment =
        game_.moves.empty() || ended_ ? game_.comment : game_.moves.back().comment;
    comment += (comment.empty() ? "" : " ") + text;
  }

  void addResult(const std::string& text) {
    if (!game_.result.empty() && game_.result != text && text != "*")
      addFault(game_,
               "the result is " + game_.result + " in the tags but " + text + " after the moves");
    if (game_.result.empty()) game_.result = text;
    ended_ = inMoves_ = true;
  }

  void finish() {
    if (open_) games_.push_back(std::move(game_));
    game_ = GameText();
    open_ = numbered_ = inMoves_ = ended_ = false;
  }

  bool lineGames_;
  // inMoves_: past the tags, so that a tag would start another game.
  bool open_ = false, numbered_ = false, inMoves_ = false, ended_ = false;
  GameText game_;
  std::vector<GameText> games_;
};

std::vector<GameText> parseMoveText(std::string_view text, bool lineGames) {
  detail::MoveTextLexer lexer(text, !lineGames);
  GameBuilder builder(lineGames);
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next())
    builder.add(token);
  return builder.done();
}

constexpr std::string_view kTkgHeader =
    "# tkg1: id, variant, source, date, round, elo(first/second), result, ending, plies, kazans, "
    "moves";

std::vector<std::string> tkgColumns(std::string_view header) {
  constexpr std::string_view kStart = "# tkg1:";
  if (!header.starts_with(kStart))
    throw UsageError("tkg header " + inQuotes(header) + ": only version tkg1 is known");
  header.remove_prefix(kStart.size());
  std::vector<std::string> columns;
  for (const std::string& part : split(header, ',')) {
    std::string_view name = trim(part);
    name = trim(name.substr(0, std::min(name.find('('), name.size())));
    columns.emplace_back(name);
  }
  if (std::find(columns.begin(), columns.end(), "moves") == columns.end())
    throw UsageError("tkg header: no column named moves");
  return columns;
}

void addColumn(GameText& game, const std::string& column, const std::string& value) {
  if (column == "moves") {
    for (const std::string& move : split(value, ' '))
      if (!move.empty()) game.moves.push_back({move, ""});
    return;
  }
  if (value.empty() || value == "-") return;
  for (const FieldName& known : kFields)
    if (column == known.column) {
      game.*(known.field) = value;
      return;
    }
  if (column == "elo") {
    const std::size_t slash = value.find('/');
    game.tags.emplace_back("WhiteElo", value.substr(0, slash));
    if (slash != std::string::npos) game.tags.emplace_back("BlackElo", value.substr(slash + 1));
    return;
  }
  std::string tag = column;
  if (!tag.empty() && tag[0] >= 'a' && tag[0] <= 'z')
    tag[0] = static_cast<char>(tag[0] - 'a' + 'A');
  game.tags.emplace_back(tag, value);
}

std::vector<GameText> parseTkg(std::string_view text) {
  std::vector<std::string> columns = tkgColumns(kTkgHeader);
  std::vector<GameText> games;
  int line = 0;
  for (const std::string& raw : split(text, '\n')) {
    ++line;
    const std::string row(raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw);
    if (trim(row).empty()) continue;
    if (row[0] == '#') {
      if (row.starts_with("# tkg")) columns = tkgColumns(row);
      continue;
    }
    GameText game;
    game.line = line;
    const std::vector<std::string> cells = split(row, '\t');
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
      addColumn(game, columns[i], cells[i]);
    if (cells.size() != columns.size()) {
      game.moves.clear();
      addFault(game, "line " + std::to_string(line) + " has " + std::to_string(cells.size()) +
                         " columns, but the header names " + std::to_string(columns.size()));
    }
    games.push_back(std::move(game));
  }
  return games;
}

RecordFormat detect(std::string_view text) {
  for (const std::string& raw : split(text.substr(0, 1 << 16), '\n')) {
    const std::string_view line = trim(raw);
    if (line.starts_with("# tkg")) return RecordFormat::Tkg;
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') return RecordFormat::Pgn;
    return split(line, '\t').size() == tkgColumns(kTkgHeader).size() ? RecordFormat::Tkg
                                                                     : RecordFormat::Text;
  }
  return RecordFormat::Text;
}

}  // namespace

const std::string& GameText::tag(std::string_view name) const {
  static const std::string kNone;
  for (const auto& [key, value] : tags)
    if (key == name) return value;
  return kNone;
}

RecordFormat recordFormat(std::string_view name) {
  const std::vector<std::string> names = {"auto", "tkg", "pgn", "text"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<RecordFormat>(i);
  throw UsageError("unknown record format " + inQuotes(name) + "; did you mean '" +
                   nearest(name, names) + "'? (known: auto, tkg, pgn, text)");
}

std::vector<GameText> parseGames(std::string_view text, RecordFormat format) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  if (format == RecordFormat::Auto) format = detect(text);
  if (format == RecordFormat::Tkg) return parseTkg(text);
  return parseMoveText(text, format == RecordFormat::Text);
}

std::vector<GameText> readGames(const std::filesystem::path& path, RecordFormat format) {
  std::string text;
  try {
    text = readFile(path);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  std::vector<GameText> games;
  try {
    games = parseGames(text, format);
  } catch (const UsageError& error) {
    throw UsageError(path.string() + ": " + error.what());
  }
  if (games.empty()) throw UsageError(path.string() + ": holds no game");
  return games;
}

}  // namespace toguz
