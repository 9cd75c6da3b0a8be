// Errors, in the two kinds the project distinguishes.
//
// * Error: something a user can cause (a bad file, option, move). Thrown with one clear line that
//   names the file, key, line or ply and the remedy; `toguz` prints it and exits 1, or 2 for a
//   UsageError (bad usage or bad input).
// * TOGUZ_CHECK: a programmer error. On in release builds; prints and aborts.
#pragma once

#include <stdexcept>
#include <string>

namespace toguz {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bad usage or bad input: exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void checkFailed(const char* condition, const char* file, int line,
                              const char* message);

}  // namespace toguz

#define TOGUZ_CHECK(condition, message)                              \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::toguz::checkFailed(#condition, __FILE__, __LINE__, message); \
  } while (false)
