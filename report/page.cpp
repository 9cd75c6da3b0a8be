#include "report/page.h"

#include "base/error.h"
#include "report/assets.h"

namespace toguz {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// JSON within a script element: no "<" may stand in it, or "</script>" in a text would end it.
std::string scriptJson(const nlohmann::ordered_json& data) {
  // Bytes that are no UTF-8 (a player's name, say) must not keep a report from being made.
  const std::string text =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

// The template with each "{{name}}" replaced; what is put in is not looked at again.
std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    const std::size_t close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    out += text.substr(0, open);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    bool found = false;
    for (const auto& [key, value] : values) {
      if (key != name) continue;
      out += value;
      found = true;
    }
    TOGUZ_CHECK(found, "a page asks for what it is not given");
    text.remove_prefix(close + 2);
  }
  return out.append(text);
}

// A page from the disk has no server to ask for an icon.
constexpr std::string_view kServedHead =
    "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n";

std::string page(std::string_view html, std::string_view script, std::string_view title,
                 const nlohmann::ordered_json& data, std::string_view head = "") {
  return filled(html, {{"title", escaped(title)},
                       {"head", head},
                       {"style", assets::kStyleCss},
                       {"library", assets::kChartJs},
                       {"common", assets::kCommonJs},
                       {"charts", assets::kChartsJs},
                       {"board", assets::kBoardJs},
                       {"games", assets::kGamesJs},
                       {"live", assets::kLiveJs},
                       {"script", script},
                       {"data", scriptJson(data)}});
}

}  // namespace

std::string runPage(std::string_view title, const nlohmann::ordered_json& data) {
  return page(assets::kRunHtml, assets::kRunJs, title, data);
}

std::string liveRunPage(std::string_view title, const std::string& events) {
  return page(assets::kRunHtml, assets::kRunJs, title, {{"events", events}}, kServedHead);
}

std::string runsPage(std::string_view title, const std::string& events) {
  return page(assets::kRunsHtml, assets::kRunsJs, title, {{"events", events}}, kServedHead);
}

std::string reviewPage(std::string_view title, const nlohmann::ordered_json& data) {
  return page(assets::kReviewHtml, assets::kReviewJs, title, data);
}

nlohmann::ordered_json pagePosition(const RuleSet& rules, const Position& position) {
  auto board = nlohmann::ordered_json::array();
  for (int square = 0; square < 2 * rules.pits; ++square)
    board.push_back(position.board[static_cast<std::size_t>(square)]);
  return {{"board", std::move(board)},
          {"kazan", {position.kazan[0], position.kazan[1]}},
          {"tuzdik",
           {position.tuzdikNumber(rules, Side::First), position.tuzdikNumber(rules, Side::Second)}},
          {"side", index(position.side)}};
}

}  // namespace toguz
