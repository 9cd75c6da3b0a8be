#include "training/config_options.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <type_traits>

namespace toguz {
namespace {

class List {
 public:
  explicit List(std::vector<Option>& out) : out_(out) {}

  void section(const char* name) { section_ = name; }

  template <class Number>
  void number(const char* name, Number& target, double min, double max, const char* help,
              int step = 1) {
    out_.push_back({section_, name, &target, min, max, step, help});
  }
  template <class Text>
  void text(const char* name, Text& target, const char* help) {
    out_.push_back({section_, name, &target, 0, 0, 1, help});
  }
  void flag(const char* name, bool& target, const char* help) { text(name, target, help); }

  template <class Enum>
  void choice(const char* name, Enum& target, std::vector<std::string> names, const char* help) {
    NamedChoice named{std::move(names), [&target] { return static_cast<std::size_t>(target); },
                      [&target](std::size_t i) { target = static_cast<Enum>(i); }};
    out_.push_back({section_, name, std::move(named), 0, 0, 1, help});
  }

 private:
  std::vector<Option>& out_;
  std::string section_;
};

void gameOptions(List& list, GameConfig& c) {
  list.section("game");
  list.text("variant", c.variant,
            "standard, giveaway, giveaway2010, bestemshe or seven, with switches after commas "
            "(\"standard,tuzdik=false\")");
  list.number("ply_cap", c.plyCap, 20, 60000, "half-moves after which a game is a draw");
}

void runOptions(List& list, RunConfig& c) {
  list.section("run");
  list.number("seed", c.seed, 0, 9e15, "fixes every random choice of the run");
  list.number("minutes", c.minutes, 0, 1e6,
              "budget of wall time, minutes, resumed time included; schedules run over it; 0 = "
              "until stopped");
  list.number("max_steps", c.maxSteps, 0, 1e12,
              "training steps after which the run ends; 0 = no limit");
  list.flag(
      "deterministic", c.deterministic,
      "one thread, self-play and training in lock-step: the same seed gives the same weights");
  list.number("checkpoint_seconds", c.checkpointSeconds, 1, 86400,
              "wall time between checkpoints, seconds");
  list.number("checkpoints_kept", c.checkpointsKept, 1, 1000, "newest checkpoints kept");
  list.number("checkpoint_keep_each", c.checkpointKeepEach, 0, 1e6,
              "each Nth checkpoint is kept for good; 0 = none");
  list.choice("log_level", c.logLevel, {"debug", "info", "warn", "error"},
              "least severity that reaches log.txt and the terminal");
}

void networkOptions(List& list, Architecture& c) {
  list.section("network");
  list.number("width", c.width, 16, 1024, "units a layer", 16);
  list.number("blocks", c.blocks, 0, 64, "residual blocks of two layers");
  list.choice("features", c.features, {kFeatureSets.begin(), kFeatureSets.end()},
              "what it sees of a position (models/features.h); rows-2 adds the best reply to each "
              "move");
}

void selfPlayOptions(List& list, SelfPlayConfig& c) {
  list.section("selfplay");
  list.number("workers", c.workers, 0, 1024, "self-play threads; 0 = one a core");
  list.number("games", c.games, 1, 4096,
              "games in flight a worker, one leaf each to a batch of the network");
  list.number("cache", c.cache, 0, 1 << 28,
              "network answers a worker remembers, 96 bytes each; 0 = none");
  list.choice("selection", c.selection, {"puct", "gumbel"}, "how the search selects moves");
  list.number("full_nodes", c.fullNodes, 2, 60000,
              "PUCT: root visits of a full search at the start of the run (not validated)");
  list.number("full_nodes_final", c.fullNodesFinal, 2, 60000,
              "PUCT: the same at the end of the budget, grown linearly (not validated)");
  list.number("cheap_nodes", c.cheapNodes, 2, 60000,
              "root visits of a cheap search, which makes no policy target");
  list.number("full_share", c.fullShare, 0.01, 1, "share of moves searched in full");
  list.flag("tree_reuse", c.treeReuse,
            "keep the played move's subtree; its visits count towards the next search");
  list.number("noise_alpha", c.noiseAlpha, 0.01, 100,
              "PUCT: Dirichlet parameter of each move at the root of a full search");
  list.number("noise_weight", c.noiseWeight, 0, 1, "PUCT: share of the root prior that is noise");
  list.number("cpuct", c.cpuct, 0.01, 100, "PUCT: exploration rate");
  list.number("cpuct_log", c.cpuctLog, 0, 100,
              "PUCT: growth of the rate with log((visits + base) / base) (not validated)");
  list.number("cpuct_base", c.cpuctBase, 1, 1e9, "PUCT: visits at which that growth sets in");
  list.number("fpu_reduction", c.fpuReduction, 0, 10,
              "PUCT: an unvisited move counts as the parent's value less this times the root of "
              "the visited prior mass");
  list.number(
      "margin_weight", c.marginWeight, 0, 1,
      "weight of the expected margin in the value that the search maximises (not validated)");
  list.number("temperature", c.temperature, 0, 10, "PUCT: move temperature at ply 0");
  list.number("temperature_half_life", c.temperatureHalfLife, 0.1, 10000,
              "plies in which the temperature falls half-way to its floor");
  list.number("temperature_floor", c.temperatureFloor, 0, 10, "temperature of late moves");
  list.number("opening_plies", c.openingPlies, 0, 100,
              "a game opens with 0 to this many plies sampled from the bare policy");
  list.number("opening_temperature", c.openingTemperature, 0.05, 100,
              "temperature of those plies (not validated)");
  list.number("fork_share", c.forkShare, 0, 0.9,
              "share of games that start from a position of an earlier game (not validated)");
  list.number("won_threshold", c.wonThreshold, 0, 1,
              "root value beyond which a position counts as decided; 1 = never");
  list.number("won_plies", c.wonPlies, 1, 1000, "turns in a row that it must hold");
  list.number("won_weight", c.wonWeight, 0, 1, "weight of rows from decided positions");
  list.number("won_nodes", c.wonNodes, 2, 60000, "root visits of searches in decided positions");
  list.number("gumbel_nodes", c.gumbelNodes, 2, 60000,
              "Gumbel: root visits of a full search at the start (not validated)");
  list.number("gumbel_nodes_final", c.gumbelNodesFinal, 2, 60000,
              "Gumbel: the same at the end of the budget (not validated)");
  list.number("gumbel_scale", c.gumbelScale, 0.001, 100, "Gumbel: c_scale (not validated)");
  list.number("gumbel_visit", c.gumbelVisit, 0, 10000, "Gumbel: c_visit (not validated)");
  list.choice("follow", c.follow, {"newest", "best"},
              "weights that self-play uses: the newest averaged ones, or the gate's engine");
  list.choice("precision", c.precision, {kPrecisionNames.begin(), kPrecisionNames.end()},
              "arithmetic of self-play's inference; auto: int8 where the processor has VNNI, else "
              "fp32");
  list.text("device", c.device,
            "cpu (own kernels), torch:cpu, cuda or cuda:N (LibTorch, batches gathered from all "
            "workers: give it many workers and games); a missing one is an error");
}

void replayOptions(List& list, ReplayConfig& c) {
  list.section("replay");
  list.number("window_min", c.windowMin, 1, 1e8, "rows that must be there before training starts");
  list.number("window_exponent", c.windowExponent, 0, 1,
              "the window holds window_min * (rows so far / window_min) ^ this newest rows");
  list.number("window_max", c.windowMax, 1, 1e8,
              "rows that the window never exceeds; 64 bytes each");
  list.number("reuse", c.reuse, 0.1, 100, "times each row is trained on, on average");
  list.number("reuse_slack", c.reuseSlack, 0, 1e10,
              "row uses owed to the trainer beyond which self-play waits for it");
  list.number("short_horizon", c.shortHorizon, 1, 1000,
              "mean look-ahead of the short-term value target, plies");
  list.number("hold_out", c.holdOut, 0, 0.5, "share of games never trained on, only measured");
}

void trainingOptions(List& list, TrainingConfig& c) {
  list.section("training");
  list.number("batch", c.batch, 1, 65536, "rows a step");
  list.number("learning_rate", c.learningRate, 1e-8, 1, "AdamW's rate after the warm-up");
  list.number("weight_decay", c.weightDecay, 0, 1, "AdamW's decoupled decay");
  list.number("gradient_clip", c.gradientClip, 0, 1e6,
              "greatest norm of the gradient; 0 = no limit");
  list.number("warmup_steps", c.warmupSteps, 0, 1e9, "steps in which the rate rises from 0");
  list.number("drop1_at", c.drop1At, 0, 1, "share of the budget after which the rate drops");
  list.number("drop1_factor", c.drop1Factor, 0, 1,
              "factor of the rate from there on (not validated)");
  list.number("drop2_at", c.drop2At, 0, 1, "share of the budget after which it drops again");
  list.number("drop2_factor", c.drop2Factor, 0, 1,
              "factor of the rate from there on (not validated)");
  list.number("ema_decay", c.emaDecay, 0, 0.999999,
              "decay a step of the averaged weights, which are the ones that play (not validated)");
  list.number("loss_policy", c.loss.policy, 0, 100, "weight of the policy loss");
  list.number("loss_result", c.loss.result, 0, 100, "weight of the win/draw/loss loss");
  list.number("loss_margin", c.loss.margin, 0, 100,
              "weight of the final margin's loss (not validated)");
  list.number("loss_reply", c.loss.reply, 0, 100,
              "weight of the loss of the opponent's reply (not validated)");
  list.number("loss_short_value", c.loss.shortValue, 0, 100,
              "weight of the short-term value's loss (not validated)");
  list.number(
      "value_mix", c.loss.valueMix, 0, 1,
      "result target = (1 - this) * result + this * the search's root value (not validated)");
  list.text("device", c.device,
            "cpu (own kernels), torch:cpu, cuda or cuda:N (LibTorch); a missing one is an error");
  list.number("publish_steps", c.publishSteps, 1, 1e9,
              "steps between generations handed to self-play");
}

void gateOptions(List& list, GateConfig& c) {
  list.section("gate");
  list.flag("enabled", c.enabled, "matches decide which generation becomes the playing engine");
  list.number("share", c.share, 0, 0.9, "greatest share of wall time spent on them");
  list.number("nodes", c.nodes, 1, 60000, "root visits a move");
  list.number("pairs_max", c.pairsMax, 1, 1e6, "pairs of games after which a match ends undecided");
  list.number("elo0", c.elo0, -1000, 1000, "SPRT: Elo gain of the null hypothesis");
  list.number("elo1", c.elo1, -1000, 1000, "SPRT: Elo gain of the alternative; above elo0");
  list.number("opening_plies", c.openingPlies, 0, 100, "random plies before each pair");
  list.number("every_seconds", c.everySeconds, 1, 86400, "least time between matches, seconds");
}

void ratingOptions(List& list, RatingConfig& c) {
  list.section("rating");
  list.number("share", c.share, 0, 0.9,
              "greatest share of wall time spent on rating games; 0 = none");
  list.text("opponents", c.opponents, "players that hold the scale, in the form of toguz match");
  list.number("nodes", c.nodes, 1, 60000, "root visits a move of the rated engine");
  list.number("games", c.games, 2, 1e6, "games a time against each", 2);
  list.number("every_seconds", c.everySeconds, 1, 86400, "least time between times, seconds");
}

void storeOptions(List& list, StoreConfig& c) {
  list.section("store");
  list.number("backlog_mb", c.backlogMb, 1, 1e6,
              "games on their way from workers of other processes that the store may hold, 10^6 "
              "bytes; beyond it the workers wait");
  list.number("publish_seconds", c.publishSeconds, 0.1, 3600,
              "least time between two models sent to workers of other processes, seconds: each "
              "fetches each of them");
  list.number("chunk_games", c.chunkGames, 1, 65536, "games a file");
  list.number("flush_seconds", c.flushSeconds, 0.1, 3600,
              "games older than this are on the disk, in a smaller file if need be, seconds");
  list.flag("skip_damaged", c.skipDamaged,
            "set damaged game files aside (renamed to *.damaged) when a run is resumed");
}

// The shortest text that reads back to the same number, always with a mark of a real number.
std::string realText(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string boundText(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return std::to_string(static_cast<std::int64_t>(value));
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

std::string quotedText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::vector<Option> options(Config& config) {
  std::vector<Option> out;
  List list(out);
  gameOptions(list, config.game);
  runOptions(list, config.run);
  networkOptions(list, config.network);
  selfPlayOptions(list, config.selfplay);
  replayOptions(list, config.replay);
  trainingOptions(list, config.training);
  gateOptions(list, config.gate);
  ratingOptions(list, config.rating);
  storeOptions(list, config.store);
  return out;
}

std::string valueText(const Option& option) {
  return std::visit(
      [](const auto& target) -> std::string {
        using T = std::decay_t<decltype(target)>;
        if constexpr (std::is_same_v<T, bool*>)
          return *target ? "true" : "false";
        else if constexpr (std::is_same_v<T, double*>)
          return realText(*target);
        else if constexpr (std::is_same_v<T, std::string*>)
          return quotedText(*target);
        else if constexpr (std::is_same_v<T, NamedChoice>)
          return quotedText(target.names[target.get()]);
        else if constexpr (std::is_same_v<T, std::vector<std::string>*>) {
          std::string text = "[";
          for (const std::string& item : *target)
            text += (text.size() > 1 ? ", " : "") + quotedText(item);
          return text + "]";
        } else
          return std::to_string(*target);
      },
      option.target);
}

std::string rangeText(const Option& option) {
  if (std::holds_alternative<bool*>(option.target)) return "true or false";
  if (std::holds_alternative<std::string*>(option.target)) return "text";
  if (std::holds_alternative<std::vector<std::string>*>(option.target)) return "list of texts";
  if (const auto* named = std::get_if<NamedChoice>(&option.target)) {
    std::string text;
    for (std::size_t i = 0; i < named->names.size(); ++i)
      text += (i == 0 ? "" : i + 1 == named->names.size() ? " or " : ", ") + named->names[i];
    return text;
  }
  std::string text = boundText(option.min) + " to " + boundText(option.max);
  if (option.step != 1) text += ", a multiple of " + std::to_string(option.step);
  return text;
}

}  // namespace toguz
