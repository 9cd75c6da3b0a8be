// JSON-lines analysis: every line gets one answer, whatever it is.
#include "analysis/query_server.h"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/rng.h"
#include "models/model.h"

namespace toguz {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Server {
 public:
  Server()
      : server_(
            [](const Rules& rules) {
              if (rules.kind() == Rules::Kind::Dynamic)
                throw UsageError("no engine for '" + rules.name() + "'");
              return std::make_shared<const NativeNetwork>(
                  randomModel(rules, {.width = 16, .blocks = 1}, 3));
            },
            "standard", 2,
            [this](std::string_view line) { answers_.push_back(Json::parse(line)); }) {}

  void send(const std::string& line) { server_.handle(line); }
  std::vector<Json> finish() {
    server_.finish();
    return std::exchange(answers_, {});
  }
  Json ask(const std::string& line) {
    send(line);
    const auto answers = finish();
    EXPECT_EQ(answers.size(), 1u) << line;
    return answers.empty() ? Json() : answers.front();
  }

 private:
  std::vector<Json> answers_;  // under the server's lock until finish
  QueryServer server_;
};

TEST(QueryServerTest, AnswersAQueryInFull) {
  Server server;
  const Json answer =
      server.ask(R"({"id": "a", "moves": ["76", "9"], "limits": {"nodes": 200}, "lines": 3})");
  EXPECT_EQ(answer["id"], "a");
  EXPECT_EQ(answer["variant"], "standard");
  EXPECT_EQ(answer["turn"], 0);
  EXPECT_EQ(answer["over"], false);
  EXPECT_EQ(answer["cancelled"], false);
  EXPECT_EQ(answer["nodes"], 200);
  ASSERT_EQ(answer["lines"].size(), 3u);
  EXPECT_EQ(answer["lines"][0]["pv"].get<std::string>().substr(0, 2),
            answer["best"].get<std::string>().substr(0, 2));
  EXPECT_EQ(answer["lines"][0]["win_rate"], answer["win_rate"]);
  ASSERT_EQ(answer["moves"].size(), 9u);
  int visits = 0;
  double policy = 0;
  for (const Json& move : answer["moves"]) {
    visits += move["visits"].get<int>();
    policy += move["policy"].get<double>();
    EXPECT_EQ(move["win_rate"].is_null(), move["visits"] == 0);
  }
  EXPECT_EQ(visits, 199);  // the first visit is the root's own
  EXPECT_NEAR(policy, 1, 1e-3);
}

TEST(QueryServerTest, PlaysEveryVariantAndPosition) {
  Server server;
  for (const char* variant : {"standard", "giveaway", "bestemshe", "seven"}) {
    Json query{{"id", 7}, {"variant", variant}, {"limits", {{"nodes", 30}}}};
    EXPECT_EQ(server.ask(query.dump())["variant"], variant);
  }
  const Json over =
      server.ask(R"({"id": 8, "position": "9/8,1S 80 81 N 90", "limits": {"nodes": 30}})");
  EXPECT_EQ(over["over"], true);
  EXPECT_EQ(over["best"], nullptr);
  EXPECT_EQ(over["win_rate"], 50);
  EXPECT_EQ(over["moves"].size(), 0u);
}

TEST(QueryServerTest, WhatIsWrongIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"nonsense", "line 1: not JSON"},
      {"[1]", "not a JSON object"},
      {R"({"moves": []})", "without id"},
      {R"({"id": 1.5})", "id must be"},
      {R"({"id": 1, "limit": 3})", "the nearest is 'limits'"},
      {R"({"id": 1, "limits": 3})", "limits must be"},
      {R"({"id": 1, "limits": {"node": 3}})", "the nearest is 'nodes'"},
      {R"({"id": 1, "limits": {"nodes": 0}})", "nodes must be a whole number from 1"},
      {R"({"id": 1, "limits": {"nodes": 18446744073709551615}})", "nodes must be"},
      {R"({"id": 1, "limits": {"movetime": "x"}})", "movetime must be"},
      {R"({"id": 1, "lines": 10})", "lines must be"},
      {R"({"id": 1, "variant": "chess"})", "chess"},
      {R"({"id": 1, "variant": "standard,tuzdik=false"})", "no engine"},
      {R"({"id": 1, "position": "x"})", "line 1: "},
      {R"({"id": 1, "moves": ["76", "10"]})", "ply 2: "},
      {R"({"id": 1, "moves": "76"})", "moves must be a list"},
      {R"({"id": 1, "moves": [7]})", "moves must be a list"},
      {R"({"cancel": {"a": [1]}})", "cancel must be"},
      {R"({"cancel": 1, "id": 2})", "unknown key"},
      {std::string((1 << 20) + 1, ' ') + "x", "more than"},
      {std::string(500'000, '['), "line 1: "},
      {R"({"id": 1, "position": ")"
       "\xff\xfe"
       R"("})",
       "line 1: "},
  };
  for (const auto& [line, said] : cases) {
    Server server;
    const Json answer = server.ask(line);
    EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr(said)) << line.substr(0, 80);
  }
}

