// Networks and analysts by the rules that they play, made when they are first asked for.
// Not for sharing between threads; the analysts themselves are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/analyst.h"

namespace toguz {

// Those given, else the shipped ones.
class Networks {
 public:
  // Throws UsageError if two of the model files are of one variant.
  explicit Networks(const std::vector<std::string>& paths);
  // Throws UsageError if there is none for these rules.
  Engine::Network of(const Rules& rules);

 private:
  std::map<std::string, Engine::Network> networks_;
};

class Analysts {
 public:
  // `threads` of each; 0 = one a core. `networks` must outlive this.
  Analysts(Networks& networks, int threads) : networks_(networks), threads_(threads) {}
  Analyst& of(const Rules& rules);  // throws as Networks::of
  void finish();                    // waits until all are idle

 private:
  Networks& networks_;
  int threads_;
  std::map<std::string, std::unique_ptr<Analyst>> analysts_;
};

}  // namespace toguz
