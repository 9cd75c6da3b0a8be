#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "base/rng.h"
#include "bench/internal.h"
#include "selfplay/published.h"
#include "store/archive.h"
#include "store/batch.h"
#include "training/exchange.h"
#include "training/replay.h"

namespace toguz::bench {
namespace {

constexpr std::size_t kBatchGames = 64;

// Games as self-play makes them, of few simulations: what they cost here does not hang on that.
std::vector<GameRecord> playGames(const std::shared_ptr<const Published>& published,
                                  std::size_t count, std::uint64_t config) {
  NetworkSlot slot;
  slot.publish(std::make_shared<NativeHandle>(published, Precision::Auto));
  std::atomic<bool> stop{false};
  WorkerCounters counters;
  std::vector<GameRecord> games;
  WorkerSetup setup;
  setup.rules = published->model.rules;
  setup.config.fullNodes = setup.config.fullNodesFinal = 16;
  setup.config.cheapNodes = 4;
  setup.configHash = config;
  setup.networks = &slot;
  setup.nextGame = [id = std::uint64_t{0}, count]() mutable -> std::optional<std::uint64_t> {
    if (id == count) return std::nullopt;
    return id++;
  };
  setup.deliver = [&](GameRecord&& game) { games.push_back(std::move(game)); };
  setup.stop = &stop;
  setup.counters = &counters;
  runWorker(setup);
  return games;
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "toguz_bench_XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error("cannot make a folder for the benchmark: " + name);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  std::filesystem::path path;
};

// A learner that takes in games as a run does, without training on them.
class Learner {
 public:
  Learner(const std::string& address, const Config& config,
          std::shared_ptr<const Published> published)
      : config_(config),
        published_(std::move(published)),
        store_(address.empty() ? folder_.path.string() : address),
        identity_(folder_.path, gameConfigHash(config_)),
        archive_(folder_.path / "games", config_.rules()),
        replay_(config_.replay),
        exchange_(openStore(store_), config_, identity_, run()) {
    exchange_.open(stop_);
  }
  ~Learner() { exchange_.close(true); }

  const std::string& run_id() const { return identity_.run(); }
  const std::string& store() const { return store_; }
  // Seconds of taking in that many games, which are in the store.
  double take(std::uint64_t games) {
    const std::uint64_t wanted = archive_.gameCount() + games;
    const auto start = std::chrono::steady_clock::now();
    while (archive_.gameCount() < wanted) exchange_.turn(stop_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  Exchange::Run run() {
    Exchange::Run run;
    run.wantsGames = [] { return true; };
    run.knows = [this](std::uint64_t id) { return archive_.contains(id); };
    run.add = [this](GameRecord&& game) {
      const auto rows = makeRows(game, config_.replay.shortHorizon, config_.replay.holdOut);
      std::vector<GameRecord> one;
      one.push_back(std::move(game));
      archive_.append(std::move(one));
      replay_.add(rows);
    };
    run.flush = [this] { archive_.flush(); };
    run.playing = [this] {
      return ModelOnOffer{published_->hash, 0, 0,
                          [this] { return serializeModel(published_->model); }};
    };
    run.progress = [] { return 0.0; };
    run.report = [] { return LearnerReport(); };
    run.say = run.warn = [](const std::string&) {};
    run.seen = [](const StoreStatus&) {};
    return run;
  }

  const Folder folder_;
  const Config config_;
  const std::shared_ptr<const Published> published_;
  const std::string store_;
  std::atomic<bool> stop_{false};
  RunIdentity identity_;
  GameArchive archive_;
  ReplayBuffer replay_;
  Exchange exchange_;
};

}  // namespace

Findings storeBench(const Options& options) {
  Findings findings("store");
  Config config;
  config.replay.windowMin = 1000;
  const auto published = publish(benchModel(options), 0, 0);
  const std::vector<GameRecord> games =
      playGames(published, 16 * kBatchGames, gameConfigHash(config));
  double moves = 0;
  for (const GameRecord& game : games) moves += static_cast<double>(game.moves.size());
  moves /= static_cast<double>(games.size());

  std::uint64_t sequence = 0, nextId = firstGameId(1);
  const WorkerId worker = 1;
  const auto batchOf = [&](const std::string& run) {
    GameBatch batch{run, worker, ++sequence, {}};
    for (std::size_t i = 0; i < kBatchGames; ++i) {
      batch.games.push_back(games[(sequence * kBatchGames + i) % games.size()]);
      batch.games.back().id = nextId++;
    }
    return batch;
  };
  const std::string bytes = encodeBatch(batchOf("run"));
  const GameBatch sample = decodeBatch(bytes);
  const Rates framing = interleave({{"encode",
                                     [&] {
                                       return repeatFor(options.seconds, [&] {
                                         encodeBatch(sample);
                                         return static_cast<double>(kBatchGames);
                                       });
                                     }},
                                    {"decode",
                                     [&] {
                                       return repeatFor(options.seconds, [&] {
                                         decodeBatch(bytes);
                                         return static_cast<double>(kBatchGames);
                                       });
                                     }},
                                    {"rows",
                                     [&] {
                                       return repeatFor(options.seconds, [&] {
                                         for (const GameRecord& game : sample.games) makeRows(game);
                                         return static_cast<double>(kBatchGames);
                                       });
                                     }}},
                                   options.rounds);
  findings.add("moves_per_game", "moves a game", moves, "moves");
  findings.add("bytes_per_game", "a game on its way, batches of 64",
               static_cast<double>(bytes.size()) / kBatchGames, "bytes");
  findings.add("encode_games_per_second", "packing batches", framing.median(0), "games/s");
  findings.add("decode_games_per_second", "unpacking batches", framing.median(1), "games/s");
  findings.add("rows_games_per_second", "replaying games into rows", framing.median(2), "games/s");

  // From the store to the archive, replayed, checked, on the disk and confirmed.
  const auto taking = [&](Learner& learner) {
    const auto store = openStore(learner.store());
    constexpr std::uint64_t kBatches = 200;
    for (std::uint64_t i = 0; i < kBatches; ++i) {
      const GameBatch batch = batchOf(learner.run_id());
      if (store->append(batch.run, worker, batch.sequence, encodeBatch(batch)) !=
          RunStore::Taken::Yes)
        throw Error(learner.store() + " takes no batches");
    }
    const auto taken = static_cast<double>(kBatches * kBatchGames);
    return Work{taken, learner.take(kBatches * kBatchGames)};
  };
  Learner files("", config, published);
  std::vector<Contender> contenders = {{"files", [&] { return taking(files); }}};
  std::optional<Learner> redis;
  if (const char* address = std::getenv("TOGUZ_BENCH_STORE")) {
    redis.emplace(address, config, published);
    contenders.push_back({"redis", [&] { return taking(*redis); }});
  }
  const Rates rates = interleave(contenders, options.rounds);
  findings.add("take_games_per_second_files", "a learner's intake, local files", rates.median(0),
               "games/s");
  if (redis)
    findings.add("take_games_per_second_redis", "a learner's intake, TOGUZ_BENCH_STORE",
                 rates.median(1), "games/s");
  return findings;
}

}  // namespace toguz::bench
