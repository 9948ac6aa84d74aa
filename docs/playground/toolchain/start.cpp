// Where a program with main() begins and ends in WebAssembly, in the place of the sysroot's crt1.o.
#include <exception>

#include "ending.h"

extern "C" {
void __wasm_call_ctors();
int __main_void();
void __wasm_call_dtors();
[[noreturn]] void __wasi_proc_exit(int status);
}

namespace {

int run() {
  try {
    __wasm_call_ctors();
    return __main_void();
  } catch (...) {
    std::terminate();
  }
}

}  // namespace

extern "C" void _start() {
  end_with_message();
  const int status = run();
  __wasm_call_dtors();
  if (status != 0) __wasi_proc_exit(status);
}
