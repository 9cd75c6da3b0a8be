#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace toguz {

void checkFailed(const char* condition, const char* file, int line, const char* message) {
  std::fprintf(stderr, "toguz: internal check failed at %s:%d: %s (%s)\n", file, line, message,
               condition);
  std::abort();
}

}  // namespace toguz
