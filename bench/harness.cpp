#include "bench/harness.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/error.h"

namespace toguz::bench {

double median(std::vector<double> values) {
  TOGUZ_CHECK(!values.empty(), "the median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Rates::median(std::size_t side) const {
  std::vector<double> values;
  for (const auto& round : rounds) values.push_back(round[side]);
  return bench::median(std::move(values));
}

double Rates::medianRatio(std::size_t side, std::size_t against) const {
  std::vector<double> values;
  for (const auto& round : rounds) values.push_back(round[side] / round[against]);
  return bench::median(std::move(values));
}

Rates interleave(const std::vector<Contender>& sides, int rounds) {
  Rates rates;
  for (int round = -1; round < rounds; ++round) {
    std::vector<double> row;
    for (const Contender& side : sides) row.push_back(side.run().rate());
    if (round >= 0) rates.rounds.push_back(std::move(row));
  }
  return rates;
}

Work repeatFor(double seconds, const std::function<double()>& step) {
  Work work;
  const auto start = std::chrono::steady_clock::now();
  do {
    work.units += step();
    work.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (work.seconds < seconds);
  return work;
}

void Findings::add(const std::string& key, const std::string& text, double value,
                   const std::string& unit) {
  char line[256];
  if (value >= 1000)
    std::snprintf(line, sizeof line, "  %-58s %14.0f %s\n", text.c_str(), value, unit.c_str());
  else
    std::snprintf(line, sizeof line, "  %-58s %14.3f %s\n", text.c_str(), value, unit.c_str());
  lines_ += line;
  json_[key] = value;
}

void Findings::add(const std::string& key, const std::string& text, const std::string& value) {
  char line[256];
  std::snprintf(line, sizeof line, "  %-58s %s\n", text.c_str(), value.c_str());
  lines_ += line;
  json_[key] = value;
}

std::string Findings::text() const {
  return benchmark_ + "\n" + lines_;
}

}  // namespace toguz::bench
