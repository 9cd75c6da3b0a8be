// The card: somebody who has nothing but it and the weights gets the same answers.
#include <gmock/gmock.h>

#include <cmath>

#include "core/position_text.h"
#include "models/features.h"
#include "tests/models/export_support.h"

namespace toguz {
namespace {

using nlohmann::json;

// The network as the card's "arithmetic" says it, in plain loops.
std::vector<double> answer(const Model& model, const std::vector<int>& rows) {
  const auto width = static_cast<std::size_t>(model.architecture.width);
  const auto linear = [&](const std::string& layer, const std::vector<double>& x) {
    const Tensor& weight = model.tensor(layer + ".weight");
    std::vector<double> y;
    for (std::size_t o = 0; o < static_cast<std::size_t>(weight.shape[0]); ++o) {
      double sum = static_cast<double>(model.tensor(layer + ".bias").data[o]);
      for (std::size_t i = 0; i < width; ++i)
        sum += static_cast<double>(weight.data[o * width + i]) * x[i];
      y.push_back(sum);
    }
    return y;
  };
  const auto relu = [](std::vector<double> x) {
    for (double& v : x) v = std::max(v, 0.0);
    return x;
  };
  const std::vector<float>& bias = model.tensor("input.bias").data;
  std::vector<double> x(bias.begin(), bias.end());
  for (const int row : rows)
    for (std::size_t i = 0; i < width; ++i)
      x[i] += static_cast<double>(
          model.tensor("input.weight").data[static_cast<std::size_t>(row) * width + i]);
  x = relu(x);
  for (int k = 0; k < model.architecture.blocks; ++k) {
    const std::string block = "block." + std::to_string(k);
    const std::vector<double> y = linear(block + ".1", relu(linear(block + ".0", x)));
    for (std::size_t i = 0; i < width; ++i) x[i] += y[i];
    x = relu(x);
  }
  x = linear("head", x);
  const auto pits = static_cast<std::size_t>(model.rules.set().pits);
  x[pits + 3] *= 20;
  x.back() = std::tanh(x.back());
  return x;
}

TEST(Card, ExamplesAnswerAsTheySay) {
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    const json card = modelCard("native", model.provenance, std::make_shared<NativeNetwork>(model));
    ASSERT_EQ(card.at("examples").size(), 2u);
    for (const json& example : card.at("examples")) {
      const Position position =
          parsePosition(model.rules, example.at("position").get<std::string>()).position;
      std::vector<FeatureRow> rows(
          static_cast<std::size_t>(activeRows(model.rules.set(), model.architecture.features)));
      encodeFeatures(model.rules, model.architecture.features, position, rows);
      EXPECT_EQ(example.at("rows").get<std::vector<FeatureRow>>(), rows);
      const std::vector<double> want = answer(model, example.at("rows"));
      std::vector<double> got;
      for (const json& output : card.at("outputs")) {
        const json& values = example.at("outputs").at(output.at("name").get<std::string>());
        EXPECT_EQ(static_cast<int>(values.size()), output.at("shape").at(1).get<int>());
        got.insert(got.end(), values.begin(), values.end());
      }
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-4) << i;

      // Decoded as "decoding" says.
      const auto policy = example.at("outputs").at("policy").get<std::vector<double>>();
      const auto outcome = example.at("outputs").at("outcome").get<std::vector<double>>();
      const json& decoded = example.at("decoded");
      double all = 0;
      for (const int pit : example.at("legal_moves"))
        all += std::exp(policy[static_cast<std::size_t>(pit - 1)]);
      for (const int pit : example.at("legal_moves"))
        EXPECT_NEAR(decoded.at("policy").at(static_cast<std::size_t>(pit - 1)).get<double>(),
                    std::exp(policy[static_cast<std::size_t>(pit - 1)]) / all, 1e-5);
      const double sum = std::exp(outcome[0]) + std::exp(outcome[1]) + std::exp(outcome[2]);
      EXPECT_NEAR(decoded.at("win").get<double>(), std::exp(outcome[0]) / sum, 1e-5);
      EXPECT_NEAR(decoded.at("loss").get<double>(), std::exp(outcome[2]) / sum, 1e-5);
      EXPECT_NEAR(decoded.at("win_rate").get<double>(),
                  (std::exp(outcome[0]) + std::exp(outcome[1]) / 2) / sum, 1e-5);
    }
    EXPECT_EQ(card["examples"][0]["side_to_move"], "first");
    EXPECT_EQ(card["examples"][1]["side_to_move"], "second");
  }
}

