// What the WebAssembly module gives to the page. Bytes in: toguz_buffer(size) is where to write
// them; bytes out: the call returns their place, and their number stands in the eight bytes before.
#include <cstdint>
#include <cstring>
#include <string>

#include "web/engine/page_engine.h"

namespace {

toguz::PageEngine& engine() {
  static toguz::PageEngine engine;
  return engine;
}

std::string input, output;

const char* give(const std::string& text) {
  const std::uint64_t size = text.size();
  output.resize(sizeof size);
  std::memcpy(output.data(), &size, sizeof size);
  output += text;
  return output.data() + sizeof size;
}

}  // namespace

extern "C" {

// Room for so many bytes of the next call; valid until the next toguz_buffer.
char* toguz_buffer(std::size_t size) {
  input.resize(size);
  return input.data();
}

const char* toguz_call() {
  return give(engine().call(input));
}

// A model file in the buffer.
const char* toguz_model() {
  const char* reply = give(engine().model(input, "the model"));
  input = {};
  return reply;
}

}  // extern "C"
