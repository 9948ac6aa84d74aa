// Where a program begins that has no main(), and whose functions its page calls.
#include "ending.h"

extern "C" void __wasm_call_ctors();

extern "C" void _initialize() noexcept {
  end_with_message();
  __wasm_call_ctors();
}
