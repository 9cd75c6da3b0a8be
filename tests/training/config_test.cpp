#include "training/config.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/training/records.h"
#include "training/config_options.h"

namespace toguz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::messageOf;
using testing::TemporaryFolder;

Config read(const std::string& text) {
  Config config;
  mergeToml(config, text, "my.toml");
  return config;
}
std::string faultOf(const std::string& text) {
  return messageOf<UsageError>([&] { read(text); });
}
std::string faultOfSetting(const std::string& setting) {
  return messageOf<UsageError>([&] {
    Config config;
    applySettings(config, {setting});
  });
}

TEST(Config, ReadsValuesOfEveryKind) {
  const Config config = read(
      "[game]\nvariant = \"bestemshe\"\n[run]\nminutes = 60\ndeterministic = true\nseed = "
      "123456789012\n"
      "[selfplay]\nselection = \"gumbel\"\nworkers = 3\nnoise_alpha = 2\n"
      "[rating]\nopponents = [\"random\", \"mcts:nodes=10\"]\n");
  EXPECT_EQ(config.game.variant, "bestemshe");
  EXPECT_EQ(config.run.minutes, 60.0);
  EXPECT_TRUE(config.run.deterministic);
  EXPECT_EQ(config.run.seed, 123456789012);
  EXPECT_EQ(config.selfplay.selection, Selection::Gumbel);
  EXPECT_EQ(config.selfplay.workers, 3);
  EXPECT_EQ(config.selfplay.noiseAlpha, 2.0);
  EXPECT_THAT(config.rating.opponents, ::testing::ElementsAre("random", "mcts:nodes=10"));
}

TEST(Config, TheSavedFormReadsBackEqual) {
  for (const bool help : {false, true}) {
    Config config;
    applySettings(config,
                  {"training.learning_rate=0.0012345678901234567", "run.minutes=0",
                   "training.weight_decay=1e-7", "selfplay.follow=best", "game.variant=seven",
                   "rating.opponents=[]", "run.seed=9000000000000000"});
    const Config back = read(configToml(config, help));
    EXPECT_THAT(differences(config, back), IsEmpty());
    EXPECT_EQ(configToml(back), configToml(config));
  }
}

// Each option must be reachable on its own: two that share a member, or one that reads another's,
// would show here.
TEST(Config, EachOptionMovesItselfAlone) {
  const Config defaults;
  Config probe;
  for (const Option& option : options(probe)) {
    Config config;
    std::string value;
    if (option.isNumber()) {
      const std::string least = std::to_string(static_cast<std::int64_t>(std::ceil(option.min)));
      const std::string most = std::to_string(static_cast<std::int64_t>(option.max));
      value = valueText(option) == least || valueText(option) == least + ".0" ? most : least;
      if (std::holds_alternative<double*>(option.target))
        value = std::to_string((option.min * 0.63 + option.max * 0.37));
    } else if (std::holds_alternative<bool*>(option.target)) {
      value = valueText(option) == "true" ? "false" : "true";
    } else if (const auto* named = std::get_if<NamedChoice>(&option.target)) {
      if (named->names.size() == 1) continue;
      value = named->names.back() == named->names[named->get()] ? named->names.front()
                                                                : named->names.back();
    } else if (std::holds_alternative<std::string*>(option.target)) {
      value = "other";
    } else {
      value = "[\"other\"]";
    }
    applySettings(config, {option.key() + "=" + value});
    const auto changes = differences(defaults, config);
    ASSERT_EQ(changes.size(), 1u) << option.key() << "=" << value;
    EXPECT_THAT(changes[0], ::testing::StartsWith(option.key() + ": "));
  }
}

TEST(Config, DefaultsAreInRangeAndAgree) {
  Config config;
  EXPECT_NO_THROW(checkConfig(config));
  EXPECT_NO_THROW(read(configToml(config)));
  for (const Option& option : options(config)) {
    EXPECT_GT(option.help.size(), 8u) << option.key();
    EXPECT_THAT(optionsText(), HasSubstr(option.key() + " = "));
  }
}

TEST(Config, UnknownKeysNameTheNearest) {
  EXPECT_THAT(faultOf("[selfplay]\nworkers = 2\nfull_node = 3\n"),
              AllOf(HasSubstr("my.toml:3: "), HasSubstr("selfplay.full_node"),
                    HasSubstr("'selfplay.full_nodes'")));
  EXPECT_THAT(faultOf("[selfplya]\nworkers = 2\n"),
              AllOf(HasSubstr("my.toml:1: "), HasSubstr("[selfplay]")));
  EXPECT_THAT(faultOf("\n\nlerning_rate = 1\n"),
              AllOf(HasSubstr("my.toml:3: "), HasSubstr("training.learning_rate")));
  EXPECT_THAT(faultOfSetting("training.bach=3"),
              AllOf(HasSubstr("training.bach"), HasSubstr("'training.batch'")));
}

TEST(Config, MisNestedKeysNameTheirPlace) {
  EXPECT_THAT(faultOf("[training]\nworkers = 2\n"),
              AllOf(HasSubstr("my.toml:2: "), HasSubstr("training.workers"),
                    HasSubstr("'selfplay.workers'")));
  EXPECT_THAT(faultOf("workers = 2\n"),
              AllOf(HasSubstr("my.toml:1: "), HasSubstr("'selfplay.workers'")));
  EXPECT_THAT(faultOf("[training.selfplay]\nworkers = 2\n"),
              AllOf(HasSubstr("my.toml:1: "), HasSubstr("nest")));
  EXPECT_THAT(faultOf("selfplay = 3\n"), HasSubstr("[selfplay]"));
  EXPECT_THAT(faultOf("[[selfplay]]\nworkers = 3\n"), HasSubstr("[selfplay]"));
  EXPECT_THAT(faultOf("[selfplay.workers]\nx = 3\n"),
              AllOf(HasSubstr("selfplay.workers"), HasSubstr("a section")));
}

