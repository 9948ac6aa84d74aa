// Begins a main() that takes words. Of the sysroot's __main_void() it differs in one thing: where there is no main() at
// all, the linker says so, and not the machine when the program runs.
#include <cstddef>
#include <cstdlib>

extern "C" {

int __main_argc_argv(int count, char** words);  // main(int, char**), as the compiler calls it
unsigned short __wasi_args_sizes_get(std::size_t* count, std::size_t* size);
unsigned short __wasi_args_get(unsigned char** words, unsigned char* room);

int __main_void() {
  std::size_t count = 0;
  std::size_t size = 0;
  if (__wasi_args_sizes_get(&count, &size) != 0) std::abort();
  auto** words = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  auto* room = static_cast<unsigned char*>(std::malloc(size + 1));
  if (!words || !room || __wasi_args_get(reinterpret_cast<unsigned char**>(words), room) != 0) std::abort();
  return __main_argc_argv(static_cast<int>(count), words);
}

}  // extern "C"
