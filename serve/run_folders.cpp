#include "serve/run_folders.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "base/error.h"
#include "training/run_directory.h"

namespace toguz {
namespace {

namespace fs = std::filesystem;

bool isRun(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(RunPaths(folder).config(), ignored);
}

}  // namespace

RunFolders::RunFolders(std::vector<fs::path> given) : given_(std::move(given)) {
  std::error_code ignored;
  for (const fs::path& folder : given_)
    if (!fs::is_directory(folder, ignored))
      throw UsageError("--run " + folder.string() +
                       ": no such folder; name a run of toguz train, or a folder of runs");
}

std::vector<NamedRun> RunFolders::list() const {
  std::vector<fs::path> found;
  for (const fs::path& folder : given_) {
    if (isRun(folder)) {
      found.push_back(folder);
      continue;
    }
    std::error_code ignored;
    std::vector<fs::path> inside;
    for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
         it.increment(ignored))
      if (isRun(it->path())) inside.push_back(it->path());
    std::sort(inside.begin(), inside.end());
    found.insert(found.end(), inside.begin(), inside.end());
  }
  std::vector<NamedRun> runs;
  std::map<std::string, int> met;
  for (const fs::path& path : found) {
    std::error_code ignored;
    std::string name = fs::weakly_canonical(path, ignored).filename().string();
    if (const int count = ++met[name]; count > 1) name += "~" + std::to_string(count);
    runs.push_back({name, path});
  }
  return runs;
}

std::optional<fs::path> RunFolders::find(const std::string& name) const {
  for (NamedRun& run : list())
    if (run.name == name) return std::move(run.path);
  return std::nullopt;
}

}  // namespace toguz
