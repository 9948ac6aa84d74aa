// Where a program begins that has no main(), and whose functions its page calls.
#include <exception>

#include "ending.h"

extern "C" void __wasm_call_ctors();

extern "C" void _initialize() {
  end_with_message();
  try {
    __wasm_call_ctors();
  } catch (...) {
    std::terminate();
  }
}
