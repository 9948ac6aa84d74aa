#include "ending.h"

#include <cxxabi.h>

#include <cstdio>
#include <exception>
#include <typeinfo>

extern "C" [[noreturn]] void __wasi_proc_exit(int status);

namespace {

constexpr int aborted = 134;  // what a shell says of a native program that ends so

const char* name_of(const std::type_info& type) {
  int status = 0;
  const char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  return status == 0 ? name : type.name();
}

[[noreturn]] void say_and_end() {
  try {
    if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
    std::fputs("terminate called without an active exception\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "terminate called after throwing an instance of '%s'\n  what():  %s\n", name_of(typeid(error)),
                 error.what());
  } catch (...) {
    std::fprintf(stderr, "terminate called after throwing an instance of '%s'\n",
                 name_of(*abi::__cxa_current_exception_type()));
  }
  __wasi_proc_exit(aborted);
}

}  // namespace

void end_with_message() {
  std::set_terminate(say_and_end);
}
