// Runs a program as a user does, by the shell, for tests of what it prints and how it ends.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace toguz::test {

struct Ran {
  int status = -1;  // -2: ended by a signal
  std::string out, err;
};

// `command` may hold redirections of its own; its standard error goes to `err` unless it does.
inline Ran runShell(const std::string& command) {
  static int count = 0;
  const auto errors = std::filesystem::temp_directory_path() /
                      ("toguz_run_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  Ran run;
  FILE* pipe = popen(("{ " + command + "\n} 2>'" + errors.string() + "'").c_str(), "r");
  if (!pipe) return run;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -2;
  std::ifstream in(errors);
  run.err.assign(std::istreambuf_iterator<char>(in), {});
  std::filesystem::remove(errors);
  return run;
}

}  // namespace toguz::test
