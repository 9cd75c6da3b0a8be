#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/machine.h"
#include "bench/internal.h"
#include "models/gathering_evaluator.h"
#include "selfplay/worker.h"
#ifdef TOGUZ_TRAINING
#include "models/torch/torch_evaluator.h"
#endif

namespace toguz::bench {
namespace {

class Handle final : public NetworkHandle {
 public:
  explicit Handle(std::shared_ptr<const NativeNetwork> network) : network_(std::move(network)) {}
  std::uint32_t generation() const override { return 0; }
  std::uint64_t cacheKey() const override { return network_->cacheKey(); }
  std::unique_ptr<Evaluator> makeEvaluator() const override {
    return std::make_unique<NativeEvaluator>(network_);
  }

 private:
  std::shared_ptr<const NativeNetwork> network_;
};

// Inference on a LibTorch device, in batches gathered from all workers.
class GatheredHandle final : public NetworkHandle {
 public:
  GatheredHandle(std::shared_ptr<const NativeNetwork> network,
                 std::shared_ptr<GatheringEvaluator> gathering)
      : network_(std::move(network)), gathering_(std::move(gathering)) {}
  std::uint32_t generation() const override { return 0; }
  std::uint64_t cacheKey() const override { return network_->cacheKey(); }
  std::unique_ptr<Evaluator> makeEvaluator() const override { return gathering_->makeClient(); }

 private:
  std::shared_ptr<const NativeNetwork> network_;
  std::shared_ptr<GatheringEvaluator> gathering_;
};

struct Side {
  const NetworkSlot* slot;
  int workers = 1;
  int games = 64;
  int cache = 0;
};

struct SelfPlayCounts {
  double simulations = 0, evaluations = 0, seconds = 0;
};

// Self-play of the default recipe by `side.workers` threads for `seconds`.
SelfPlayCounts selfPlay(const Side& side, const Rules& rules, double seconds) {
  std::atomic<bool> stop{false};
  WorkerCounters counters;
  std::vector<WorkerSetup> setups;
  for (int w = 0; w < side.workers; ++w) {
    WorkerSetup setup;
    setup.rules = rules;
    setup.config.games = side.games;
    setup.config.cache = side.cache;
    setup.networks = side.slot;
    setup.worker = static_cast<std::uint32_t>(w);
    setup.nextGame = [id = static_cast<std::uint64_t>(w),
                      workers = side.workers]() mutable -> std::optional<std::uint64_t> {
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
  std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.1, 0.3 * seconds)));
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t simulations = counters.simulations, evaluations = counters.evaluations;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  SelfPlayCounts counts;
  counts.simulations = static_cast<double>(counters.simulations - simulations);
  counts.evaluations = static_cast<double>(counters.evaluations - evaluations);
  counts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return counts;
}

Contender selfPlaySide(const Side& side, const Rules& rules, double seconds) {
  return {"self-play", [side, rules, seconds] {
            const SelfPlayCounts counts = selfPlay(side, rules, seconds);
            return Work{counts.simulations, counts.seconds};
          }};
}

#ifdef TOGUZ_TRAINING
void addGathered(Findings& findings, const Options& options, const Model& model,
                 const std::shared_ptr<const NativeNetwork>& network) {
  const auto gathering = GatheringEvaluator::start(
      [&] { return std::make_unique<TorchEvaluator>(model, options.device); });
  NetworkSlot slot;
  slot.publish(std::make_shared<GatheredHandle>(network, gathering));
  const bool cpu = options.device == "cpu";
  const int cores = static_cast<int>(usableCores().size());
  const Side side{&slot, cpu ? 2 : 2 * cores, cpu ? 64 : 512, 0};
  const SelfPlayCounts counts = selfPlay(side, model.rules, 4 * options.seconds);
  const GatheringEvaluator::Counts total = gathering->counts();
  findings.add("gathered_simulations_per_second",
               std::to_string(side.workers) + " workers, " + std::to_string(side.games) +
                   " games each, gathered for LibTorch on " + options.device,
               counts.simulations / counts.seconds, "sims/s");
  findings.add("gathered_batch", "  positions a batch",
               static_cast<double>(total.positions) / static_cast<double>(total.batches), "");
}
#endif

}  // namespace