// The board alone, by the card's words: counts, kazans, tuzdiks.
TEST(Card, GroupsSayWhatStandsWhere) {
  for (const Model& model : test::exportedModels()) {
    SCOPED_TRACE(test::describe(model));
    const RuleSet& rules = model.rules.set();
    const json card = modelCard("onnx", model.provenance, std::make_shared<NativeNetwork>(model));
    const json& groups = card.at("encoding").at("groups");
    ASSERT_EQ(groups.size(), card["encoding"]["active_rows"].get<std::size_t>());
    int next = 0;
    for (const json& group : groups) {
      EXPECT_EQ(group.at("first_row").get<int>(), next);
      next += group.at("rows").get<int>();
      EXPECT_TRUE(card["encoding"]["classes"].contains(group.at("classes").get<std::string>()));
    }
    EXPECT_EQ(next, card["encoding"]["total_rows"].get<int>());
    for (const json& example : card.at("examples")) {
      const Position p =
          parsePosition(model.rules, example.at("position").get<std::string>()).position;
      const auto classAt = [&](const std::string& name) {
        for (std::size_t i = 0; i < groups.size(); ++i)
          if (groups[i].at("name") == name)
            return example.at("rows")[i].get<int>() - groups[i].at("first_row").get<int>();
        ADD_FAILURE() << "no group " << name;
        return -1;
      };
      for (const Side side : {p.side, opponent(p.side)}) {
        const std::string who = side == p.side ? "the mover's " : "the opponent's ";
        EXPECT_EQ(classAt("balls in " + who + "kazan"),
                  std::min<int>(p.kazan[static_cast<std::size_t>(index(side))], rules.majority()));
        for (int pit = 0; pit < rules.pits; ++pit) {
          const bool tuzdik = p.tuzdikNumber(rules, opponent(side)) == pit + 1;
          const std::string name = who + "pit " + std::to_string(pit + 1);
          EXPECT_EQ(classAt("balls in " + name),
                    tuzdik ? 40 : std::min(p.pit(rules, side, pit), 39));
          if (side != p.side) continue;
          const int made = classAt("what a move from " + name + " makes");
          EXPECT_EQ(made == 0, p.pit(rules, side, pit) == 0);
        }
      }
    }
    if (rules.tuzdik) {
      const Position mid =
          parsePosition(model.rules, card["examples"][1]["position"].get<std::string>()).position;
      EXPECT_TRUE(mid.hasTuzdik(Side::First) || mid.hasTuzdik(Side::Second));
    }
  }
}

TEST(Card, SaysWhatTheFileIs) {
  Model model = test::busyModel(Rules::named("standard,bar_last_pit=false"), {16, 1}, 1);
  model.provenance["generation"] = 12;
  const Int8Model int8 = quantized(model);
  const json card = modelCard("native", int8.provenance, std::make_shared<NativeNetwork>(int8));
  EXPECT_EQ(card["precision"], "int8");
  EXPECT_EQ(card["model_id"], modelId(int8));
  EXPECT_EQ(card["provenance"]["quantized_from"], modelId(model));
  EXPECT_EQ(card["provenance"]["generation"], 12);
  EXPECT_EQ(card["variant"], "standard,bar_last_pit=false");
  EXPECT_EQ(card["rules"]["bar_last_pit"], false);
  EXPECT_EQ(card["rules"]["pits"], 9);
}

}  // namespace
}  // namespace toguz
