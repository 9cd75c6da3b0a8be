// A client of the protocol without a process: sends lines, collects answers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"
#include "play/protocol.h"

namespace toguz::testing {

class Client {
 public:
  explicit Client(const std::string& variant = "standard", Engine::Network network = nullptr)
      : protocol_({.rules = Rules::named(variant), .network = std::move(network), .modelPath = ""},
                  [this](std::string_view line) {
                    std::lock_guard lock(mutex_);
                    lines_.emplace_back(line);
                    arrived_.notify_all();
                  }) {}

  // False after quit.
  bool send(std::string_view line) { return protocol_.handle(line); }

  // All answers since the last call; those of a running search may still be missing.
  std::vector<std::string> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }
  // What one line is answered with, without a search's answers if it starts one.
  std::vector<std::string> ask(std::string_view line) {
    take();
    send(line);
    return take();
  }
  std::string state() {
    const auto answer = ask("d");
    return answer.size() == 1 ? answer[0] : "not one line";
  }
  // Sends a `go` and returns the whole answer, up to bestmove.
  std::vector<std::string> search(std::string_view line) {
    take();
    send(line);
    protocol_.waitForSearch();
    return take();
  }
  std::string bestMove(std::string_view line) {
    const auto answer = search(line);
    return !answer.empty() && answer.back().starts_with("bestmove ") ? answer.back().substr(9)
                                                                     : "no bestmove";
  }
  // Waits for a line with that start; "" if none came in time. It and all before it are taken.
  std::string await(std::string_view start, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    std::string found;
    arrived_.wait_for(lock, limit, [&] {
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!lines_[i].starts_with(start)) continue;
        found = lines_[i];
        lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return true;
      }
      return false;
    });
    return found;
  }
  Protocol& protocol() { return protocol_; }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::string> lines_;
  Protocol protocol_;  // last: it stops using the rest before they go
};

inline double msSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// A small network with opinions: random weights in every layer.
inline Model opinionatedModel(const Rules& rules, std::uint64_t seed) {
  Model model = randomModel(rules, {.width = 32, .blocks = 1}, seed);
  Rng rng(seed + 1);
  for (Tensor& tensor : model.tensors)
    if (tensor.name.starts_with("head"))
      for (float& weight : tensor.data) weight = static_cast<float>(0.1 * rng.normal());
  return model;
}

inline Engine::Network opinionatedNetwork(const Rules& rules, std::uint64_t seed = 7) {
  return std::make_shared<const NativeNetwork>(opinionatedModel(rules, seed));
}

}  // namespace toguz::testing