TEST(Config, DuplicatedKeysAreErrors) {
  EXPECT_THAT(faultOf("[run]\nseed = 1\nseed = 2\n"),
              AllOf(HasSubstr("my.toml:3: "), HasSubstr("seed")));
  EXPECT_THAT(faultOf("[run]\nseed = 1\n[game]\n[run]\nminutes = 2\n"),
              AllOf(HasSubstr("my.toml:4: "), HasSubstr("run")));
  Config config;
  EXPECT_THAT(messageOf<UsageError>([&] {
                applySettings(config, {"run.seed=1", "run.seed=2"});
              }),
              AllOf(HasSubstr("run.seed"), HasSubstr("twice")));
}

TEST(Config, OutOfRangeAndWrongTypesAreErrors) {
  EXPECT_THAT(
      faultOf("[selfplay]\nfull_share = 1.5\n"),
      AllOf(HasSubstr("my.toml:2: "), HasSubstr("selfplay.full_share"), HasSubstr("0.01 to 1")));
  EXPECT_THAT(faultOf("[selfplay]\nfull_share = nan\n"), HasSubstr("out of range"));
  EXPECT_THAT(faultOf("[selfplay]\nworkers = -1\n"), HasSubstr("0 to 1024"));
  EXPECT_THAT(faultOf("[selfplay]\nworkers = 5000000000\n"), HasSubstr("out of range"));
  EXPECT_THAT(faultOf("[network]\nwidth = 100\n"), HasSubstr("multiple of 16"));
  EXPECT_THAT(faultOf("[selfplay]\nworkers = 2.0\n"),
              AllOf(HasSubstr("whole number"), HasSubstr("real")));
  EXPECT_THAT(faultOf("[selfplay]\nworkers = \"2\"\n"), HasSubstr("not a text"));
  EXPECT_THAT(faultOf("[selfplay]\ntree_reuse = 1\n"), HasSubstr("true or false"));
  EXPECT_THAT(faultOf("[game]\nvariant = 3\n"), HasSubstr("a text in quotes"));
  EXPECT_THAT(faultOf("[rating]\nopponents = \"random\"\n"), HasSubstr("list of texts"));
  EXPECT_THAT(faultOf("[rating]\nopponents = [1]\n"), HasSubstr("list of texts"));
  EXPECT_THAT(faultOf("[selfplay]\nselection = \"gumble\"\n"),
              AllOf(HasSubstr("puct or gumbel"), HasSubstr("'gumbel'")));
  EXPECT_THAT(faultOf("[selfplay\n"), HasSubstr("my.toml:1: "));
  for (const char* bad : {"selfplay.workers", "selfplay.workers=", "selfplay.workers=two",
                          "selfplay.workers=2\nrun.seed=3", "=3", "selfplay.workers = 1 2"})
    EXPECT_THAT(faultOfSetting(bad), HasSubstr("--set ")) << bad;
  for (const auto& text : {faultOf("[a\n"), faultOf("[selfplay]\nx=1\n"), faultOfSetting("a.b=c")})
    EXPECT_THAT(text, ::testing::Not(HasSubstr("\n")));
}

TEST(Config, OptionsMustAgree) {
  const auto fault = [](std::vector<std::string> settings) {
    return messageOf<UsageError>([&] {
      Config config;
      applySettings(config, settings);
      checkConfig(config);
    });
  };
  EXPECT_THAT(fault({"game.variant=standart"}),
              AllOf(HasSubstr("game.variant"), HasSubstr("'standard'")));
  EXPECT_THAT(fault({"selfplay.cheap_nodes=1000"}), HasSubstr("selfplay.full_nodes"));
  EXPECT_THAT(fault({"replay.window_max=100"}), HasSubstr("replay.window_min"));
  EXPECT_THAT(fault({"training.device=gpu"}), HasSubstr("training.device"));
  EXPECT_THAT(fault({"selfplay.device=gpu"}), HasSubstr("selfplay.device"));
  EXPECT_THAT(fault({"selfplay.device=cuda:0", "selfplay.precision=int8"}), HasSubstr("fp32"));
  EXPECT_EQ(fault({"selfplay.device=cuda:0"}), "");
  EXPECT_THAT(fault({"selfplay.device=torch:cpu", "run.deterministic=true"}),
              HasSubstr("deterministic"));
  EXPECT_THAT(fault({"gate.elo0=30"}), HasSubstr("gate.elo1"));
  EXPECT_THAT(fault({"selfplay.follow=best", "gate.enabled=false"}), HasSubstr("gate.enabled"));
  EXPECT_EQ(fault({"training.device=cuda:1", "game.variant=standard,tuzdik=false"}), "");
}

TEST(Config, AFileThatIsMissingIsNamed) {
  EXPECT_THAT(messageOf<UsageError>([] { loadConfig("nowhere.toml"); }), HasSubstr("nowhere.toml"));
}

TEST(Config, TheFilesThatComeWithTheProgramAreSound) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TOGUZ_CONFIGS)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    SCOPED_TRACE(entry.path().string());
    const Config config = loadConfig(entry.path());
    // VARIANT-LENGTH.toml
    const std::string name = entry.path().stem().string();
    if (name.find('-') != std::string::npos) {
      EXPECT_EQ(config.game.variant, name.substr(0, name.find('-')));
    }
  }
  EXPECT_GE(files, 12);
  EXPECT_THAT(
      differences(Config{}, loadConfig(std::filesystem::path(TOGUZ_CONFIGS) / "quick.toml")),
      IsEmpty());
}

}  // namespace
}  // namespace toguz
