#include "training/run_identity.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace toguz {
namespace {

std::string randomHex() {
  std::random_device device;
  const auto word = [&] { return hex64(std::uint64_t{device()} << 32 | device()); };
  const std::string high = word();
  return high + word();
}

}  // namespace

RunIdentity::RunIdentity(const std::filesystem::path& folder, std::uint64_t configHash)
    : folder_(std::filesystem::absolute(folder).lexically_normal()),
      identityFile_(folder / "identity.json"),
      modelsFile_(folder / "published.jsonl") {
  if (std::filesystem::exists(identityFile_)) {
    try {
      const auto json = nlohmann::json::parse(readFile(identityFile_));
      json.at("run").get_to(run_);
      json.at("learner").get_to(learner_);
      store_ = json.value("store", "");
      for (const auto& hash : json.at("configs"))
        configs_.insert(std::stoull(hash.get<std::string>(), nullptr, 16));
    } catch (const std::exception& error) {
      throw Error(identityFile_.string() + " is damaged (" + error.what() +
                  "); move it away: the run then gets a new name, and takes no more of the games "
                  "that others have played for it");
    }
  } else {
    run_ = randomHex();
    learner_ = randomHex();
  }
  if (configs_.insert(configHash).second) save();
  if (!std::filesystem::exists(modelsFile_)) return;
  std::istringstream lines(readFile(modelsFile_));
  for (std::string line; std::getline(lines, line);) {
    // A line cut off by a kill names a model that nobody was given.
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object()) models_.insert(json.value("sha256", ""));
  }
}

void RunIdentity::save() const {
  nlohmann::ordered_json json = {{"run", run_}, {"learner", learner_}};
  json["configs"] = nlohmann::json::array();
  for (const std::uint64_t hash : configs_) json["configs"].push_back(hex64(hash));
  json["store"] = store_;
  writeFileAtomically(identityFile_, json.dump(1) + "\n");
}

void RunIdentity::setStore(const std::string& name) {
  if (std::exchange(store_, name) != name) save();
}

void RunIdentity::addModel(const Sha256& hash, std::uint32_t generation, std::uint64_t step) {
  const std::string text = hexText(hash);
  if (models_.contains(text)) return;
  const nlohmann::ordered_json json = {
      {"sha256", text}, {"generation", generation}, {"step", step}};
  // It begins with a line's end, for what a kill may have cut off before it.
  const std::string line = "\n" + json.dump() + "\n";
  const int file = ::open(modelsFile_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(file) == 0;
  const int code = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw Error("cannot write " + modelsFile_.string() + ": " +
                std::generic_category().message(code));
  models_.insert(text);
}

}  // namespace toguz
