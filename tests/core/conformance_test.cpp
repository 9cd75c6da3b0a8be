// The conformance files, every field of every line.
#include <gtest/gtest.h>

#include "base/text.h"
#include "core/notation.h"
#include "core/perft.h"
#include "core/position_text.h"
#include "tests/core/helpers.h"

namespace toguz::test {
namespace {

using nlohmann::json;

void replayTrace(const json& trace) {
  const Rules rules = Rules::named(trace["variant"].get<std::string>());
  const std::vector<int> moves = trace["moves"];
  const std::vector<std::string> texts = trace["text"], legal = trace["legal"];
  const std::vector<std::vector<int>> positions = trace["pos"];
  ASSERT_EQ(positions.size(), moves.size() + 1);
  // The files know neither repetition nor a ply cap: moves go on in a fresh game at each position.
  Position position = Position::start(rules.set());
  for (std::size_t i = 0;; ++i) {
    const Game here(rules, position);
    ASSERT_EQ(position, positionOf(rules.set(), positions[i], static_cast<int>(i % 2))) << i;
    ASSERT_EQ(legalText(here), legal[i]) << "position " << i;
    ASSERT_EQ(here.over(), i == moves.size());
    if (i == moves.size()) {
      EXPECT_EQ(text(here.outcome().reason), trace["reason"].get<std::string>());
      EXPECT_EQ(text(here.outcome().result), trace["result"].get<std::string>());
      const std::vector<int> final = trace["final"];
      EXPECT_EQ((std::vector<int>{here.outcome().kazan[0], here.outcome().kazan[1]}), final);
      return;
    }
    ASSERT_EQ(formatMove(rules, position, moves[i] - 1), texts[i]) << "position " << i;
    ASSERT_EQ(parseMove(here, texts[i], {.needMark = true}), moves[i] - 1);
    position = play(rules, position, moves[i] - 1);
  }
}

class Variants : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Conformance, Variants,
                         testing::Values("standard", "giveaway", "bestemshe", "seven"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(Variants, Traces) {
  const auto traces = jsonLines("conformance/traces_" + std::string(GetParam()) + ".jsonl");
  ASSERT_EQ(traces.size(), 200u);
  for (const json& trace : traces) {
    SCOPED_TRACE("trace " + std::to_string(trace["id"].get<int>()));
    replayTrace(trace);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Variants, PerftPositions) {
  const auto lines = jsonLines("conformance/perft_positions_" + std::string(GetParam()) + ".jsonl");
  ASSERT_EQ(lines.size(), 24u);
  const Rules rules = Rules::named(GetParam());
  for (const json& line : lines) {
    SCOPED_TRACE(line.dump());
    const Position position = positionOf(rules.set(), line["pos"], line["turn"]);
    for (const bool nostop : {false, true}) {
      const std::string mode = nostop ? "nostop" : "stop";
      const std::vector<std::uint64_t> leaves = line[mode];
      ASSERT_EQ(leaves.size(), 4u);
      for (int depth = 1; depth <= 4; ++depth)
        EXPECT_EQ(perft(rules, position, depth, nostop), leaves[static_cast<unsigned>(depth - 1)]);
      EXPECT_EQ(perftStats(rules, position, 4, nostop).finished,
                line[mode + "_finished_last"].get<std::uint64_t>());
    }
  }
}

struct StartLine {
  Rules rules;
  bool nostop = false;
  int depth = 0;
  PerftStats stats;
};

std::vector<StartLine> startLines() {
  std::vector<StartLine> out;
  const auto lines = linesOf("conformance/perft_start.tsv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = split(lines[i], '\t');
    const auto figure = [&](std::size_t column) { return std::stoull(cells.at(column)); };
    out.push_back({Rules::named(cells.at(0)),
                   cells.at(1) == "nostop",
                   std::stoi(cells.at(2)),
                   {figure(3), figure(4), figure(5), figure(6), figure(7)}});
  }
  return out;
}

void checkStart(const StartLine& line) {
  SCOPED_TRACE(line.rules.name() + (line.nostop ? " nostop" : " stop") + " depth " +
               std::to_string(line.depth));
  const Position start = Position::start(line.rules.set());
  EXPECT_EQ(perft(line.rules, start, line.depth, line.nostop), line.stats.leaves);
  EXPECT_TRUE(perftStats(line.rules, start, line.depth, line.nostop) == line.stats);
}

TEST(PerftStart, ToDepthSix) {
  int checked = 0;
  for (const StartLine& line : startLines())
    if (line.depth <= 6) {
      checkStart(line);
      ++checked;
    }
  EXPECT_EQ(checked, 8 * 6);
}

TEST(PerftStart, FullAllDepths) {
  const auto lines = startLines();
  EXPECT_EQ(lines.size(), 72u);
  for (const StartLine& line : lines) checkStart(line);
}

TEST(PerftStart, DivideAddsUpAndFollowsTheMoves) {
  for (const std::string& name : Rules::names()) {
    const Rules rules = Rules::named(name);
    const Position start = Position::start(rules.set());
    std::uint64_t sum = 0;
    for (const auto& [pit, leaves] : perftDivide(rules, start, 4)) {
      sum += leaves;
      EXPECT_EQ(leaves, perft(rules, play(rules, start, pit), 3));
    }
    EXPECT_EQ(sum, perft(rules, start, 4));
  }
}

TEST(PerftStart, DynamicRulesCountAsTheFixedOnes) {
  for (const RuleSet& set : {kStandard, kGiveaway, kBestemshe, kSeven}) {
    const Position start = Position::start(set);
    EXPECT_EQ(countLeaves(DynamicRules{set}, start, 5), perft(Rules(set), start, 5));
  }
}

std::string legalText(const Rules& rules, const Position& position) {
  const EndReason end = withRules(rules, [&](const auto& r) { return endOfPosition(r, position); });
  std::string out;
  for (int pit = 0; pit < rules.set().pits && end == EndReason::None; ++pit)
    if (legalMoves(rules, position) >> pit & 1u) out += static_cast<char>('1' + pit);
  return out;
}

TEST(RuleCases, All) {
  const auto cases = jsonLines("conformance/rule_cases.jsonl");
  ASSERT_EQ(cases.size(), 58u);
  int unsound = 0;
  for (const json& item : cases) {
    SCOPED_TRACE(item["name"].get<std::string>());
    const Rules rules = Rules::named(item["variant"].get<std::string>());
    const int turn = item["turn"];
    const Position before = positionOf(rules.set(), item["pos"], turn);
    EXPECT_EQ(legalText(rules, before), item["legal"].get<std::string>());
    // One case has balls in a tuzdik, which no Game takes as its start; the move itself still
    // agrees.
    const bool sound = before.fault(rules.set()) == nullptr;
    unsound += !sound;
    const int pit = item["move"].get<int>() - 1;
    if (item.value("illegal", false)) {
      Game game(rules, before);
      EXPECT_THROW(game.play(pit), UsageError);
      EXPECT_THROW(parseMove(game, std::to_string(pit + 1), {.barePit = true}), UsageError);
      EXPECT_EQ(game.position(), before);
      continue;
    }
    EXPECT_EQ(formatMove(rules, before, pit), item["text"].get<std::string>());
    const Position after = play(rules, before, pit);
    EXPECT_EQ(after, positionOf(rules.set(), item["after"], 1 - turn));
    EXPECT_EQ(legalText(rules, after), item["legal_after"].get<std::string>());
    if (!sound) continue;
    Game game(rules, before);
    game.play(pit);
    EXPECT_EQ(game.over(), item["over"].get<bool>());
    if (!game.over()) continue;
    EXPECT_EQ(text(game.outcome().reason), item["reason"].get<std::string>());
    EXPECT_EQ(text(game.outcome().result), item["result"].get<std::string>());
    const std::vector<int> final = item["final"];
    EXPECT_EQ((std::vector<int>{game.outcome().kazan[0], game.outcome().kazan[1]}), final);
  }
  EXPECT_EQ(unsound, 1);
}

}  // namespace
}  // namespace toguz::test
