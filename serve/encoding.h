// Bytes in the forms that pages and their policies take. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace toguz {

// RFC 4648, padded, in one line.
std::string base64(std::string_view bytes);
// A gzip member; the same bytes for the same content, as it holds neither name nor time.
std::string gzip(std::string_view bytes, int level = 9);

}  // namespace toguz
