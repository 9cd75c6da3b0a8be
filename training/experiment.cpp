#include "training/experiment.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include <toml++/toml.h>

#include "arena/match.h"
#include "arena/match_report.h"
#include "arena/openings.h"
#include "arena/player.h"
#include "arena/ratings.h"
#include "base/error.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/progress.h"
#include "base/text.h"
#include "training/checkpoint.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

// Reading.

std::string oneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

class Reader {
 public:
  Reader(const toml::table& table, std::string source, std::vector<std::string> known)
      : table_(table), source_(std::move(source)) {
    for (const auto& [key, node] : table) {
      const std::string name = oneLine(std::string(key.str()));
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(node, "unknown key '" + name + "'; did you mean '" + nearest(name, known) + "'?");
    }
  }
  template <class T>
  void read(const char* key, T& target, const char* wanted) const {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto value = node->value<T>();
    if (!value) fail(*node, std::string(key) + " wants " + wanted);
    target = *value;
  }
  template <class T>
  void readList(const char* key, std::vector<T>& target, const char* wanted) const {
    const toml::node* node = table_.get(key);
    if (!node) return;
    if (!node->as_array()) fail(*node, std::string(key) + " wants a list of " + wanted);
    target.clear();
    for (const toml::node& item : *node->as_array()) {
      const auto value = item.value<T>();
      if (!value) fail(item, std::string(key) + " wants a list of " + wanted);
      target.push_back(*value);
    }
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw UsageError(source_ + ":" + std::to_string(node.source().begin.line) + ": " + what);
  }

 private:
  const toml::table& table_;
  std::string source_;
};

