// Measuring: sides are run in turn, round after round, so that a machine whose speed drifts treats
// them alike; figures are medians over the rounds and ratios are medians of each round's ratio.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace toguz::bench {

// Runs for about `seconds` and returns how many units of work were done and the seconds they took.
struct Work {
  double units = 0;
  double seconds = 0;
  double rate() const { return seconds > 0 ? units / seconds : 0; }
};

struct Contender {
  std::string name;
  std::function<Work()> run;
};

struct Rates {
  std::vector<std::vector<double>> rounds;  // [round][side], units a second
  double median(std::size_t side) const;
  double medianRatio(std::size_t side, std::size_t against) const;
};

// One round of each side is run first and not counted.
Rates interleave(const std::vector<Contender>& sides, int rounds);

double median(std::vector<double> values);
// Repeats `step`, which returns the units it did, until `seconds` have passed.
Work repeatFor(double seconds, const std::function<double()>& step);

// What a benchmark found, for people and for programs.
class Findings {
 public:
  explicit Findings(std::string benchmark) : benchmark_(std::move(benchmark)) {}
  // `key` is the JSON name; `text` says it to people; unit as "evals/s" or "x".
  void add(const std::string& key, const std::string& text, double value, const std::string& unit);
  void add(const std::string& key, const std::string& text, const std::string& value);
  const std::string& benchmark() const { return benchmark_; }
  std::string text() const;
  const nlohmann::ordered_json& json() const { return json_; }

 private:
  std::string benchmark_;
  std::string lines_;
  nlohmann::ordered_json json_ = nlohmann::ordered_json::object();
};

struct Options {
  double seconds = 0.5;  // a side a round
  int rounds = 5;
  std::string model;  // measure with this model file; empty: random weights of the default network
  std::string device = "cpu";  // of LibTorch
};

struct Benchmark {
  const char* name;
  const char* help;
  Findings (*run)(const Options&);
};

// All of this build, in the order in which they are run.
const std::vector<Benchmark>& benchmarks();

}  // namespace toguz::bench
