// Binary form of a GameRecord: lossless, little-endian, about 12 bytes a move. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "selfplay/game_record.h"

namespace toguz {

inline constexpr std::uint8_t kGameFormat = 2;  // 1 had no origin and is still read

// Appends the record to `out`. TOGUZ_CHECKs what a record promises: values in range, at most 65535
// moves, a sound start position.
void encodeGame(const GameRecord& game, std::string& out);

// Reads one record that fills `bytes` exactly. Throws Error saying what is wrong with anything
// malformed; what it returns has every field in range, but its moves are not replayed (makeRows
// does that).
GameRecord decodeGame(std::string_view bytes);

}  // namespace toguz
