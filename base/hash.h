// Content hashes, for files and identities: XXH3 by Yann Collet, and SHA-256 where the content
// comes from somebody else. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace toguz {

std::uint64_t hash64(std::string_view bytes);
// XXH3-128 in its canonical (big-endian) form, as 32 lower-case hex digits.
std::string hash128Hex(std::string_view bytes);
// 16 lower-case hex digits.
std::string hex64(std::uint64_t value);

// FIPS 180-4.
using Sha256 = std::array<std::uint8_t, 32>;
Sha256 sha256(std::string_view bytes);
// 64 lower-case hex digits, and back: false if `text` is anything else.
std::string hexText(const Sha256& digest);
bool parseHex(std::string_view text, Sha256& digest);

}  // namespace toguz
