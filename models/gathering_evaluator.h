// Brings the positions of many threads together in large batches, for devices that want them large
// (a GPU behind LibTorch). Where a core evaluates a position in microseconds it is not worth it: a
// worker on a CPU evaluates its own games' leaves inline.
//
// Any number of clients, each an Evaluator for one thread, hand in their positions and sleep until
// they are answered; one server thread, which owns the inner evaluator, takes all that is waiting.
// A batch goes out when every client waits, when `maxBatch` positions do, or `maxWait` after the
// first of them, whichever is first. Positions of one call stay together and answers do not depend
// on what else is in the batch as far as they do not in the inner evaluator.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "search/evaluator.h"

namespace toguz {

class GatheringEvaluator : public std::enable_shared_from_this<GatheringEvaluator> {
 public:
  struct Options {
    std::size_t maxBatch = 4096;
    std::chrono::microseconds maxWait{500};
  };
  struct Counts {
    std::uint64_t batches = 0;
    std::uint64_t positions = 0;
  };

  // `makeInner` is called on the server thread, which is the only one that uses what it returns;
  // what it throws is thrown here.
  static std::shared_ptr<GatheringEvaluator> start(
      std::function<std::unique_ptr<Evaluator>()> makeInner, const Options& options);
  static std::shared_ptr<GatheringEvaluator> start(
      std::function<std::unique_ptr<Evaluator>()> makeInner) {
    return start(std::move(makeInner), Options());
  }
  ~GatheringEvaluator();

  // A client keeps the server alive. Thread-safe. What the inner evaluator throws is thrown to the
  // clients whose positions were in that batch; the server goes on.
  std::unique_ptr<Evaluator> makeClient();
  Counts counts() const;

 private:
  class Client;
  struct Request {
    std::span<const Position> positions;
    std::span<Evaluation> out;
    bool answered = false;
    std::exception_ptr failure;
    std::condition_variable wake;
  };

  explicit GatheringEvaluator(const Options& options) : options_(options) {}
  void serve(const std::function<std::unique_ptr<Evaluator>()>& makeInner);
  void evaluateBatch(Evaluator& inner, std::span<Request* const> batch);
  void ask(Request& request);

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable serverWake_;
  std::vector<Request*> waiting_;
  std::size_t waitingPositions_ = 0;
  std::size_t clients_ = 0;
  bool ready_ = false;  // the inner evaluator is there, or failure_ says why not
  bool ending_ = false;
  std::exception_ptr failure_;
  Counts counts_;
  std::vector<Position> positions_;  // of the server thread
  std::vector<Evaluation> evaluations_;
  std::thread server_;
};

}  // namespace toguz