bool goodName(const std::string& name) {
  return !name.empty() && name.size() <= 40 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

// Two processes in one folder would undo each other's work.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : file_(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      if (file_ >= 0) close(file_);
      throw Error(folder.string() + (error == EWOULDBLOCK
                                         ? ": another process works on this experiment"
                                         : std::string(": ") + std::strerror(error)));
    }
  }
  ~FolderLock() { close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

// Training.

struct Task {
  const ExperimentArm* arm;
  std::int64_t seed;
  std::string name() const { return arm->name + "-s" + std::to_string(seed); }
};

class Trainings {
 public:
  Trainings(const Experiment& experiment, const ExperimentSetup& setup)
      : experiment_(experiment), setup_(setup), cores_(usableCores()) {
    // Seed by seed, so that the arms of a seed are trained side by side.
    for (const std::int64_t seed : experiment.seeds)
      for (const ExperimentArm& arm : experiment.arms) {
        const Task task{&arm, seed};
        checkRecipe(task);
        if (!fs::exists(doneFile(task))) waiting_.push_back(task);
      }
    std::reverse(waiting_.begin(), waiting_.end());
    slots_.resize(static_cast<std::size_t>(
        experiment.parallel > 0 ? experiment.parallel : static_cast<int>(cores_.size())));
  }
  ~Trainings() { endAll(); }

  bool run() {
    for (;;) {
      if (*setup_.stop) {
        endAll();
        return false;
      }
      bool busy = false;
      for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].pid == 0 && !waiting_.empty()) {
          start(i, waiting_.back());
          waiting_.pop_back();
        }
        if (slots_[i].pid != 0) look(slots_[i], WNOHANG);
        busy |= slots_[i].pid != 0;
      }
      if (!busy && waiting_.empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

 private:
  struct Slot {
    pid_t pid = 0;
    Task task{};
  };

  fs::path doneFile(const Task& task) const { return setup_.folder / (task.name() + ".done"); }
  fs::path logFile(const Task& task) const { return setup_.folder / (task.name() + ".log"); }

  fs::path recipeFile(const Task& task) const { return setup_.folder / (task.name() + ".toml"); }

  // What was trained by another recipe must not stand in the table under this one.
  void checkRecipe(const Task& task) const {
    const fs::path file = recipeFile(task);
    if (fs::exists(file) && readFile(file) != configToml(experiment_.config(*task.arm, task.seed)))
      throw UsageError(file.string() + ": " + task.name() +
                       " was begun here with other settings; choose another folder with --out, or "
                       "remove this one");
  }

  // Whether the run has had its time: `train` also ends well when it is told to stop.
  bool finished(const Task& task) const {
    const auto checkpoint = CheckpointFolder(setup_.folder / task.name() / "checkpoints").newest();
    return checkpoint && checkpoint->counters.elapsedSeconds >= 60 * experiment_.minutes - 0.5;
  }

  void start(std::size_t slot, const Task& task) {
    const fs::path run = setup_.folder / task.name();
    const fs::path recipe = recipeFile(task);
    std::vector<std::string> words = {setup_.program.string(), "train"};
    if (fs::exists(run / "config.toml")) {
      words.insert(words.end(), {"--resume"});
    } else {
      if (fs::exists(recipe)) fs::remove_all(run);  // a start that came to nothing
      writeFileAtomically(recipe, configToml(experiment_.config(*task.arm, task.seed)));
      words.push_back(recipe.string());
    }
    words.insert(words.end(), {"--run", run.string(), "--final-games", "0"});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string log = logFile(task).string();
    const int core = cores_[slot % cores_.size()];
    const double rounds =
        std::ceil(static_cast<double>(waiting_.size()) / static_cast<double>(slots_.size()));
    setup_.say("training " + task.name() + ", log " + log + "; all trainings end in about " +
               durationText(60 * experiment_.minutes * std::max(1.0, rounds)));
    // A signal between fork and exec would meet this process's own handler and be lost.
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t pid = fork();
    if (pid != 0) sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
    if (pid == 0) {
      // Only what is safe between fork and exec. Out of the terminal's group: a Ctrl-C there is
      // passed on as the gentle SIGTERM.
      setpgid(0, 0);
      const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
      if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
      }
      if (core >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(core, &set);
        sched_setaffinity(0, sizeof set, &set);
      }
      signal(SIGTERM, SIG_DFL);
      signal(SIGINT, SIG_DFL);
      sigprocmask(SIG_SETMASK, &before, nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    slots_[slot].pid = pid;
    slots_[slot].task = task;
  }

  void look(Slot& slot, int options) {
    int status = 0;
    const pid_t pid = waitpid(slot.pid, &status, options);
    if (pid == 0 || (pid < 0 && errno == EINTR)) return;
    slot.pid = 0;
    if (pid < 0 && !ending_)
      throw Error(std::string("lost sight of a training: ") + std::strerror(errno));
    if (ending_) return;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw Error("training " + slot.task.name() + " failed: see the end of " +
                  logFile(slot.task).string());
    if (*setup_.stop) return;
    if (!finished(slot.task))
      throw Error("training " + slot.task.name() +
                  " was stopped from outside; the same command goes on with it");
    writeFileAtomically(doneFile(slot.task), "");
    setup_.say("trained " + slot.task.name());
  }

  void endAll() {
    ending_ = true;
    for (Slot& slot : slots_)
      if (slot.pid != 0) kill(slot.pid, SIGTERM);
    for (Slot& slot : slots_)
      if (slot.pid != 0) look(slot, 0);
  }

  const Experiment& experiment_;
  const ExperimentSetup& setup_;
  std::vector<int> cores_;
  std::vector<Task> waiting_;  // the next one last
  std::vector<Slot> slots_;
  bool ending_ = false;
};

std::string quoted(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) text += (text.empty() ? "`" : ", `") + setting + "`";
  return text;
}

// Matches.

struct Meeting {
  std::size_t a, b;  // arms
  std::int64_t seed;
  std::string limit;
  Tally tally;
};

// Plays what is not there yet; false if stopped.
bool meet(const Experiment& experiment, const ExperimentSetup& setup, Meeting& meeting) {
  const Rules rules = experiment.config(experiment.arms.front(), meeting.seed).rules();
  const ExperimentArm& a = experiment.arms[meeting.a];
  const ExperimentArm& b = experiment.arms[meeting.b];
  const std::string seed = std::to_string(meeting.seed);
  std::string limit = meeting.limit;
  std::replace_if(
      limit.begin(), limit.end(), [](unsigned char c) { return !std::isalnum(c); }, '-');
  const fs::path file =
      setup.folder / ("match~" + a.name + "~" + b.name + "~s" + seed + "~" + limit + ".json");
  const nlohmann::json asked = {{"games", experiment.games},
                                {"opening_plies", experiment.openingPlies},
                                {"limit", meeting.limit}};
  if (fs::exists(file)) {
    const auto json = nlohmann::json::parse(readFile(file));
    if (json.at("asked") != asked)
      throw UsageError(file.string() +
                       ": played with other settings; remove it to have it played again");
    meeting.tally = {json.at("wins"), json.at("draws"), json.at("losses")};
    return true;
  }
  const auto player = [&](const ExperimentArm& arm) {
    const fs::path best = setup.folder / (arm.name + "-s" + seed) / "best.tzn";
    return parsePlayer("model:" + best.string() + "," + meeting.limit, rules);
  };
  MatchOptions options;
  options.rules = rules;
  options.games = experiment.games;
  options.openings = randomOpenings(rules, experiment.openingPlies,
                                    static_cast<std::size_t>((experiment.games + 1) / 2),
                                    static_cast<std::uint64_t>(meeting.seed));
  options.concurrency = static_cast<int>(usableCores().size());
  options.stop = setup.stop;
  const MatchResult result = playMatch(*player(a), *player(b), options);
  if (result.interrupted || *setup.stop) return false;
  meeting.tally = result.tally;
  nlohmann::json json = matchJson(result);
  json["asked"] = asked;
  writeFileAtomically(file, json.dump(2) + "\n");
  char line[160];
  std::snprintf(line, sizeof line, "%s against %s, seed %s, %s: %.1f%%, Elo %+.0f +- %.0f",
                a.name.c_str(), b.name.c_str(), seed.c_str(), meeting.limit.c_str(),
                100 * result.strength.score, result.strength.elo, result.strength.eloError);
  setup.say(line);
  return true;
}

// Reporting.

struct Trained {
  double games = 0, rows = 0, steps = 0;
};

// What the last metrics of a run say.
Trained trainedOf(const fs::path& run) {
  Trained trained;
  std::ifstream file(run / "metrics.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_discarded() || json.value("kind", "") != "train") continue;
    trained = {json.value("games", 0.0), json.value("rows", 0.0), json.value("step", 0.0)};
  }
  return trained;
}

void report(const Experiment& experiment, const ExperimentSetup& setup,
            const std::vector<Meeting>& meetings) {
  std::string text = "# " + experiment.question + "\n\n";
  char line[400];
  std::snprintf(
      line, sizeof line,
      "%g minutes on one core each, %zu seed(s); Elo against the first arm with its 95%% "
      "error, over all seeds, then seed by seed; games, rows and steps are means a run.\n",
      experiment.minutes, experiment.seeds.size());
  text += line;
  nlohmann::ordered_json all;
  all["question"] = experiment.question;
  all["minutes"] = experiment.minutes;
  for (const std::string& limit : experiment.limits) {
    const auto ratings = [&](const std::set<std::int64_t>& seeds) {
      std::map<std::pair<std::size_t, std::size_t>, PairResult> pairs;
      for (const Meeting& m : meetings) {
        if (m.limit != limit || !seeds.contains(m.seed)) continue;
        PairResult& pair = pairs[{m.a, m.b}];
        pair.first = m.a;
        pair.second = m.b;
        pair.games += static_cast<double>(m.tally.games());
        pair.score += m.tally.score() * static_cast<double>(m.tally.games());
      }
      std::vector<PairResult> results;
      for (const auto& [key, pair] : pairs) results.push_back(pair);
      return fitRatings(experiment.arms.size(), results, 0);
    };
    const auto pooled = ratings({experiment.seeds.begin(), experiment.seeds.end()});
    text += "\nAt " + limit +
            ":\n\n| arm | Elo | +- | by seed | games | rows | steps |\n"
            "|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
      const ExperimentArm& arm = experiment.arms[i];
      std::string bySeed;
      Trained mean;
      const auto n = static_cast<double>(experiment.seeds.size());
      for (const std::int64_t seed : experiment.seeds) {
        std::snprintf(line, sizeof line, "%s%+.0f", bySeed.empty() ? "" : ", ",
                      ratings({seed})[i].elo);
        bySeed += line;
        const Trained one = trainedOf(setup.folder / (arm.name + "-s" + std::to_string(seed)));
        mean.games += one.games / n;
        mean.rows += one.rows / n;
        mean.steps += one.steps / n;
      }
      std::snprintf(line, sizeof line, "| %s | %+.0f | %.0f | %s | %.0f | %.0f | %.0f |\n",
                    arm.name.c_str(), pooled[i].elo, pooled[i].error, bySeed.c_str(), mean.games,
                    mean.rows, mean.steps);
      text += line;
      all["limits"][limit].push_back({{"arm", arm.name},
                                      {"elo", pooled[i].elo},
                                      {"error", pooled[i].error},
                                      {"games", mean.games},
                                      {"rows", mean.rows},
                                      {"steps", mean.steps}});
    }
  }
  text += "\nSettings of all arms: " +
          (experiment.settings.empty() ? std::string("none") : quoted(experiment.settings)) + ".\n";
  for (const ExperimentArm& arm : experiment.arms)
    text += "- " + arm.name + ": " +
            (arm.settings.empty() ? std::string("nothing more") : quoted(arm.settings)) + "\n";
  writeFileAtomically(setup.folder / "results.md", text);
  writeFileAtomically(setup.folder / "results.json", all.dump(2) + "\n");
  setup.say("written: " + (setup.folder / "results.md").string() + "\n\n" + text);
}

}  // namespace

