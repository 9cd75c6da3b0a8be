#include "training/run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "training/network_handle.h"
#include "training/row.h"

namespace toguz {
namespace {

constexpr const char* kTrainerFile = "trainer.state";
constexpr const char* kPublishedFile = "published.tzn";

TrainerParams trainerParams(const Config& config) {
  const TrainingConfig& t = config.training;
  TrainerParams params;
  params.learningRate = t.learningRate;
  params.weightDecay = t.weightDecay;
  params.gradientClip = t.gradientClip;
  params.warmupSteps = t.warmupSteps;
  params.batch = t.batch;
  params.loss = t.loss;
  params.emaDecay = t.emaDecay;
  params.device = t.device;
  return params;
}

TokenBucket::Setup bucketSetup(const Config& config) {
  return {.reuse = config.replay.reuse,
          .batch = config.training.batch,
          .slack = config.replay.reuseSlack,
          .freeRows = static_cast<std::uint64_t>(config.replay.windowMin)};
}

double rateFactor(const TrainingConfig& t, double progress) {
  if (progress >= t.drop2At) return t.drop2Factor;
  if (progress >= t.drop1At) return t.drop1Factor;
  return 1.0;
}

GameArchive::Options archiveOptions(const Config& config, Reporter& reporter) {
  GameArchive::Options options;
  options.chunkGames = config.store.chunkGames;
  options.skipDamaged = config.store.skipDamaged;
  options.warn = [&reporter](const std::string& line) { reporter.warn(line); };
  return options;
}

std::optional<Checkpoint> newestCheckpoint(const TrainOptions& options,
                                           const CheckpointFolder& folder,
                                           std::vector<std::string>& skipped) {
  if (!options.resume) return std::nullopt;
  auto checkpoint = folder.newest(&skipped);
  if (checkpoint && !skipped.empty() && !options.config.store.skipDamaged)
    throw Error(skipped.front() + "; put the file back, or go on from step " +
                std::to_string(checkpoint->counters.step) +
                ", the checkpoint before, with --set store.skip_damaged=true");
  if (!checkpoint) {
    for (const std::string& line : skipped) throw Error(line + "; no other checkpoint is left");
    throw Error(options.directory.string() +
                ": no checkpoint to resume from; start the run again in another folder");
  }
  return checkpoint;
}

}  // namespace

RunDirectory TrainingRun::openDirectory(const TrainOptions& options) {
  return options.resume ? RunDirectory::resume(options.directory)
                        : RunDirectory::create(options.directory);
}

TrainingRun::TrainingRun(const TrainOptions& options, const std::atomic<bool>& stop)
    : config_(options.config),
      rules_(config_.rules()),
      configHash_(gameConfigHash(config_)),
      stopAfter_(options.stopAfter),
      directory_(openDirectory(options)),
      identity_(directory_.path(), configHash_),
      checkpoints_(directory_.checkpoints(), config_.run.checkpointsKept,
                   config_.run.checkpointKeepEach),
      resumedFrom_([&] {
        std::vector<std::string> skipped;
        auto checkpoint = newestCheckpoint(options, checkpoints_, skipped);
        for (const std::string& line : skipped) std::fprintf(stderr, "warning: %s\n", line.c_str());
        return checkpoint;
      }()),
      reporter_(directory_.log(), config_.run.logLevel, directory_.metrics(), directory_.events(),
                resumedFrom_ ? resumedFrom_->counters.step : 0),
      archive_(directory_.games(), rules_, archiveOptions(config_, reporter_)),
      replay_(config_.replay),
      bucket_(bucketSetup(config_)),
      judge_(
          {&config_, &directory_, &reporter_, &stop, config_.run.deterministic ? nullptr : &farm_}),
      batch_(static_cast<std::size_t>(config_.training.batch)),
      started_(std::chrono::steady_clock::now()) {
  if (resumedFrom_)
    restore(*resumedFrom_);
  else
    start();
  // Only now: a resume that was refused must leave the run as it was.
  saveRunConfig(config_, directory_.config());
}

void TrainingRun::start() {
  Model model = randomModel(rules_, config_.network, static_cast<std::uint64_t>(config_.run.seed));
  model.provenance["run"] = directory_.path().filename().string();
  trainer_ = std::make_unique<Trainer>(model, trainerParams(config_));
  publishNewest();
  // From the first moment there is something to resume, under a sitting's number of its own.
  checkpoint();
}

void TrainingRun::restore(const Checkpoint& checkpoint) {
  const Counters& c = checkpoint.counters;
  Model published = loadModel(checkpoint.folder / kPublishedFile);
  if (!(published.rules == rules_) || !(published.architecture == config_.network))
    throw UsageError(directory_.config().string() +
                     ": game.variant and [network] cannot change on --resume; start a new run");
  trainer_ = std::make_unique<Trainer>(published, trainerParams(config_));
  trainer_->loadState(checkpoint.folder / kTrainerFile);
  TOGUZ_CHECK(static_cast<std::uint64_t>(trainer_->steps()) == c.step,
              "a checkpoint whose trainer is at another step than its counters");
  step_ = c.step;
  lastPublishedStep_ = published.provenance.value("step", c.step);
  newest_ = publish(std::move(published), c.generation, lastPublishedStep_);
  nextGeneration_ = std::max(c.generation, judge_.newestGeneration()) + 1;
  handToSelfPlay(newest_);
  followBest();

  const bool lenient = config_.store.skipDamaged;
  const std::uint64_t games = std::min(c.games, archive_.gameCount());
  if (games < c.games && !lenient)
    throw Error(
        directory_.games().string() + ": holds " + std::to_string(archive_.gameCount()) +
        " games where the checkpoint counts " + std::to_string(c.games) +
        "; put the missing files back, or go on without them: --set store.skip_damaged=true");
  replay_.restore(archive_, games, lenient ? std::nullopt : std::optional(c.rows), lenient);
  bucket_.restore({c.tokens, c.tokenRows});
  gamesAdded_ = games;
  if (!config_.run.deterministic) {
    // Games that were stored after the checkpoint; a lock-step run plays the same ones again.
    const std::uint64_t rows = replay_.addGames(archive_, games, archive_.gameCount());
    bucket_.earnNow(rows);
    gamesAdded_ = archive_.gameCount();
  }
  nextGameId_ = c.nextGameId;
  elapsedBefore_ = c.elapsedSeconds;
  judge_.setSeconds(c.gateSeconds, c.ratingSeconds);
  session_ = c.extra.value("session", std::uint64_t{0}) + 1;
  reporter_.say("resumed from " + checkpoint.folder.filename().string() + ": step " +
                std::to_string(c.step) + ", " + std::to_string(gamesAdded_.load()) + " games, " +
                std::to_string(replay_.windowRows()) + " rows in the window, " +
                durationText(elapsedBefore_) + " spent");
  // The sitting's number must be on disk before its first game: ids are never used twice.
  this->checkpoint();
}

double TrainingRun::elapsed() const {
  return elapsedBefore_ +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

double TrainingRun::progress() const {
  const RunConfig& run = config_.run;
  double share = 0;
  if (run.maxSteps > 0) share = static_cast<double>(step()) / static_cast<double>(run.maxSteps);
  // In lock-step the wall clock may end the run but must not steer it.
  if (run.minutes > 0 && !run.deterministic)
    share = std::max(share, elapsed() / (60 * run.minutes));
  return std::min(share, 1.0);
}

bool TrainingRun::budgetSpent() const {
  const RunConfig& run = config_.run;
  return (run.maxSteps > 0 && step() >= static_cast<std::uint64_t>(run.maxSteps)) ||
         (run.minutes > 0 && elapsed() >= 60 * run.minutes);
}

WorkerSetup TrainingRun::workerSetup(std::uint32_t worker, std::uint32_t workers,
                                     const std::atomic<bool>& stop) {
  WorkerSetup setup;
  setup.rules = rules_;
  setup.plyCap = config_.game.plyCap;
  setup.config = config_.selfplay;
  setup.runSeed = static_cast<std::uint64_t>(config_.run.seed);
  setup.worker = worker;
  setup.configHash = configHash_;
  setup.networks = &networks_;
  // Each worker counts for itself, so that its games do not hang on the others' speed.
  setup.nextGame = [id = (session_ << 40) + worker,
                    workers]() mutable -> std::optional<std::uint64_t> {
    const std::uint64_t next = id;
    id += workers;
    return next;
  };
  setup.deliver = [this](GameRecord&& game) { deliver(std::move(game), true); };
  setup.progress = [this] { return progress(); };
  setup.stop = &stop;
  setup.counters = &counters_;
  return setup;
}

void TrainingRun::deliver(GameRecord&& game, bool mayWait) {
  const std::vector<TrainingRow> rows =
      makeRows(game, config_.replay.shortHorizon, config_.replay.holdOut);
  {
    const std::lock_guard lock(stateMutex_);
    stats_.add(game);
  }
  std::size_t added;
  {
    const std::lock_guard lock(deliverMutex_);
    std::vector<GameRecord> one;
    one.push_back(std::move(game));
    archive_.append(std::move(one));
    added = replay_.add(rows);
    ++gamesAdded_;
    if (!mayWait) bucket_.earnNow(added);
  }
  if (mayWait) bucket_.earn(added);
}

void TrainingRun::trainStep() {
  const auto seed = static_cast<std::uint64_t>(config_.run.seed);
  if (config_.run.deterministic) {
    replay_.sample(batch_, seed, step());
  } else {
    if (!prefetcher_)
      prefetcher_ = std::make_unique<BatchPrefetcher>(replay_, batch_.size(), seed, step());
    prefetcher_->next(batch_);
  }
  StepLosses losses;
  try {
    losses = trainer_->step(batch_, rateFactor(config_.training, progress()));
  } catch (const Error& error) {
    const auto last = checkpoints_.newest();
    throw Error(std::string(error.what()) + "; the last good checkpoint is " +
                (last ? last->folder.string() : std::string("none")) +
                "; resume from it with a lower training.learning_rate");
  }
  step_ = static_cast<std::uint64_t>(trainer_->steps());
  reporter_.setStep(step());
  {
    const std::lock_guard lock(stateMutex_);
    const double keep = losses_.total == 0 ? 0.0 : 0.98;
    const auto smooth = [keep](double& to, double from) { to = keep * to + (1 - keep) * from; };
    smooth(losses_.total, losses.total);
    smooth(losses_.policy, losses.policy);
    smooth(losses_.result, losses.result);
    smooth(losses_.margin, losses.margin);
    smooth(losses_.reply, losses.reply);
    smooth(losses_.shortValue, losses.shortValue);
    smooth(losses_.policyEntropy, losses.policyEntropy);
    smooth(losses_.gradientNorm, losses.gradientNorm);
  }
  if (step() >= lastPublishedStep_ + static_cast<std::uint64_t>(config_.training.publishSteps))
    publishNewest();
}

std::shared_ptr<const Published> TrainingRun::makePublished() {
  Model model = trainer_->averagedModel();
  model.provenance["games"] = gamesAdded_.load();
  model.provenance["rows"] = replay_.totalRows();
  // In lock-step the same seed gives the same file.
  if (!config_.run.deterministic) model.provenance["seconds"] = std::round(elapsed());
  return publish(std::move(model), nextGeneration_++, step());
}

void TrainingRun::publishNewest() {
  lastPublishedStep_ = step();
  auto published = makePublished();
  {
    const std::lock_guard lock(stateMutex_);
    newest_ = published;
  }
  if (config_.selfplay.follow == Follow::Newest || published->generation == 0)
    handToSelfPlay(std::move(published));
}

std::shared_ptr<const Published> TrainingRun::candidate() {
  return step() == lastPublishedStep_ ? newest() : makePublished();
}

void TrainingRun::followBest() {
  if (config_.selfplay.follow != Follow::Best) return;
  if (const auto best = judge_.best()) handToSelfPlay(best);
}

void TrainingRun::handToSelfPlay(std::shared_ptr<const Published> published) {
  networks_.publish(makeHandle(published, config_.selfplay));
  const std::lock_guard lock(stateMutex_);
  playing_ = std::move(published);
}

std::shared_ptr<const Published> TrainingRun::playing() const {
  const std::lock_guard lock(stateMutex_);
  return playing_;
}

std::shared_ptr<const Published> TrainingRun::newest() const {
  const std::lock_guard lock(stateMutex_);
  return newest_;
}

Counters TrainingRun::counterState() const {
  Counters c;
  c.step = step();
  c.nextGameId = nextGameId_;
  c.generation = newest()->generation;
  c.elapsedSeconds = elapsed();
  c.gateSeconds = judge_.gateSeconds();
  c.ratingSeconds = judge_.ratingSeconds();
  c.extra["session"] = session_;
  return c;
}

void TrainingRun::checkpoint() {
  Counters counters = counterState();
  {
    // No game may come between these: rows are counted up to exactly this many games.
    const std::lock_guard lock(deliverMutex_);
    archive_.flush();
    counters.games = gamesAdded_;
    counters.rows = replay_.totalRows();
    const TokenBucket::State tokens = bucket_.state();
    counters.tokens = tokens.tokens;
    counters.tokenRows = tokens.rows;
  }
  const auto published = newest();
  checkpoints_.save(counters, [&](const std::filesystem::path& folder) {
    trainer_->saveState(folder / kTrainerFile);
    saveModel(published->model, folder / kPublishedFile);
  });
}

void TrainingRun::playRound(const std::atomic<bool>& stop) {
  std::uint64_t left = static_cast<std::uint64_t>(config_.selfplay.games);
  WorkerSetup setup = workerSetup(0, 1, stop);
  std::uint64_t next = nextGameId_;
  setup.nextGame = [&]() -> std::optional<std::uint64_t> {
    if (left == 0) return std::nullopt;
    --left;
    return next++;
  };
  // Nothing of a round counts until all of it is there: a stop in the middle leaves no trace.
  std::vector<GameRecord> games;
  setup.deliver = [&](GameRecord&& game) { games.push_back(std::move(game)); };
  runWorker(setup);
  if (stop) return;
  for (GameRecord& game : games) deliver(std::move(game), false);
  nextGameId_ = next;
}

}  // namespace toguz