TEST(QueryServerTest, AnIdIsFreeOnceAnswered) {
  Server server;
  server.send(R"({"id": 1, "limits": {"nodes": 1000000}})");
  server.send(R"({"id": 1, "limits": {"nodes": 5}})");
  server.send(R"({"cancel": 1})");
  const auto answers = server.finish();
  ASSERT_EQ(answers.size(), 3u);
  int errors = 0, cancelled = 0, found = 0;
  for (const Json& answer : answers) {
    errors += answer.contains("error");
    cancelled += answer.value("cancelled", false);
    found += answer.value("found", false);
  }
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(cancelled, 1);
  EXPECT_EQ(found, 1);
  EXPECT_EQ(server.ask(R"({"id": 1, "limits": {"nodes": 5}})")["nodes"], 5);
  EXPECT_EQ(server.ask(R"({"cancel": 1})")["found"], false);
}

TEST(QueryServerTest, AThousandCancelledAndRepeated) {
  Server server;
  Rng rng(3);
  std::map<std::string, int> asked;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = std::to_string(i);
    server.send(R"({"id": )" + id + R"(, "limits": {"nodes": 2000}})");
    server.send(R"({"cancel": )" + id + "}");
    server.send(R"({"id": "again )" + id + R"(", "limits": {"nodes": 20}})");
    if (rng.chance(0.5)) server.send(R"({"cancel": "again )" + id + R"("})"), ++asked["more"];
  }
  std::set<std::string> ids;
  int cancels = 0;
  for (const Json& answer : server.finish()) {
    ASSERT_FALSE(answer.contains("error")) << answer;
    if (answer.contains("cancel")) {
      ++cancels;
      continue;
    }
    EXPECT_TRUE(ids.insert(answer["id"].dump()).second) << answer["id"];
  }
  EXPECT_EQ(ids.size(), 2000u);
  EXPECT_EQ(cancels, 1000 + asked["more"]);
}

TEST(QueryServerTest, FuzzedLinesAreAnsweredOneByOne) {
  Server server;
  Rng rng(21);
  const std::string seed = R"({"id": 5, "moves": ["76", "9"], "limits": {"nodes": 9}, "lines": 2})";
  for (int i = 0; i < 5000; ++i) {
    std::string line = seed;
    for (auto k = rng.below(6); k > 0; --k) {
      const auto at = rng.below(static_cast<std::uint32_t>(line.size()));
      switch (rng.below(3)) {
        case 0:
          line[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          line.erase(at, rng.below(8));
          break;
        default:
          line.insert(at, 1, "{}[]\",:0129eE-"[rng.below(14)]);
      }
      if (line.empty()) line = "x";
    }
    if (line.find_first_not_of(" \t\r\n\v\f") == std::string::npos) continue;
    server.send(line);
    ASSERT_EQ(server.finish().size(), 1u) << line;
  }
}

}  // namespace
}  // namespace toguz
