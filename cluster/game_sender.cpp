#include "cluster/game_sender.h"

#include <algorithm>

#include "store/batch.h"

namespace toguz {

using std::chrono::steady_clock;

void GameSender::deliver(GameRecord&& game) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return closed_ || spooledGames() < options_.spoolGames; });
  if (games_.empty()) firstGame_ = steady_clock::now();
  games_.push_back(std::move(game));
  ++spooled_;
}

void GameSender::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
}

void GameSender::pack(bool everything) {
  for (;;) {
    std::vector<GameRecord> games;
    {
      const std::lock_guard lock(mutex_);
      const bool ready = games_.size() >= options_.batchGames ||
                         (!games_.empty() &&
                          (everything || steady_clock::now() - firstGame_ >= options_.batchTime));
      if (!ready) return;
      const auto end = games_.begin() +
                       static_cast<std::ptrdiff_t>(std::min(games_.size(), options_.batchGames));
      games.assign(std::make_move_iterator(games_.begin()), std::make_move_iterator(end));
      games_.erase(games_.begin(), end);
      firstGame_ = steady_clock::now();
    }
    addBatch(std::move(games));
  }
}

void GameSender::addBatch(std::vector<GameRecord> games) {
  Batch batch;
  batch.games = games.size();
  GameBatch content{options_.run, options_.worker, lastSequence_ + 1, std::move(games)};
  batch.bytes = encodeBatch(content);
  if (batch.bytes.size() > kMaxBatchBytes && batch.games > 1) {  // games of thousands of moves
    const auto middle =
        content.games.begin() + static_cast<std::ptrdiff_t>(content.games.size() / 2);
    std::vector<GameRecord> rest(std::make_move_iterator(middle),
                                 std::make_move_iterator(content.games.end()));
    content.games.erase(middle, content.games.end());
    addBatch(std::move(content.games));
    addBatch(std::move(rest));
    return;
  }
  batch.sequence = ++lastSequence_;
  batches_.push_back(std::move(batch));
}

void GameSender::confirm(std::optional<std::uint64_t> sequence) {
  if (!sequence) return resend();
  std::size_t games = 0;
  while (!batches_.empty() && batches_.front().sequence <= *sequence) {
    games += batches_.front().games;
    batches_.pop_front();
  }
  if (games == 0) return;
  confirmedGames_ += games;
  const std::lock_guard lock(mutex_);
  spooled_ -= games;
  room_.notify_all();
}

GameSender::Sent GameSender::send(RunStore& store, bool everything) {
  pack(everything);
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    Batch& batch = batches_[i];
    if (batch.sent) continue;
    switch (store.append(options_.run, options_.worker, batch.sequence, batch.bytes)) {
      case RunStore::Taken::Full:
        confirm(store.confirmed(options_.worker));
        return Sent::LearnerBehind;
      case RunStore::Taken::NoRun:
        return Sent::NoRun;
      case RunStore::Taken::Anew:
        resend();
        return Sent::Anew;
      case RunStore::Taken::Yes:
        batch.sent = true;
    }
  }
  if (batches_.empty()) return Sent::All;
  const auto confirmed = store.confirmed(options_.worker);
  confirm(confirmed);
  return confirmed ? Sent::All : Sent::Anew;
}

void GameSender::resend() {
  for (Batch& batch : batches_) batch.sent = false;
}

std::uint64_t GameSender::unsentGames() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t games = games_.size();
  for (const Batch& batch : batches_)
    if (!batch.sent) games += batch.games;
  return games;
}

}  // namespace toguz
