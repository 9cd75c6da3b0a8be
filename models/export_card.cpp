#include "models/export_card.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "base/rng.h"
#include "core/game.h"
#include "core/position_text.h"
#include "models/features.h"

namespace toguz {
namespace {

using nlohmann::json;

// The shortest number that reads back as this float.
json number(float x) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, x);
  double value = 0;
  std::from_chars(text, written.ptr, value);
  return value;
}

json numbers(const float* from, int count) {
  json list = json::array();
  for (int i = 0; i < count; ++i) list.push_back(number(from[i]));
  return list;
}

int drawMove(PitMask legal, Rng& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip)
    legal &= legal - 1;
  return std::countr_zero(legal);
}

// A position of a random game in which the second player is to move and, where the rules have
// them, somebody has a tuzdik: it shows what the start does not.
Position midGame(const Rules& rules) {
  constexpr int kPlies = 21, kTries = 200;
  Position any = Position::start(rules.set());
  for (int i = 0; i < kTries; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    Game game(rules);
    while (!game.over() && game.ply() < kPlies) game.play(drawMove(game.legal(), rng));
    if (game.over()) continue;
    any = game.position();
    if (!rules.set().tuzdik || any.hasTuzdik(Side::First) || any.hasTuzdik(Side::Second)) break;
  }
  return any;
}

json rulesJson(const RuleSet& set) {
  return {{"pits", set.pits},
          {"balls", set.balls},
          {"tuzdik", set.tuzdik},
          {"bar_last_pit", set.barLastPit},
          {"giveaway", set.giveaway},
          {"leftovers_to_stuck", set.leftoversToStuck},
          {"sow_origin", set.sowOrigin},
          {"capture_singles_only", set.captureSinglesOnly},
          {"stop_at_majority", set.stopAtMajority}};
}

json classesJson(const Rules& rules, FeatureSet set) {
  const std::string majority = std::to_string(rules.set().majority());
  const json captures = {{"2..12", "captures 2, 4, .., 22 balls"},
                         {"13", "captures 24 balls or more"},
                         {"14", "makes a tuzdik"}};
  json outcome = captures, reply = captures;
  outcome["0"] = "the pit is empty: no move";
  outcome["1"] = "captures nothing";
  outcome["15"] = "does not occur";
  reply["0"] = "the pit is empty: no move";
  reply["1"] = "none of the opponent's answers captures";
  reply["15"] = "the opponent cannot answer, or the game is over";
  json classes = {{"count",
                   {{"0..38", "that many balls"},
                    {"39", "39 balls or more"},
                    {"40", "a tuzdik, of either player"}}},
                  {"kazan",
                   {{"0.." + std::to_string(rules.set().majority() - 1), "that many balls"},
                    {majority, majority + " balls (the majority) or more"}}},
                  {"outcome", outcome}};
  if (set == FeatureSet::Rows2) classes["reply"] = reply;
  return classes;
}

// One entry a column of the input, in order.
json groupsJson(const Rules& rules, FeatureSet set) {
  const int pits = rules.set().pits;
  const std::vector<int> sizes = featureGroups(rules.set(), set);
  const auto nameOf = [&](int column) -> std::pair<std::string, const char*> {
    const auto pitName = [&](int lane) {
      return std::string(lane < pits ? "the mover's pit " : "the opponent's pit ") +
             std::to_string(lane % pits + 1);
    };
    if (column < 2 * pits) return {"balls in " + pitName(column), "count"};
    column -= 2 * pits;
    if (column == 0) return {"balls in the mover's kazan", "kazan"};
    if (column == 1) return {"balls in the opponent's kazan", "kazan"};
    column -= 2;
    if (column < pits) return {"what a move from " + pitName(column) + " makes", "outcome"};
    if (column < 2 * pits)
      return {"what a move from " + pitName(column) + " would make if it were the opponent's turn",
              "outcome"};
    return {"the opponent's best answer to a move from " + pitName(column - 2 * pits), "reply"};
  };
  json groups = json::array();
  int first = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto [name, classes] = nameOf(static_cast<int>(i));
    groups.push_back({{"column", i},
                      {"name", name},
                      {"classes", classes},
                      {"first_row", first},
                      {"rows", sizes[i]}});
    first += sizes[i];
  }
  return groups;
}

json encodingJson(const Rules& rules, FeatureSet set) {
  json encoding = {
      {"feature_set", name(set)},
      {"active_rows", activeRows(rules.set(), set)},
      {"total_rows", featureRows(rules.set(), set)},
      {"view",
       "From the side to move: the mover's pits come first. Pits are numbered 1 to N from their "
       "owner's left, the way he sows. Each group has one active row: its first_row plus the class "
       "of what stands there; the input's columns are the groups in order."},
      {"classes", classesJson(rules, set)},
      {"groups", groupsJson(rules, set)}};
  if (set == FeatureSet::Rows2)
    encoding["best_answer"] =
        rules.set().giveaway
            ? "Captures are compulsory and unwanted: the best answer is the least of the "
              "opponent's captures, by class; 1 if he has none."
            : "The highest class among the opponent's answers.";
  return encoding;
}

json outputsJson(int pits) {
  json outputs = json::array();
  for (const ExportOutput& output : exportOutputs(pits))
    outputs.push_back({{"name", output.name},
                       {"type", "float32"},
                       {"shape", {"batch", output.size}},
                       {"unit", output.unit},
                       {"meaning", output.meaning}});
  return outputs;
}

}  // namespace

