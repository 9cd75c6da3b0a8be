#include "serve/encoding.h"

#include <zlib.h>

#include <bit>
#include <cstring>

#include "base/error.h"

namespace toguz {

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<std::uint8_t>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string gzip(std::string_view bytes, int level) {
  constexpr int kGzipWindow = 15 + 16;  // the greatest window, in gzip's wrapping
  z_stream stream{};
  TOGUZ_CHECK(deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) == Z_OK,
              "zlib starts");
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  TOGUZ_CHECK(status == Z_STREAM_END, "compression into a buffer of sufficient size");
  return packed;
}

}  // namespace toguz