Findings selfPlayBench(const Options& options) {
  Findings findings("selfplay");
  const Model model = benchModel(options);
  const auto network = std::make_shared<const NativeNetwork>(model);
  NetworkSlot fp32;
  fp32.publish(std::make_shared<Handle>(network));
  NetworkSlot int8;
  int8.publish(
      std::make_shared<Handle>(std::make_shared<const NativeNetwork>(model, Precision::Int8)));
  constexpr std::size_t kBatch = 64;
  const int cache = SelfPlayConfig().cache;
  const std::vector<Position> positions = randomPositions(model.rules, 4096, 1);
  const double seconds = 3 * options.seconds;
  const auto side = [&](const NetworkSlot& slot, int workers, int entries) {
    return selfPlaySide({&slot, workers, static_cast<int>(kBatch), entries}, model.rules, seconds);
  };
  // Threads that share nothing: what two of them gain is what the machine gives to two.
  const auto infer = [&](int threads) {
    std::vector<Work> done(static_cast<std::size_t>(threads));
    const auto work = [&](Work& of) {
      NativeEvaluator native(network);
      std::vector<Evaluation> out(kBatch);
      std::size_t at = 0;
      of = repeatFor(options.seconds, [&] {
        native.evaluate({positions.data() + at, kBatch}, out);
        at = (at + kBatch) % (positions.size() - kBatch);
        return static_cast<double>(kBatch);
      });
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < done.size(); ++i) others.emplace_back([&, i] { work(done[i]); });
      work(done[0]);
    }
    Work sum = done[0];
    for (std::size_t i = 1; i < done.size(); ++i)
      sum.units += done[i].units * done[0].seconds / done[i].seconds;
    return sum;
  };
  const Rates rates = interleave({side(fp32, 1, 0),
                                  side(fp32, 2, 0),
                                  {"inference", [&] { return infer(1); }},
                                  side(int8, 1, 0),
                                  side(int8, 1, cache),
                                  side(int8, 2, 0),
                                  {"inference, two threads", [&] { return infer(2); }}},
                                 options.rounds);
  findings.add("simulations_per_second_1", "one worker, 64 games, fp32, no cache", rates.median(0),
               "sims/s");
  findings.add("inference_64", "inference alone, batch 64", rates.median(2), "evals/s");
  findings.add("share_of_inference", "  self-play against inference alone", rates.medianRatio(0, 2),
               "x");
  findings.add("simulations_per_second_2", "two workers", rates.median(1), "sims/s");
  findings.add("two_workers_ratio", "  two workers against one", rates.medianRatio(1, 0), "x");
  findings.add("two_threads_inference_ratio",
               "  inference alone: two threads that share nothing against one",
               rates.medianRatio(6, 2), "x");
  findings.add("simulations_per_second_int8", "one worker, int8", rates.median(3), "sims/s");
  findings.add("int8_against_fp32", "  against fp32", rates.medianRatio(3, 0), "x");
  findings.add("two_workers_ratio_int8", "  two workers against one", rates.medianRatio(5, 3), "x");
  findings.add("simulations_per_second_int8_cache",
               "one worker, int8, the default's cache of answers", rates.median(4), "sims/s");
  findings.add("cache_ratio", "  against none", rates.medianRatio(4, 3), "x");
  const SelfPlayCounts cached = selfPlay({&int8, 1, 64, cache}, model.rules, seconds);
  findings.add("cache_hits", "  simulations that needed no evaluation",
               1 - cached.evaluations / cached.simulations, "");
  findings.add("resident_megabytes", "resident memory after 128 games in flight",
               residentMegabytes(), "MB");
#ifdef TOGUZ_TRAINING
  addGathered(findings, options, model, network);
#endif
  return findings;
}

}  // namespace toguz::bench