std::vector<ExportOutput> exportOutputs(int pits) {
  return {
      {"policy", pits, "logits", "the mover's pits 1 to N"},
      {"outcome", 3, "logits", "win, draw, loss for the mover"},
      {"margin", 1, "balls", "final balls of the mover less the opponent's"},
      {"reply", pits, "logits", "the opponent's pits 1 to N: his answer, whatever the mover plays"},
      {"short_value", 1, "-1 to 1",
       "win less loss of the mover as the search will see it some plies on"}};
}

std::vector<Position> samplePositions(const Rules& rules, int count) {
  Rng rng(0x5a3b1e);
  std::vector<Position> positions;
  const auto wanted = static_cast<std::size_t>(count);
  while (positions.size() < wanted)
    for (Game game(rules); !game.over() && positions.size() < wanted;
         game.play(drawMove(game.legal(), rng)))
      positions.push_back(game.position());
  return positions;
}

json exportExamples(const std::shared_ptr<const NativeNetwork>& network,
                    const std::vector<Position>& positions) {
  const Rules& rules = network->rules();
  const FeatureSet set = network->architecture().features;
  const int pits = rules.set().pits;
  const HeadLayout layout{pits};
  const auto size = static_cast<std::size_t>(layout.size());
  std::vector<float> raw(positions.size() * size);
  std::vector<Evaluation> evaluations(positions.size());
  NativeEvaluator evaluator(network);
  evaluator.evaluateRaw(positions, raw);
  evaluator.evaluate(positions, evaluations);

  json examples = json::array();
  std::vector<FeatureRow> rows(static_cast<std::size_t>(activeRows(rules.set(), set)));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    float* head = raw.data() + i * size;
    head[layout.margin()] *= kMarginUnit;
    head[layout.shortValue()] = std::tanh(head[layout.shortValue()]);
    json outputs;
    int at = 0;
    for (const ExportOutput& output : exportOutputs(pits)) {
      outputs[output.name] = numbers(head + at, output.size);
      at += output.size;
    }
    json legal = json::array();
    for (PitMask rest = Game(rules, positions[i]).legal(); rest; rest &= rest - 1)
      legal.push_back(std::countr_zero(rest) + 1);
    encodeFeatures(rules, set, positions[i], rows);
    const Evaluation& e = evaluations[i];
    const float win = (1 - e.draw + e.winLoss) / 2, loss = (1 - e.draw - e.winLoss) / 2;
    examples.push_back({{"position", formatPosition(rules, positions[i])},
                        {"side_to_move", positions[i].side == Side::First ? "first" : "second"},
                        {"legal_moves", legal},
                        {"rows", rows},
                        {"outputs", outputs},
                        {"decoded",
                         {{"policy", numbers(e.policy.data(), pits)},
                          {"win", number(win)},
                          {"draw", number(e.draw)},
                          {"loss", number(loss)},
                          {"win_rate", number(win + e.draw / 2)},
                          {"margin_balls", number(e.margin)}}}});
  }
  return examples;
}

json modelCard(const std::string& format, const json& provenance,
               const std::shared_ptr<const NativeNetwork>& network) {
  const Rules& rules = network->rules();
  const Architecture& architecture = network->architecture();
  json card = {
      {"format", format},
      {"precision", kPrecisionNames[static_cast<std::size_t>(network->precision())]},
      {"made_by", "Toguz Zero"},
      {"model_id", network->id()},
      {"provenance", provenance},
      {"variant", rules.name()},
      {"rules", rulesJson(rules.set())},
      {"network",
       {{"width", architecture.width},
        {"blocks", architecture.blocks},
        {"arithmetic",
         "x = relu(input.bias + sum of the active rows of input.weight); for each block K "
         "x = relu(x + block.K.1(relu(block.K.0(x)))), both linear; one linear layer, head, whose "
         "outputs are those below in order, margin in units of 20 balls and short_value before "
         "tanh: the exported outputs are past both"}}},
      {"encoding", encodingJson(rules, architecture.features)},
      {"input",
       {{"name", kExportInput},
        {"type", "int64"},
        {"shape", {"batch", activeRows(rules.set(), architecture.features)}},
        {"meaning", "row numbers, one of each group, in the groups' order"}}},
      {"outputs", outputsJson(rules.set().pits)},
      {"decoding",
       {{"policy", "leave out the pits that may not be played, then softmax over the rest"},
        {"outcome", "softmax gives the mover's win, draw and loss probabilities"},
        {"win_rate", "win + draw / 2, the mover's expected score in 0 to 1"}}},
      {"position_text",
       "NORTH/SOUTH K1 K2 S|N FULLMOVE. NORTH is the second player's pits N to 1, SOUTH the first "
       "player's 1 to N, cells parted by commas: 9S nine balls, 3 three empty pits in a row, t a "
       "tuzdik. K1 and K2 are the kazans of the first and second player, S or N the side to move"},
      {"examples", exportExamples(network, {Position::start(rules.set()), midGame(rules)})}};
  if (network->precision() == Precision::Int8)
    card["network"]["int8"] =
        "the file holds codes and scales in place of the weights (docs/models.md); it answers "
        "about as the fp32 model does, and the examples are its own answers";
  return card;
}

}  // namespace toguz
