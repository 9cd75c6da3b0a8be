// The run's configuration: every option with its default, range and help, listed once
// (config_options.cpp). Reading TOML, `--set`, the checks, the saved effective configuration and
// the printed list all come from that list. Plain values; no threads of its own.
//
// Every fault is a UsageError of one line with file, line, key and the nearest known key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules.h"
#include "models/model.h"
#include "selfplay/config.h"
#include "training/losses.h"

namespace toguz {

enum class LogLevel : std::uint8_t { Debug, Info, Warn, Error };

struct GameConfig {
  std::string variant = "standard";
  int plyCap = 600;
};

struct RunConfig {
  std::int64_t seed = 1;
  double minutes = 10;         // budget of wall time; 0 = until stopped
  std::int64_t maxSteps = 0;   // 0 = no limit
  bool deterministic = false;  // one thread, self-play and training in lock-step
  double checkpointSeconds = 60;
  int checkpointsKept = 3;
  int checkpointKeepEach = 20;  // each Nth is kept for good; 0 = none
  LogLevel logLevel = LogLevel::Info;
};

struct ReplayConfig {
  std::int64_t windowMin = 20000;  // rows before training starts
  double windowExponent = 0.65;
  std::int64_t windowMax = 2000000;
  double reuse = 4.0;               // times each row is trained on, on average
  std::int64_t reuseSlack = 65536;  // row uses owed before self-play waits for the trainer
  double shortHorizon = 8.0;        // plies
  double holdOut = 0.02;            // share of games only measured
};

struct TrainingConfig {
  int batch = 512;
  double learningRate = 1e-3;
  double weightDecay = 1e-4;
  double gradientClip = 1.0;
  std::int64_t warmupSteps = 300;
  // From this share of the run's budget on, the rate is learningRate * factor.
  double drop1At = 0.6;
  double drop1Factor = 0.3;
  double drop2At = 0.85;
  double drop2Factor = 0.1;
  double emaDecay = 0.999;
  LossWeights loss{.policy = 1.0, .result = 1.0, .margin = 0.2, .reply = 0.15, .shortValue = 0.6};
  std::string device = "cpu";
  std::int64_t publishSteps = 100;
};

struct GateConfig {
  bool enabled = true;
  double share = 0.08;
  int nodes = 64;
  int pairsMax = 100;
  double elo0 = 0;
  double elo1 = 20;
  int openingPlies = 6;
  double everySeconds = 60;
};

struct RatingConfig {
  double share = 0.05;
  std::vector<std::string> opponents = {"random", "greedy", "alphabeta:depth=2",
                                        "alphabeta:depth=4"};
  int nodes = 100;
  int games = 20;
  double everySeconds = 120;
};

struct StoreConfig {
  double backlogMb = 256;
  double publishSeconds = 10;
  int chunkGames = 1024;
  double flushSeconds = 5;
  bool skipDamaged = false;
};

struct Config {
  GameConfig game;
  RunConfig run;
  Architecture network;
  SelfPlayConfig selfplay;
  ReplayConfig replay;
  TrainingConfig training;
  GateConfig gate;
  RatingConfig rating;
  StoreConfig store;

  Rules rules() const { return Rules::named(game.variant); }
};

// `Config{}` is the standard recipe: ten minutes of standard on two cores.

// Lays the TOML `text` over `config`. `source` is the name that errors give (a path).
void mergeToml(Config& config, std::string_view text, const std::string& source);
// The defaults with the file laid over them, checked.
Config loadConfig(const std::filesystem::path& path);
// The effective configuration in a run's folder: every option with its help, and a last line that
// shows it whole. Reading it back throws UsageError if that line is missing: an option that was cut
// off must not become its default in silence.
void saveRunConfig(const Config& config, const std::filesystem::path& path);
Config loadRunConfig(const std::filesystem::path& path);
// Each setting is "section.key=value"; a key may be set once. A value is as in TOML, but text needs
// no quotes. Not checked across options: call checkConfig once all are in.
void applySettings(Config& config, const std::vector<std::string>& settings);
// What no single range can say: options that must agree. Throws UsageError naming both.
void checkConfig(const Config& config);

// Hash of the settings that make games (rules, seed, network, self-play), as games carry it; those
// of the machine that plays (threads, device) are left out.
std::uint64_t gameConfigHash(const Config& config);

// The whole configuration as TOML that mergeToml reads back to an equal one; with each option's
// help and range as a comment if `help`.
std::string configToml(const Config& config, bool help = false);
// Every option with default, range and help: for people (`toguz train --options`).
std::string optionsText();
// "section.key: old -> new" for each option in which the two differ.
std::vector<std::string> differences(const Config& before, const Config& after);

}  // namespace toguz
