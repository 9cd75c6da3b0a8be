// A batch of finished games as a worker sends it: framed, versioned, compressed, checksummed.
//
//   "TZBATCH1", version u32, head length u32; head: MessagePack {run, worker, sequence};
//   a chunk (chunk.h): the games, each with the model's sha256, the configuration's hash and the
//   rules' version (GameOrigin); XXH3-64 of all before.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "selfplay/game_record.h"
#include "store/run_store.h"

namespace toguz {

struct GameBatch {
  std::string run;  // RunDescription::id
  WorkerId worker = 0;
  std::uint64_t sequence = 0;  // 1, 2, ... of the worker
  std::vector<GameRecord> games;
};

std::string encodeBatch(const GameBatch& batch);
// Throws Error saying what is wrong with anything malformed; makes sure that the games are whole
// but does not replay them.
GameBatch decodeBatch(std::string_view bytes);

}  // namespace toguz
