// Where a program begins and ends in WebAssembly, in the place of the sysroot's crt1.o: an exception that nobody
// catches would leave the program, and be told to the page or to node as "WebAssembly.Exception" only.
#include <cxxabi.h>

#include <cstdio>
#include <exception>
#include <typeinfo>

extern "C" {
void __wasm_call_ctors();
int __main_void();
void __wasm_call_dtors();
[[noreturn]] void __wasi_proc_exit(int status);

// The destructors of thread_local variables: there is one thread, which ends with the program.
int __cxa_atexit(void (*destroy)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  return __cxa_atexit(destroy, object, library);
}
}

namespace {

constexpr int aborted = 134;  // what a shell says of a native program that ends so

const char* name_of(const std::type_info& type) {
  int status = 0;
  const char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  return status == 0 ? name : type.name();
}

// As natively.
[[noreturn]] void end_with_message() {
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
    std::fputs("terminate called without an active exception\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "terminate called after throwing an instance of '%s'\n  what():  %s\n", name_of(typeid(error)),
                 error.what());
  } catch (...) {
    std::fputs("terminate called after throwing an exception that is no std::exception\n", stderr);
  }
  __wasi_proc_exit(aborted);
}

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
  std::set_terminate(end_with_message);
  const int status = run();
  __wasm_call_dtors();
  if (status != 0) __wasi_proc_exit(status);
}
