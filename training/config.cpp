#include "training/config.h"

#include <toml++/toml.h>
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "training/config_options.h"

namespace toguz {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw UsageError(where + ": " + what);
}

const Option* find(const std::vector<Option>& all, const std::string& key) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Option& o) { return o.key() == key; });
  return at == all.end() ? nullptr : &*at;
}

bool isSection(const std::vector<Option>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(), [&](const Option& o) { return o.section == name; });
}

// The known key that was probably meant: the same name in another section goes before spelling.
std::string suggestion(const std::vector<Option>& all, const std::string& key) {
  const std::string leaf = key.substr(key.rfind('.') + 1);
  for (const Option& option : all)
    if (option.name == leaf) return option.key();
  std::vector<std::string> known;
  for (const Option& option : all) known.push_back(option.key());
  if (key.find('.') == std::string::npos) {
    std::vector<std::string> leaves;
    for (const Option& option : all) leaves.push_back(option.name);
    const std::string best = nearest(leaf, leaves);
    for (const Option& option : all)
      if (option.name == best) return option.key();
  }
  return nearest(key, known);
}

[[noreturn]] void failUnknown(const std::vector<Option>& all, const std::string& where,
                              const std::string& key) {
  const std::string meant = suggestion(all, key);
  const std::string section = meant.substr(0, meant.find('.'));
  fail(where, "unknown key '" + key + "'; did you mean '" + meant + "' (" +
                  meant.substr(section.size() + 1) + " under [" + section + "])?");
}

const char* kindWanted(const Option& option) {
  if (std::holds_alternative<bool*>(option.target)) return "true or false";
  if (std::holds_alternative<double*>(option.target)) return "a number";
  if (option.isNumber()) return "a whole number";
  if (std::holds_alternative<std::vector<std::string>*>(option.target)) return "a list of texts";
  return "a text in quotes";
}

std::string kindGiven(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a section";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a real number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

template <class Number>
void setNumber(const Option& option, Number* target, Number value, const std::string& where) {
  bool good = static_cast<double>(value) >= option.min && static_cast<double>(value) <= option.max;
  if constexpr (std::is_integral_v<Number>) good = good && value % option.step == 0;
  if (!good) fail(where, option.key() + " is out of range: it takes " + rangeText(option));
  *target = value;
}

void setText(const Option& option, const std::string& value, const std::string& where) {
  if (const auto* text = std::get_if<std::string*>(&option.target)) {
    **text = value;
    return;
  }
  const auto& named = std::get<NamedChoice>(option.target);
  const auto at = std::find(named.names.begin(), named.names.end(), value);
  if (at == named.names.end())
    fail(where, option.key() + " cannot be '" + value + "': it takes " + rangeText(option) +
                    "; did you mean '" + nearest(value, named.names) + "'?");
  named.set(static_cast<std::size_t>(at - named.names.begin()));
}

bool isText(const Option& option) {
  return std::holds_alternative<std::string*>(option.target) ||
         std::holds_alternative<NamedChoice>(option.target);
}

void assign(const Option& option, const toml::node& node, const std::string& where) {
  const auto wrongType = [&] {
    fail(where, option.key() + " takes " + kindWanted(option) + ", not " + kindGiven(node));
  };
  if (const auto* flag = std::get_if<bool*>(&option.target)) {
    if (!node.is_boolean()) wrongType();
    **flag = node.as_boolean()->get();
  } else if (const auto* real = std::get_if<double*>(&option.target)) {
    if (!node.is_number()) wrongType();
    setNumber(option, *real, *node.value<double>(), where);
  } else if (option.isNumber()) {
    if (!node.is_integer()) wrongType();
    const std::int64_t value = node.as_integer()->get();
    if (const auto* wide = std::get_if<std::int64_t*>(&option.target)) {
      setNumber(option, *wide, value, where);
    } else {
      std::int64_t checked = 0;
      setNumber(option, &checked, value, where);
      *std::get<int*>(option.target) = static_cast<int>(checked);
    }
  } else if (const auto* list = std::get_if<std::vector<std::string>*>(&option.target)) {
    if (!node.is_array()) wrongType();
    std::vector<std::string> items;
    for (const toml::node& item : *node.as_array()) {
      if (!item.is_string())
        fail(where, option.key() + " takes a list of texts; one item is " + kindGiven(item));
      items.push_back(item.as_string()->get());
    }
    **list = std::move(items);
  } else {
    if (!node.is_string()) wrongType();
    setText(option, node.as_string()->get(), where);
  }
}

std::string lineOf(const std::string& source, const toml::source_region& region) {
  return source + ":" + std::to_string(region.begin.line);
}

}  // namespace

void mergeToml(Config& config, std::string_view text, const std::string& source) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    fail(lineOf(source, error.source()), what);
  }
  const std::vector<Option> all = options(config);
  for (const auto& [section, content] : root) {
    const std::string name(section.str());
    const std::string where = lineOf(source, section.source());
    if (!isSection(all, name)) {
      if (!content.is_table()) failUnknown(all, where, name);
      std::vector<std::string> sections;
      for (const Option& option : all) sections.push_back(option.section);
      fail(where,
           "unknown section [" + name + "]; did you mean [" + nearest(name, sections) + "]?");
    }
    const toml::table* table = content.as_table();
    if (!table) fail(where, name + " is a section: write [" + name + "] and its keys below");
    for (const auto& [key, value] : *table) {
      const std::string full = name + "." + std::string(key.str());
      const std::string at = lineOf(source, key.source());
      const Option* option = find(all, full);
      if (!option) {
        if (value.is_table())
          fail(at, "[" + full + "] is no section; sections do not nest, did you mean '" +
                       suggestion(all, full) + "'?");
        failUnknown(all, at, full);
      }
      assign(*option, value, at);
    }
  }
}

