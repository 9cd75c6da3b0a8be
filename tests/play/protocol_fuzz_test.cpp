// Tens of thousands of lines, from sensible to bytes at random, against what must always hold.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "play/words.h"
#include "tests/play/client.h"

namespace toguz {
namespace {

using testing::Client;

class LineMaker {
 public:
  explicit LineMaker(std::uint64_t seed) : rng_(seed) {}
  Rng& rng() { return rng_; }

  std::string line() {
    std::string text = sensible();
    if (rng_.chance(0.35)) mutate(text);
    if (rng_.chance(0.02)) text = bytes(rng_.below(200));
    if (rng_.chance(0.0005)) text += std::string(Protocol::kMaxLine, 'q');
    return text;
  }

 private:
  template <std::size_t N>
  std::string pick(const char* const (&from)[N]) {
    return from[rng_.below(N)];
  }
  std::string number() {
    static const char* const kOdd[] = {"0",   "-1", "007", "+3",  "1e3", "9999999999999999999999",
                                       "0x5", "",   "3.5", "nan", "--",  "2147483648"};
    return rng_.chance(0.2) ? pick(kOdd) : std::to_string(rng_.below(60) + 1);
  }
  std::string move() {
    std::string text = std::to_string(rng_.below(10));
    if (rng_.chance(0.3)) text += std::to_string(rng_.below(10));
    if (rng_.chance(0.1)) text += rng_.chance(0.5) ? "X" : "\xd0\xa5";
    return text;
  }
  std::string moves() {
    std::string text;
    for (std::uint32_t n = rng_.below(5); n > 0; --n) text.append(" ").append(move());
    return text;
  }
  std::string go() {
    static const char* const kLimits[] = {"nodes", "movetime", "wtime",    "btime",
                                          "winc",  "binc",     "infinite", "ponder"};
    std::string text = "go nodes " + std::to_string(rng_.below(40) + 1);
    for (std::uint32_t n = rng_.below(3); n > 0; --n)
      text.append(" ").append(pick(kLimits)).append(" ").append(number());
    if (rng_.chance(0.1)) text += " ponder";
    return rng_.chance(0.05) ? "go infinite" : text;
  }
  std::string sensible() {
    static const char* const kPlain[] = {"uci",     "isready",    "d",          "stop",     "ugi",
                                         "newgame", "ucinewgame", "uginewgame", "ponderhit"};
    static const char* const kBase[] = {
        "startpos",
        "startpos",
        "fen 13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4",
        "fen 8,1S/1S,8 80 80 S 1",
        "fen 4,7S,3,1S/1S,1S,6,2S 80 70 S 50",
        "fen 5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 N 1"};
    static const char* const kOptions[] = {"Nodes",   "Threads", "Hash",      "MoveOverhead",
                                           "PlyCap",  "Model",   "Precision", "Level",
                                           "MultiPV", "Seed",    "Ponder"};
    static const char* const kVariants[] = {
        "standard", "giveaway", "bestemshe", "seven", "standard,tuzdik=false", "chess"};
    switch (rng_.below(8)) {
      case 0:
        return pick(kPlain);
      case 1:
        return "position " + pick(kBase) + (rng_.chance(0.7) ? " moves" + moves() : "");
      case 2:
        return "position moves " + move() + moves();
      case 3:
        return go();
      case 4:
        return "setoption name " + pick(kOptions) + " value " + number();
      case 5:
        return rng_.chance(0.3) ? "setoption name Variant value " + pick(kVariants) : pick(kPlain);
      default:
        return "position moves " + move();
    }
  }
  std::string bytes(std::uint32_t n) {
    std::string text;
    for (; n > 0; --n) text += static_cast<char>(rng_.below(256));
    return text;
  }
  void mutate(std::string& text) {
    for (std::uint32_t n = rng_.below(3) + 1; n > 0; --n) {
      const std::size_t at = rng_.below(static_cast<std::uint32_t>(text.size()) + 1);
      switch (rng_.below(5)) {
        case 0:
          text.insert(at, 1, static_cast<char>(rng_.below(256)));
          break;
        case 1:
          text.insert(at, 1, ' ');
          break;
        case 2:
          text.erase(at, 1 + rng_.below(3));
          break;
        case 3:
          if (at < text.size()) text[at] = static_cast<char>(rng_.below(256));
          break;
        default:
          text += text.substr(at);
          break;
      }
    }
  }

  Rng rng_;
};

bool isCommand(const std::string& line, std::string_view command) {
  const auto parts = words(line);
  return !parts.empty() && parts[0] == command;
}

void expectClean(const std::string& answer) {
  ASSERT_EQ(cleanLine(answer, answer.size()), answer) << "control characters or broken UTF-8";
  bool known = false;
  for (const char* start : {"error ", "info nodes ", "info multipv ", "bestmove ", "readyok",
                            "uciok", "ugiok", "id ", "option name ", "{\"variant\":"})
    known |= answer.starts_with(start);
  ASSERT_TRUE(known) << answer;
}

void fuzz(std::uint64_t seed, int lines) {
  Client client;
  LineMaker maker(seed);
  std::size_t searches = 0, answered = 0, errors = 0;
  const auto collect = [&] {
    std::size_t newErrors = 0;
    for (const std::string& answer : client.take()) {
      ASSERT_NO_FATAL_FAILURE(expectClean(answer));
      answered += answer.starts_with("bestmove ");
      newErrors += answer.starts_with("error ");
    }
    ASSERT_LE(newErrors, 1u) << "more than one error for a line";
    errors += newErrors;
  };
  for (int i = 0; i < lines; ++i) {
    const std::string line = maker.line();
    if (isCommand(line, "quit")) continue;
    const std::size_t before = errors;
    ASSERT_TRUE(client.send(line));
    ASSERT_NO_FATAL_FAILURE(collect());
    if (isCommand(line, "go") && errors == before) ++searches;
    // Long searches are cut; one in ten is left to be ended by the lines that follow.
    if (isCommand(line, "go") && (maker.rng().chance(0.9) || words(line).size() != 3)) {
      ASSERT_TRUE(client.send("stop"));
    }
    if (i % 50 == 0) {
      ASSERT_TRUE(client.send("stop"));
      client.protocol().finishSearch();
      ASSERT_NO_FATAL_FAILURE(collect());
      ASSERT_EQ(answered, searches) << "each go has one bestmove";
      const auto state = nlohmann::json::parse(client.state());
      int balls = state["kazan"][0].get<int>() + state["kazan"][1].get<int>();
      for (const auto& row : state["pits"])
        for (const auto& pit : row) balls += pit.get<int>();
      const auto pits = static_cast<int>(state["pits"][0].size());
      ASSERT_EQ(balls, 2 * pits * pits);
      ASSERT_EQ(state["legal"].empty(), state["over"].get<bool>());
    }
  }
  EXPECT_GT(searches, static_cast<std::size_t>(lines) / 50);
  EXPECT_GT(errors, static_cast<std::size_t>(lines) / 10);
  client.take();
  client.send("isready");
  EXPECT_EQ(client.await("readyok", std::chrono::milliseconds(0)), "readyok");
}

TEST(ProtocolFuzz, TwentyThousandLines) {
  fuzz(11, 20'000);
}
TEST(ProtocolFuzzFull, AHundredThousandLines) {
  for (std::uint64_t seed = 100; seed < 105; ++seed) fuzz(seed, 20'000);
}

}  // namespace
}  // namespace toguz
