// The entry point of libFuzzer (https://llvm.org/docs/LibFuzzer.html).
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::target.run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