Config loadConfig(const std::filesystem::path& path) {
  std::string text;
  try {
    text = readFile(path);
  } catch (const Error& error) {
    throw UsageError(std::string(error.what()));
  }
  Config config;
  mergeToml(config, text, path.string());
  try {
    checkConfig(config);
  } catch (const UsageError& error) {
    fail(path.string(), error.what());
  }
  return config;
}

namespace {
constexpr const char* kRunConfigEnd = "# end of the run's configuration";
}

void saveRunConfig(const Config& config, const std::filesystem::path& path) {
  writeFileAtomically(path, configToml(config, true) + "\n" + kRunConfigEnd + "\n");
}

Config loadRunConfig(const std::filesystem::path& path) {
  const std::string text = readFile(path);
  if (!trim(text).ends_with(kRunConfigEnd))
    throw UsageError(path.string() + ": cut short (its last line should be '" + kRunConfigEnd +
                     "'); put the whole file back");
  return loadConfig(path);
}

void applySettings(Config& config, const std::vector<std::string>& settings) {
  const std::vector<Option> all = options(config);
  std::vector<std::string> seen;
  for (const std::string& setting : settings) {
    const std::string where = "--set " + setting;
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) fail(where, "write it as section.key=value");
    const std::string key(trim(std::string_view(setting).substr(0, equals)));
    const std::string value(trim(std::string_view(setting).substr(equals + 1)));
    const Option* option = find(all, key);
    if (!option) failUnknown(all, where, key);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) fail(where, key + " is set twice");
    seen.push_back(key);
    if (isText(*option) && (value.empty() || (value[0] != '"' && value[0] != '\''))) {
      setText(*option, value, where);
      continue;
    }
    toml::table table;
    try {
      table = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
      fail(where, key + " takes " + kindWanted(*option) + ", which '" + value + "' is not");
    }
    if (table.size() != 1) fail(where, "one value, please");
    assign(*option, *table.get("value"), where);
  }
}

void checkConfig(const Config& config) {
  const auto require = [](bool good, const char* message) {
    if (!good) throw UsageError(message);
  };
  try {
    Rules::named(config.game.variant);
  } catch (const UsageError& error) {
    throw UsageError(std::string("game.variant: ") + error.what());
  }
  const auto knownDevice = [](const std::string& device) {
    std::int64_t ordinal = 0;
    return device == "cpu" || device == "torch:cpu" || device == "cuda" ||
           (device.starts_with("cuda:") && parseInt(device.substr(5), ordinal) && ordinal >= 0);
  };
  require(knownDevice(config.training.device),
          "training.device must be cpu, torch:cpu, cuda or cuda:N");
  require(knownDevice(config.selfplay.device),
          "selfplay.device must be cpu, torch:cpu, cuda or cuda:N");
  require(config.selfplay.device == "cpu" || config.selfplay.precision != Precision::Int8,
          "selfplay.precision = int8 is for selfplay.device = cpu; another device works in fp32");
  require(config.selfplay.device == "cpu" || !config.run.deterministic,
          "run.deterministic needs selfplay.device = cpu");
  require(config.selfplay.cheapNodes <= config.selfplay.fullNodes,
          "selfplay.cheap_nodes must not exceed selfplay.full_nodes");
  require(config.selfplay.temperatureFloor <= config.selfplay.temperature,
          "selfplay.temperature_floor must not exceed selfplay.temperature");
  require(config.replay.windowMin <= config.replay.windowMax,
          "replay.window_min must not exceed replay.window_max");
  require(config.training.batch <= config.replay.windowMin,
          "training.batch must not exceed replay.window_min");
  require(config.training.drop1At <= config.training.drop2At,
          "training.drop1_at must not exceed training.drop2_at");
  require(config.gate.elo0 < config.gate.elo1, "gate.elo0 must be below gate.elo1");
  require(config.gate.share + config.rating.share < 1.0,
          "gate.share and rating.share must add up to less than 1");
  require(config.selfplay.follow != Follow::Best || config.gate.enabled,
          "selfplay.follow=best needs gate.enabled=true");
}

std::uint64_t gameConfigHash(const Config& config) {
  Config games;
  games.game = config.game;
  games.run.seed = config.run.seed;
  games.network = config.network;
  games.selfplay = config.selfplay;
  games.selfplay.workers = SelfPlayConfig().workers;
  games.selfplay.device = SelfPlayConfig().device;
  return hash64(configToml(games));
}

std::string configToml(const Config& config, bool help) {
  Config copy = config;
  std::string text, section;
  for (const Option& option : options(copy)) {
    if (option.section != section) {
      text += (section.empty() ? "[" : "\n[") + option.section + "]\n";
      section = option.section;
    }
    if (help) text += "# " + option.help + "; " + rangeText(option) + "\n";
    text += option.name + " = " + valueText(option) + "\n";
  }
  return text;
}

std::string optionsText() {
  Config defaults;
  std::string text;
  for (const Option& option : options(defaults))
    text += option.key() + " = " + valueText(option) + "\n    " + option.help + "\n    " +
            rangeText(option) + "\n";
  return text;
}

std::vector<std::string> differences(const Config& before, const Config& after) {
  Config a = before, b = after;
  const std::vector<Option> old = options(a), now = options(b);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (valueText(old[i]) != valueText(now[i]))
      out.push_back(old[i].key() + ": " + valueText(old[i]) + " -> " + valueText(now[i]));
  return out;
}

}  // namespace toguz
