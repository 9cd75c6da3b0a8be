// The training runs that are shown, by name. Looked for anew at each call, as runs come and go. Any
// thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace toguz {

struct NamedRun {
  std::string name;
  std::filesystem::path path;
};

class RunFolders {
 public:
  // Each is a run's folder or one that holds runs. Throws UsageError if one is no folder.
  explicit RunFolders(std::vector<std::filesystem::path> given);
  // By name. Runs of the same name in several places are NAME, NAME~2 and so on.
  std::vector<NamedRun> list() const;
  // A name is only ever compared with those of `list`.
  std::optional<std::filesystem::path> find(const std::string& name) const;

 private:
  std::vector<std::filesystem::path> given_;
};

}  // namespace toguz
