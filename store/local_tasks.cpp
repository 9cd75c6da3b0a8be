// The tasks of a local store. Each is one file, and whoever renames it has it.
#include "base/text.h"
#include "store/local_store.h"

namespace toguz {
namespace {

constexpr std::string_view kJson = ".json", kTaken = ".taken-";

}  // namespace

std::vector<std::string> LocalStore::filesOfTask(const std::string& id) const {
  std::vector<std::string> files;
  const std::string name = id + std::string(kJson);
  for (const std::string& file : local::list(folder_ / "tasks"))
    if (file == name || file.starts_with(name + std::string(kTaken))) files.push_back(file);
  return files;
}

std::optional<Task> LocalStore::takeTask(std::chrono::seconds lease) {
  const std::int64_t now = static_cast<std::int64_t>(local::now() * 1000);
  for (const std::string& file : local::list(folder_ / "tasks")) {
    const std::size_t json = file.find(kJson);
    if (json == std::string::npos || file.ends_with(".tmp")) continue;
    const std::string name = file.substr(0, json + kJson.size());
    if (const std::size_t taken = file.find(kTaken); taken != std::string::npos) {
      std::int64_t until = 0;
      if (parseInt(file.substr(taken + kTaken.size()), until) && until > now) continue;
    }
    // Whoever renames it has it: the name is another one after each claim.
    const std::string mine =
        name + std::string(kTaken) + std::to_string(now + lease.count() * 1000);
    if (mine == file || !local::rename(folder_ / "tasks" / file, folder_ / "tasks" / mine))
      continue;
    if (auto content = local::read(folder_ / "tasks" / mine))
      return Task{name.substr(0, json), std::move(*content)};
  }
  return std::nullopt;
}

void LocalStore::finishTask(const std::string& id, std::string_view result) {
  const auto files = filesOfTask(id);
  if (files.empty()) return;
  // In this order a kill in between loses no result.
  local::write(folder_ / "results" / (id + ".json"), result);
  for (const std::string& file : files) local::remove(folder_ / "tasks" / file);
}

void LocalStore::postTasks(std::span<const Task> tasks) {
  for (const Task& task : tasks)
    if (filesOfTask(task.id).empty())
      local::write(folder_ / "tasks" / (task.id + ".json"), task.content);
}

std::vector<std::pair<std::string, std::string>> LocalStore::taskResults() {
  std::vector<std::pair<std::string, std::string>> results;
  for (const std::string& file : local::list(folder_ / "results")) {
    if (!file.ends_with(kJson)) continue;
    const std::string id = file.substr(0, file.size() - kJson.size());
    auto result = local::read(folder_ / "results" / file);
    if (!result) continue;
    // Two workers may finish one task at a time.
    for (const std::string& task : filesOfTask(id)) local::remove(folder_ / "tasks" / task);
    local::remove(folder_ / "results" / file);
    if (finished_.insert(id).second) results.emplace_back(id, std::move(*result));
  }
  return results;
}

void LocalStore::dropTasks() {
  for (const char* part : {"tasks", "results"})
    for (const std::string& file : local::list(folder_ / part))
      if (!file.ends_with(".tmp")) local::remove(folder_ / part / file);
  finished_.clear();
}

}  // namespace toguz
