#include "base/compress.h"

#include <zstd.h>

#include "base/error.h"

namespace toguz {

std::string compress(std::string_view bytes, int level) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), level);
  TOGUZ_CHECK(!ZSTD_isError(size), "compression into a buffer of sufficient size");
  packed.resize(size);
  return packed;
}

std::string decompress(std::string_view packed, std::size_t size) {
  const unsigned long long declared = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (declared != size) throw Error("compressed data do not hold the declared size");
  std::string bytes(size, '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got))
    throw Error(std::string("compressed data are damaged: ") + ZSTD_getErrorName(got));
  if (got != size) throw Error("compressed data do not hold the declared size");
  return bytes;
}

}  // namespace toguz
