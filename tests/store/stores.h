// What tests of stores put into them.
#pragma once

#include <string>

#include "store/run_store.h"

namespace toguz::testing {

inline RunDescription someRun(std::uint64_t backlog = 1 << 20, char id = 'a') {
  RunDescription run;
  run.id = std::string(32, id);
  run.variant = "standard";
  run.rules = 3;
  run.config = "[run]\nname = \"a \\\"b\\\"\"\n";
  run.configHash = 0xfedcba9876543210;
  run.backlogBytes = backlog;
  return run;
}

// Bytes that are no text: zeros, line ends, quotes and all others.
inline std::string someBytes(std::size_t size, unsigned seed = 0) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + seed);
  return bytes;
}

inline Head someHead(const std::string& model, std::uint32_t generation = 1) {
  Head head;
  head.model = sha256(model);
  head.generation = generation;
  head.step = generation * 1000ull;
  head.progress = 0.25;
  return head;
}

inline WorkerReport someReport(WorkerId worker) {
  WorkerReport report;
  report.id = worker;
  report.host = "host \"1\"";
  report.process = 77;
  report.threads = 4;
  report.seconds = 12.5;
  report.games = 1000;
  report.gamesPerMinute = 30.5;
  report.simulationsPerSecond = 1e5;
  report.generation = 3;
  report.model = sha256("model");
  report.spooledGames = 9;
  report.playsMatches = true;
  report.matchGames = 2;
  return report;
}

inline Handled handledOf(const Delivery& delivery, WorkerId worker, std::uint64_t sequence) {
  return {delivery.id, worker, sequence, delivery.bytes.size()};
}

}  // namespace toguz::testing
