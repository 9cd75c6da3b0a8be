// Content hashes (XXH3 by Yann Collet), for files and identities. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toguz {

std::uint64_t hash64(std::string_view bytes);
// XXH3-128 in its canonical (big-endian) form, as 32 lower-case hex digits.
std::string hash128Hex(std::string_view bytes);
// 16 lower-case hex digits.
std::string hex64(std::uint64_t value);

}  // namespace toguz
