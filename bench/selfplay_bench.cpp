#include <atomic>
#include <chrono>
#include <thread>

#include "bench/internal.h"
#include "selfplay/worker.h"

namespace toguz::bench {
namespace {

class Handle final : public NetworkHandle {
 public:
  explicit Handle(std::shared_ptr<const NativeNetwork> network) : network_(std::move(network)) {}
  std::uint32_t generation() const override { return 0; }
  std::unique_ptr<Evaluator> makeEvaluator() const override {
    return std::make_unique<NativeEvaluator>(network_);
  }

 private:
  std::shared_ptr<const NativeNetwork> network_;
};

// Self-play by `workers` threads for `seconds`; units are simulations.
Work selfPlay(const NetworkSlot& slot, const Rules& rules, int workers, int games, double seconds) {
  std::atomic<bool> stop{false};
  WorkerCounters counters;
  std::vector<WorkerSetup> setups;
  for (int w = 0; w < workers; ++w) {
    WorkerSetup setup;
    setup.rules = rules;
    setup.config.games = games;
    setup.networks = &slot;
    setup.worker = static_cast<std::uint32_t>(w);
    setup.nextGame = [id = static_cast<std::uint64_t>(w),
                      workers]() mutable -> std::optional<std::uint64_t> {
      id += static_cast<std::uint64_t>(workers);
      return id;
    };
    setup.deliver = [](GameRecord&&) {};
    setup.stop = &stop;
    setup.counters = &counters;
    setups.push_back(std::move(setup));
  }
  std::vector<std::thread> threads;
  for (const WorkerSetup& setup : setups) threads.emplace_back([&setup] { runWorker(setup); });
  // The start of all games at once is not what self-play does later.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t before = counters.simulations;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  Work work;
  work.units = static_cast<double>(counters.simulations - before);
  work.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return work;
}

}  // namespace

Findings selfPlayBench(const Options& options) {
  Findings findings("selfplay");
  const Model model = benchModel(options);
  const auto network = std::make_shared<const NativeNetwork>(model);
  NetworkSlot slot;
  slot.publish(std::make_shared<Handle>(network));
  NetworkSlot int8;
  int8.publish(
      std::make_shared<Handle>(std::make_shared<const NativeNetwork>(model, Precision::Int8)));
  NativeEvaluator native(network);
  constexpr int kGames = 64;
  const std::vector<Position> positions = randomPositions(model.rules, 4096, 1);
  const double seconds = 2 * options.seconds;
  const Rates rates =
      interleave({{"one", [&] { return selfPlay(slot, model.rules, 1, kGames, seconds); }},
                  {"two", [&] { return selfPlay(slot, model.rules, 2, kGames, seconds); }},
                  {"inference",
                   [&] {
                     std::vector<Evaluation> out(kGames);
                     std::size_t at = 0;
                     return repeatFor(options.seconds, [&] {
                       native.evaluate({positions.data() + at, kGames}, out);
                       at = (at + kGames) % (positions.size() - kGames);
                       return static_cast<double>(kGames);
                     });
                   }},
                  {"int8", [&] { return selfPlay(int8, model.rules, 1, kGames, seconds); }}},
                 options.rounds);
  findings.add("simulations_per_second_1", "one worker, 64 games, fp32, no cache", rates.median(0),
               "sims/s");
  findings.add("inference_64", "inference alone, batch 64", rates.median(2), "evals/s");
  findings.add("share_of_inference", "  self-play against inference alone", rates.medianRatio(0, 2),
               "x");
  findings.add("simulations_per_second_2", "two workers", rates.median(1), "sims/s");
  findings.add("two_workers_ratio", "  two workers against one", rates.medianRatio(1, 0), "x");
  findings.add("simulations_per_second_int8", "one worker, int8", rates.median(3), "sims/s");
  findings.add("int8_against_fp32", "  against fp32", rates.medianRatio(3, 0), "x");
  return findings;
}

}  // namespace toguz::bench
