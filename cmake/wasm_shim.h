// What the project uses of C++20 and Emscripten's libc++ does not have yet; included before all
// else in the WebAssembly build. Each part goes away with a library that has it.
#pragma once

#include <version>

#include <atomic>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace std {

#if !defined(__cpp_lib_bit_cast)
template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
         is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#if !defined(__cpp_lib_atomic_ref)
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& of) : of_(&of) {}
  T load(memory_order = memory_order_seq_cst) const {
    return __atomic_load_n(of_, __ATOMIC_SEQ_CST);
  }
  void store(T value, memory_order = memory_order_seq_cst) const {
    __atomic_store_n(of_, value, __ATOMIC_SEQ_CST);
  }
  T exchange(T value, memory_order = memory_order_seq_cst) const {
    return __atomic_exchange_n(of_, value, __ATOMIC_SEQ_CST);
  }
  T fetch_add(T more, memory_order = memory_order_seq_cst) const {
    return __atomic_fetch_add(of_, more, __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_weak(T& expected, T wanted, memory_order = memory_order_seq_cst) const {
    return __atomic_compare_exchange_n(of_, &expected, wanted, true, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }

 private:
  T* of_;
};
#endif

#if !defined(__cpp_lib_jthread)
// Without a stop token, and only ever empty: the module has one thread.
class jthread : public thread {
 public:
  using thread::thread;
  jthread(jthread&&) noexcept = default;
  jthread& operator=(jthread&&) noexcept = default;
  ~jthread() {
    if (joinable()) join();
  }
};
#endif

#if !defined(__cpp_lib_to_chars)
inline from_chars_result from_chars(const char* first, const char* last, double& out) {
  const string text(first, last);
  // strtod takes a plus, blanks and hexadecimals, which from_chars does not.
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != string::npos || text[0] == '+')
    return {first, errc::invalid_argument};
  char* end = nullptr;
  const double value = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  out = value;
  return {first + (end - text.c_str()), errc()};
}
#endif

}  // namespace std
