// The sysroot's C++ library was built without exceptions: where it would throw, std::stoi("") for one, it calls a
// function that ends the program. Here that function throws, so that the caller's `catch` does what it says.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

// std::__libcpp_verbose_abort, which its header calls noexcept. `format` begins with the exception's name, and the last
// of what follows is its message.
[[noreturn]] void ends_with(const char* format, ...) __asm__("_ZNSt3__222__libcpp_verbose_abortEPKcz");

namespace {

template <class Error> void throw_if(std::string_view name, std::string_view format, const char* message) {
  if (format.starts_with(name)) throw Error(message);
}

void throw_as_named(std::string_view format, std::va_list arguments) {
  if (format.starts_with("bad_alloc was thrown")) throw std::bad_alloc();
  if (format.starts_with("system_error was thrown")) {
    const int code = va_arg(arguments, int);
    std::string message = va_arg(arguments, const char*);
    if (code == ENOTSUP && message.starts_with("thread ")) message += ": a program in WebAssembly has one thread";
    throw std::system_error(code, std::generic_category(), message);
  }
  if (format.find("was thrown") == format.npos || format.find("%s") == format.npos) return;
  const char* message = va_arg(arguments, const char*);
  throw_if<std::invalid_argument>("invalid_argument ", format, message);
  throw_if<std::out_of_range>("out_of_range ", format, message);
  throw_if<std::length_error>("length_error ", format, message);
  throw_if<std::overflow_error>("overflow_error ", format, message);
  throw_if<std::runtime_error>("runtime_error ", format, message);
}

}  // namespace

void ends_with(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  throw_as_named(format, arguments);
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  std::abort();
}

// The library's own end the program.
void* operator new(std::size_t size) {
  void* memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto aligned = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(aligned, (size + aligned - 1) / aligned * aligned);
  if (!memory) throw std::bad_alloc();
  return memory;
}
