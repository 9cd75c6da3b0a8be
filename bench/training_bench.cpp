#include "base/rng.h"
#include "bench/internal.h"
#include "training/config.h"
#include "training/replay.h"
#include "training/trainer.h"

namespace toguz::bench {
namespace {

// Rows of the right form with random targets: what they teach does not matter to speed.
std::vector<TrainingRow> randomRows(const Rules& rules, std::size_t count) {
  Rng rng(3);
  std::vector<TrainingRow> rows(count);
  const std::vector<Position> positions = randomPositions(rules, count, 3);
  for (std::size_t i = 0; i < count; ++i) {
    TrainingRow& row = rows[i];
    row.position =
        positions[i].side == Side::First ? positions[i] : positions[i].swapped(rules.set());
    const PitMask legal = legalMoves(rules, row.position);
    for (PitMask rest = legal; rest; rest &= rest - 1)
      row.policy[static_cast<std::size_t>(std::countr_zero(rest))] =
          static_cast<std::uint16_t>(65535 / std::popcount(legal));
    row.result = rng.chance(0.5) ? 1 : -1;
    row.margin = static_cast<std::int16_t>(static_cast<int>(rng.below(80)) - 40);
    row.reply = static_cast<std::uint8_t>(rng.below(rules.set().pits));
  }
  return rows;
}

}  // namespace

Findings trainBench(const Options& options) {
  Findings findings("train");
  const Model model = benchModel(options);
  const std::vector<TrainingRow> rows = randomRows(model.rules, 8192);
  TrainerParams params;
  Trainer trainer(model, params);
  const auto batch = static_cast<std::size_t>(params.batch);
  std::size_t at = 0;
  const Rates rates = interleave({{"train",
                                   [&] {
                                     return repeatFor(options.seconds, [&] {
                                       trainer.step({rows.data() + at, batch});
                                       at = (at + batch) % (rows.size() - batch);
                                       return static_cast<double>(batch);
                                     });
                                   }}},
                                 options.rounds);
  findings.add("rows_per_second_512", "trainer, batch 512, one core", rates.median(0), "rows/s");
  return findings;
}

Findings replayBench(const Options& options) {
  Findings findings("replay");
  const std::vector<TrainingRow> rows = randomRows(Rules(kStandard), 16384);
  ReplayConfig config;
  config.windowMin = config.windowMax = 1 << 20;
  ReplayBuffer buffer(config);
  while (!buffer.ready()) buffer.add(rows);
  std::vector<TrainingRow> batch(512);
  std::uint64_t number = 0;
  const Rates rates = interleave({{"add",
                                   [&] {
                                     return repeatFor(options.seconds, [&] {
                                       buffer.add(rows);
                                       return static_cast<double>(rows.size());
                                     });
                                   }},
                                  {"sample",
                                   [&] {
                                     return repeatFor(options.seconds, [&] {
                                       buffer.sample(batch, 1, number++);
                                       return static_cast<double>(batch.size());
                                     });
                                   }}},
                                 options.rounds);
  findings.add("add_rows_per_second", "adding", rates.median(0), "rows/s");
  findings.add("sample_rows_per_second", "sampling, window of 1,048,576 rows", rates.median(1),
               "rows/s");
  findings.add("bytes_per_row", "memory",
               static_cast<double>(buffer.memoryBytes()) / static_cast<double>(buffer.windowRows()),
               "bytes/row");
  return findings;
}

}  // namespace toguz::bench
