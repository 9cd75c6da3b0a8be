// Zstandard, whole buffers. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace toguz {

std::string compress(std::string_view bytes, int level = 3);
// `size` is the exact size of the content. Throws Error if the bytes are not a sound frame of it.
std::string decompress(std::string_view packed, std::size_t size);

}  // namespace toguz