Config Experiment::config(const ExperimentArm& arm, std::int64_t seed) const {
  Config config;
  // An arm is alone on its core; matches of its own would only take time.
  config.selfplay.workers = 1;
  config.gate.enabled = false;
  config.rating.share = 0;
  for (const auto* list : {&settings, &arm.settings})
    for (const std::string& setting : *list)
      if (setting.starts_with("run.minutes=") || setting.starts_with("run.seed="))
        throw UsageError("'" + setting +
                         "': the experiment's own minutes and seeds rule; set those");
  // An arm may say again what all arms say: the later one holds.
  applySettings(config, settings);
  applySettings(config, arm.settings);
  config.run.minutes = minutes;
  config.run.seed = seed;
  checkConfig(config);
  return config;
}

Experiment loadExperiment(const fs::path& path) {
  const std::string source = path.string();
  toml::table root;
  try {
    if (!fs::is_regular_file(path)) throw UsageError(source + ": no such file");
    root = toml::parse(readFile(path));
  } catch (const toml::parse_error& error) {
    throw UsageError(source + ":" + std::to_string(error.source().begin.line) + ": " +
                     oneLine(std::string(error.description())));
  }
  Reader(root, source, {"experiment", "arm"});
  Experiment experiment;
  experiment.question = path.stem().string();
  if (const toml::node* node = root.get("experiment")) {
    if (!node->as_table()) throw UsageError(source + ": 'experiment' wants to be a table");
    const Reader reader(
        *node->as_table(), source,
        {"question", "minutes", "seeds", "parallel", "set", "limits", "games", "opening_plies"});
    reader.read("question", experiment.question, "text");
    reader.read("minutes", experiment.minutes, "a number");
    reader.readList("seeds", experiment.seeds, "whole numbers");
    reader.read("parallel", experiment.parallel, "a whole number");
    reader.readList("set", experiment.settings, "settings, as \"replay.reuse=5\"");
    reader.readList("limits", experiment.limits, "limits, as \"nodes=200\" or \"movetime=20\"");
    reader.read("games", experiment.games, "a whole number");
    reader.read("opening_plies", experiment.openingPlies, "a whole number");
  }
  if (const toml::node* node = root.get("arm")) {
    if (!node->as_array()) throw UsageError(source + ": write each arm as [[arm]]");
    for (const toml::node& item : *node->as_array()) {
      if (!item.as_table()) throw UsageError(source + ": write each arm as [[arm]]");
      const Reader reader(*item.as_table(), source, {"name", "set"});
      ExperimentArm arm;
      reader.read("name", arm.name, "text");
      reader.readList("set", arm.settings, "settings, as \"selfplay.games=64\"");
      if (!goodName(arm.name))
        reader.fail(item, "an arm wants a name of letters, digits, '-', '_' and '.'");
      for (const ExperimentArm& other : experiment.arms)
        if (other.name == arm.name) reader.fail(item, "a second arm named '" + arm.name + "'");
      experiment.arms.push_back(std::move(arm));
    }
  }
  const auto require = [&](bool good, const char* what) {
    if (!good) throw UsageError(source + ": " + what);
  };
  require(experiment.arms.size() >= 2, "an experiment wants two arms or more");
  require(experiment.minutes > 0 && experiment.minutes <= 1e5, "minutes wants to be above 0");
  require(!experiment.seeds.empty(), "seeds wants one number or more");
  for (const std::int64_t seed : experiment.seeds)
    require(seed >= 0 && seed <= 1'000'000'000, "seeds wants numbers from 0 to 1000000000");
  require(std::set<std::int64_t>(experiment.seeds.begin(), experiment.seeds.end()).size() ==
              experiment.seeds.size(),
          "seeds has a number twice");
  require(std::set<std::string>(experiment.limits.begin(), experiment.limits.end()).size() ==
              experiment.limits.size(),
          "limits has one twice");
  for (const std::string& limit : experiment.limits) {
    // The limits of a model player and of this one are the same.
    const bool known = limit.starts_with("nodes=") || limit.starts_with("movetime=");
    std::int64_t number = 0;
    require(known && parseInt(limit.substr(limit.find('=') + 1), number) && number >= 1 &&
                number <= 10'000'000,
            "limits wants entries as \"nodes=200\" or \"movetime=20\"");
  }
  require(!experiment.limits.empty(), "limits wants one limit or more");
  require(experiment.games >= 2 && experiment.games <= 1'000'000, "games wants 2 to 1000000");
  require(experiment.parallel >= 0 && experiment.parallel <= 1024, "parallel wants 0 to 1024");
  require(experiment.openingPlies >= 0 && experiment.openingPlies <= 100,
          "opening_plies wants 0 to 100");
  for (const ExperimentArm& arm : experiment.arms) {
    try {
      experiment.config(arm, experiment.seeds.front());
    } catch (const UsageError& error) {
      throw UsageError(source + ": arm '" + arm.name + "': " + error.what());
    }
  }
  const Rules rules = experiment.config(experiment.arms.front(), 1).rules();
  for (const ExperimentArm& arm : experiment.arms)
    require(experiment.config(arm, 1).rules() == rules, "all arms must play the same variant");
  return experiment;
}

bool runExperiment(const Experiment& experiment, const ExperimentSetup& setup) {
  TOGUZ_CHECK(setup.stop && setup.say, "an experiment that is not set up");
  if (setup.folder.string().find(',') != std::string::npos)
    throw UsageError("--out " + setup.folder.string() + ": a folder without a comma, please");
  fs::create_directories(setup.folder);
  const FolderLock lock(setup.folder);
  if (!Trainings(experiment, setup).run()) return false;
  std::vector<Meeting> meetings;
  for (const std::string& limit : experiment.limits)
    for (const std::int64_t seed : experiment.seeds)
      for (std::size_t a = 0; a < experiment.arms.size(); ++a)
        for (std::size_t b = a + 1; b < experiment.arms.size(); ++b)
          meetings.push_back({a, b, seed, limit, {}});
  for (Meeting& meeting : meetings)
    if (!meet(experiment, setup, meeting)) return false;
  report(experiment, setup, meetings);
  return true;
}

}  // namespace toguz
