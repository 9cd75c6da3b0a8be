#include "store/archive.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "store/chunk.h"

namespace toguz {
namespace {

std::string chunkName(std::uint64_t number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%08llu%s", static_cast<unsigned long long>(number),
                kChunkExtension);
  return buffer;
}

}  // namespace

GameArchive::GameArchive(std::filesystem::path folder, const Rules& rules, Options options)
    : folder_(std::move(folder)), rules_(rules), options_(std::move(options)) {
  TOGUZ_CHECK(options_.chunkGames >= 1, "a chunk of no games");
  open();
}

GameArchive::~GameArchive() {
  try {
    flush();
  } catch (const std::exception& error) {
    if (options_.warn) options_.warn(std::string("games are lost: ") + error.what());
  }
}

void GameArchive::open() {
  std::vector<std::filesystem::path> found;
  try {
    std::filesystem::create_directories(folder_);
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::filesystem::path& path = entry.path();
      if (path.extension() == ".tmp")
        std::filesystem::remove(path);  // of a write cut off by a kill
      if (path.extension() == kChunkExtension) found.push_back(path);
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error("cannot open the games folder " + folder_.string() + ": " + error.code().message());
  }
  std::sort(found.begin(), found.end());
  for (const std::filesystem::path& path : found) {
    std::int64_t number = 0;
    if (!parseInt(path.stem().string(), number) || number < 0)
      throw Error(path.string() + " is not named like a file of games (" + chunkName(0) +
                  "); move it out of the folder");
    nextFile_ = std::max(nextFile_, static_cast<std::uint64_t>(number) + 1);
    openFile(path);
  }
}

void GameArchive::openFile(const std::filesystem::path& path) {
  std::string fault;
  try {
    const Chunk chunk(readFile(path), path.string());
    if (chunk.variant() != rules_.name())
      throw UsageError(path.string() + " holds games of " + chunk.variant() + ", not of " +
                       rules_.name() + "; choose another run folder");
    File file{path, storedGames_, {}};
    for (const ChunkEntry& entry : chunk.entries()) {
      file.rows.push_back(entry.rows);
      rows_ += entry.rows;
      ids_.insert(entry.id);
    }
    storedGames_ += file.rows.size();
    files_.push_back(std::move(file));
    return;
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    fault = error.what();
  }
  if (!options_.skipDamaged)
    throw Error(fault +
                "; to go on without its games, move the file away or resume with --set "
                "store.skip_damaged=true");
  std::filesystem::path aside = path;
  for (int k = 1;; ++k) {
    aside = path.string() + ".damaged" + (k == 1 ? "" : std::to_string(k));
    if (!std::filesystem::exists(aside)) break;
  }
  std::error_code code;
  std::filesystem::rename(path, aside, code);
  if (code) throw Error("cannot set " + path.string() + " aside: " + code.message());
  if (options_.warn)
    options_.warn(fault + "; its games are left out, the file is now " + aside.filename().string());
}

std::size_t GameArchive::append(std::vector<GameRecord> games) {
  const std::lock_guard lock(mutex_);
  std::size_t added = 0;
  for (GameRecord& game : games) {
    TOGUZ_CHECK(game.rules == rules_, "a game of other rules than the store's");
    if (!ids_.insert(game.id)) continue;
    rows_ += toguz::rowCount(game);
    pending_.push_back(std::move(game));
    ++added;
  }
  const auto full = static_cast<std::size_t>(options_.chunkGames);
  while (pending_.size() >= full) writeChunk(full);
  return added;
}

void GameArchive::flush() {
  const std::lock_guard lock(mutex_);
  const auto full = static_cast<std::size_t>(options_.chunkGames);
  while (!pending_.empty()) writeChunk(std::min(full, pending_.size()));
}

void GameArchive::writeChunk(std::size_t games) {
  const auto begin = std::chrono::steady_clock::now();
  const std::filesystem::path path = folder_ / chunkName(nextFile_);
  const std::string bytes = encodeChunk(std::span(pending_).first(games));
  if (options_.write)
    options_.write(path, bytes);
  else
    writeFileAtomically(path, bytes);
  ++nextFile_;

  File file{path, storedGames_, {}};
  for (std::size_t i = 0; i < games; ++i) file.rows.push_back(toguz::rowCount(pending_[i]));
  storedGames_ += games;
  files_.push_back(std::move(file));
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(games));

  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (took.count() > options_.slowWriteSeconds && !warnedSlow_) {
    warnedSlow_ = true;
    if (options_.warn)
      options_.warn("the disk is slow: " + path.string() + " took " +
                    std::to_string(static_cast<int>(took.count() * 1000)) +
                    " ms to write; self-play waits for it");
  }
}

std::uint64_t GameArchive::gameCount() const {
  const std::lock_guard lock(mutex_);
  return storedGames_ + pending_.size();
}

std::uint64_t GameArchive::rowCount() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

bool GameArchive::contains(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return ids_.contains(id);
}

void GameArchive::read(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
  // Files never change once written: only the list and the games still in memory need the lock.
  std::vector<std::pair<std::filesystem::path, std::uint64_t>>
      files;  // with the first game's number
  std::vector<GameRecord> waiting;
  std::uint64_t stored = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const File& file : files_)
      if (file.firstGame < last && file.firstGame + file.rows.size() > first)
        files.emplace_back(file.path, file.firstGame);
    stored = storedGames_;
    if (last > stored) waiting = pending_;
  }
  for (const auto& [path, firstGame] : files) {
    const std::vector<GameRecord> games = Chunk(readFile(path), path.string()).games();
    for (std::size_t i = 0; i < games.size(); ++i) {
      const std::uint64_t number = firstGame + i;
      if (number >= first && number < last && !visit(games[i])) return;
    }
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::uint64_t number = stored + i;
    if (number >= first && number < last && !visit(waiting[i])) return;
  }
}

std::uint64_t GameArchive::firstForRows(std::uint64_t rows, std::uint64_t last) const {
  const std::lock_guard lock(mutex_);
  std::uint64_t number = storedGames_ + pending_.size(), sum = 0;
  const auto take =
      [&](std::uint64_t gameRows) {  // walks one game down; true when there are enough
        --number;
        if (number < last) sum += gameRows;
        return sum >= rows && number < last;
      };
  for (std::size_t i = pending_.size(); i-- > 0;)
    if (take(toguz::rowCount(pending_[i]))) return number;
  for (std::size_t f = files_.size(); f-- > 0;)
    for (std::size_t i = files_[f].rows.size(); i-- > 0;)
      if (take(files_[f].rows[i])) return number;
  return 0;
}

}  // namespace toguz
