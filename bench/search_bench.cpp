#include <bit>
#include <cstdio>

#include "bench/internal.h"
#include "play/engine.h"
#include "search/search.h"
#include "search/signature.h"

namespace toguz::bench {
namespace {

Contender treeSide(const std::string& name, const Rules& rules, Evaluator& evaluator, int batch,
                   double seconds) {
  return {name, [&rules, &evaluator, batch, seconds] {
            Search search(rules, SearchParams{}, 1);
            return repeatFor(seconds, [&] {
              search.setRoot(Game(rules));
              SearchLimits limits;
              limits.nodes = 20000;
              search.run(limits, evaluator, batch);
              return static_cast<double>(limits.nodes);
            });
          }};
}

// The playing engine on several threads; units are visits. The same engine round after round, on
// another game each time: its memory is warm and its tree new, as in the course of a game.
Contender engineSide(const Engine::Network& network, int threads, double seconds) {
  EngineOptions options;
  options.threads = threads;
  return {"engine",
          [engine = std::make_shared<Engine>(network, options), seconds, round = 0]() mutable {
            Game game(engine->rules());
            PitMask rest = game.legal();
            for (int skip = round++ % std::popcount(rest); skip > 0; --skip) rest &= rest - 1;
            game.play(std::countr_zero(rest));
            engine->setPosition(game);
            EngineLimits limits;
            limits.moveTimeMs = 1000 * seconds;
            const SearchInfo info = engine->search(limits).info;
            return Work{static_cast<double>(info.nodes), info.timeMs / 1000};
          }};
}

}  // namespace

Findings searchBench(const Options& options) {
  Findings findings("search");
  for (const std::string name : {"standard", "giveaway", "bestemshe", "seven"}) {
    const Signature signature = searchSignature(Rules::named(name));
    char text[32];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(signature.hash));
    findings.add("signature_" + name, "signature, " + name, text);
  }
  const Model model = benchModel(options);
  const auto fp32Network = std::make_shared<const NativeNetwork>(model);
  const auto int8Network = std::make_shared<const NativeNetwork>(model, Precision::Int8);
  NativeEvaluator native(fp32Network);
  NativeEvaluator int8(int8Network);
  HashEvaluator hash(model.rules);
  const Rates rates = interleave(
      {treeSide("tree", model.rules, hash, 1, options.seconds),
       treeSide("native 1", model.rules, native, 1, options.seconds),
       treeSide("native 8", model.rules, native, 8, options.seconds),
       treeSide("native 16", model.rules, native, 16, options.seconds),
       treeSide("int8 8", model.rules, int8, 8, options.seconds),
       treeSide("int8 16", model.rules, int8, 16, options.seconds),
       engineSide(fp32Network, 1, options.seconds), engineSide(fp32Network, 2, options.seconds),
       engineSide(int8Network, 1, options.seconds), engineSide(int8Network, 2, options.seconds)},
      options.rounds);
  findings.add("tree_nodes_per_second", "one tree, no network (tree and rules alone)",
               rates.median(0), "nodes/s");
  findings.add("nodes_per_second_1", "one tree, native fp32, 1 leaf a batch", rates.median(1),
               "nodes/s");
  findings.add("nodes_per_second_8", "one tree, native fp32, 8 leaves a batch", rates.median(2),
               "nodes/s");
  findings.add("nodes_per_second_16", "one tree, native fp32, 16 leaves a batch", rates.median(3),
               "nodes/s");
  findings.add("nodes_per_second_int8_8", "one tree, native int8, 8 leaves a batch",
               rates.median(4), "nodes/s");
  findings.add("nodes_per_second_int8_16", "one tree, native int8, 16 leaves a batch",
               rates.median(5), "nodes/s");
  findings.add("engine_fp32", "engine, fp32, one thread", rates.median(6), "nodes/s");
  findings.add("engine_fp32_threads_ratio", "  two threads on the tree against one",
               rates.medianRatio(7, 6), "x");
  findings.add("engine_int8", "engine, int8, one thread", rates.median(8), "nodes/s");
  findings.add("engine_int8_threads_ratio", "  two threads on the tree against one",
               rates.medianRatio(9, 8), "x");
  return findings;
}

}  // namespace toguz::bench
