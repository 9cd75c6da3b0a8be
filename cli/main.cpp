// `toguz`: finds the sub-command, checks the names of options before anything runs, and turns
// errors into one line on standard error and an exit status (0 done, 1 failed, 2 bad usage or
// input). What it does not have it leaves to `toguz-full` (see CMakeLists.txt).
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "command_table.h"

namespace toguz {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  toguz perft --depth 6\n"
    "  toguz replay games.tsv\n"
    "  toguz perft --help\n"
    "Exit status: 0 done, 1 failed, 2 bad usage or bad input.";

bool looksLikeOption(std::string_view arg) {
  // "-5" and "-.5" are values, "-" is standard input.
  return arg.size() >= 2 && arg[0] == '-' && arg[1] != '.' &&
         !std::isdigit(static_cast<unsigned char>(arg[1]));
}

std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string close = nearest(word, known);
  return close.empty() ? std::string() : "; did you mean '" + close + "'?";
}

// CLI11 reports a missing option before an unknown one, and never the nearest: so names are checked
// first. The value of an option is not mistaken for one, as no option here takes a value that
// begins with a dash and a letter.
void checkNames(CLI::App& app, int argc, char** argv) {
  CLI::App* current = &app;
  std::string path = "toguz";
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--") return;
    if (!looksLikeOption(arg)) {
      if (current != &app) continue;
      std::vector<std::string> commands;
      for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
        commands.push_back(sub->get_name());
        if (sub->get_name() == arg) current = sub;
      }
      if (current == &app) throw UsageError("unknown command '" + arg + "'" + hint(arg, commands));
      path += " " + arg;
      continue;
    }
    const std::string name = arg.substr(0, arg.find('='));
    const std::vector<std::string> known = optionNames(*current);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("unknown option '" + name + "' of '" + path + "'" + hint(name, known));
  }
}

#ifdef TOGUZ_FULL
// Becomes the full program, in the same process, for what this one does not have; returns for what
// it has.
void leaveToFull(int argc, char** argv) {
  if (argc > 1)
    for (const std::string_view own : kCommandNames)
      if (own == argv[1]) return;
  const auto full = std::filesystem::read_symlink("/proc/self/exe").replace_filename(TOGUZ_FULL);
  execv(full.c_str(), argv);
  throw Error(full.string() + ": " + std::strerror(errno) +
              " (it belongs beside toguz: build all targets)");
}
#endif

int run(int argc, char** argv) {
#ifdef TOGUZ_FULL
  leaveToFull(argc, argv);
#endif
  CLI::App app{"Toguz Zero: self-play learning and play for Toguz Kumalak and its relatives",
               "toguz"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("toguz ") + TOGUZ_VERSION);
  app.footer(kExamples);
  app.get_formatter()->column_width(36);
  for (const auto& add : kCommands) add(app);
  try {
    checkNames(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // a command that has said why it failed
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help and --version
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw UsageError(text + "; see toguz --help");
  }
  return 0;
}

}  // namespace
}  // namespace toguz

int main(int argc, char** argv) {
  int status = 0;
  try {
    status = toguz::run(argc, argv);
  } catch (const toguz::UsageError& error) {
    std::fprintf(stderr, "toguz: %s\n", error.what());
    status = 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toguz: %s\n", error.what());
    status = 1;
  }
  // Results that never reached their reader (a full disk) are a failure.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "toguz: cannot write to standard output\n");
    if (status == 0) status = 1;
  }
  return status;
}
