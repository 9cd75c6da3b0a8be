// What a run says of itself while it goes on.
#include <cstdio>

#include "base/machine.h"
#include "training/run.h"

namespace toguz {
namespace {

nlohmann::ordered_json lossJson(const StepLosses& losses) {
  return {{"total", losses.total},
          {"policy", losses.policy},
          {"result", losses.result},
          {"margin", losses.margin},
          {"reply", losses.reply},
          {"short_value", losses.shortValue},
          {"policy_entropy", losses.policyEntropy},
          {"gradient_norm", losses.gradientNorm}};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace

void TrainingRun::writeTrainMetrics() {
  const double now = elapsed();
  nlohmann::ordered_json fields = {{"kind", "train"}, {"elapsed", now}};
  {
    const std::lock_guard lock(stateMutex_);
    fields["generation"] = newest_->generation;
    fields["losses"] = lossJson(losses_);
    const std::uint64_t simulations = counters_.simulations;
    fields["simulations_per_second"] =
        static_cast<double>(simulations - metricsSimulations_) / std::max(1e-3, now - metricsAt_);
    fields.update(stats_.json());
    stats_ = {};
    metricsAt_ = now;
    metricsSimulations_ = simulations;
  }
  fields["games"] = gamesAdded();
  fields["rows"] = replay_.totalRows();
  fields["window"] = replay_.windowRows();
  fields["reuse"] =
      share(step() * static_cast<std::uint64_t>(config_.training.batch), replay_.totalRows());
  fields["duplicate_share"] = replay_.duplicateShare(20000);
  fields["self_play_wait"] = bucket_.earnWaitSeconds();
  constexpr std::size_t kMeasured = 4096;
  const std::vector<TrainingRow> rows = replay_.holdOut(kMeasured);
  if (!rows.empty()) fields["hold_out"] = lossJson(trainer_->measure(rows, true));
  fields["gate_share"] = judge_.gateSeconds() / std::max(1.0, now);
  fields["rating_share"] = judge_.ratingSeconds() / std::max(1.0, now);
  fields["resident_mb"] = residentMegabytes();
  reporter_.metric(std::move(fields));
}

Progress::Fields TrainingRun::progressFields() {
  const double now = elapsed();
  const std::lock_guard lock(stateMutex_);
  if (now - rateAt_ > 2.0) {
    const std::uint64_t simulations = counters_.simulations;
    simulationRate_ = static_cast<double>(simulations - rateSimulations_) / (now - rateAt_);
    rateSimulations_ = simulations;
    rateAt_ = now;
  }
  Progress::Fields fields = {{"generation", std::to_string(newest_->generation)},
                             {"games", countText(static_cast<double>(gamesAdded()))},
                             {"positions", countText(static_cast<double>(replay_.totalRows()))},
                             {"sims/s", countText(simulationRate_)}};
  char text[64];
  if (step() > 0) {
    std::snprintf(text, sizeof text, "policy %.3f value %.3f", losses_.policy, losses_.result);
    fields.emplace_back("loss", text);
  }
  if (const auto rating = judge_.lastRating()) {
    std::snprintf(text, sizeof text, "%.0f", rating->elo);
    fields.emplace_back("rating", text);
  }
  return fields;
}

}  // namespace toguz
