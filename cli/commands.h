// The sub-commands of `toguz`, one file each: cmd_NAME.cpp defines addName. Each adds itself to the
// application with a footer of examples; its callback does the work and throws Error (status 1) or
// UsageError (status 2) when it cannot. A command that fails after saying why on its own throws
// CLI::RuntimeError(1). Which of them are in the program is decided in cli/CMakeLists.txt.
#pragma once

#include <CLI/CLI.hpp>

namespace toguz {

void addPerft(CLI::App& app);
void addReplay(CLI::App& app);
void addEngine(CLI::App& app);
void addMatch(CLI::App& app);
void addBench(CLI::App& app);
#ifdef TOGUZ_TRAINING
void addTrain(CLI::App& app);
#endif

}  // namespace toguz
