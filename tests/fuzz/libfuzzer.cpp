// The entry points of libFuzzer (https://llvm.org/docs/LibFuzzer.html). Which target it is, the program's name says: a
// link to it for each (CMakeLists.txt).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/fuzz.h"

namespace {

fuzz::Target::Run run = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
  const std::string name = std::filesystem::path((*arguments)[0]).filename().string();
  const auto target = fuzz::targets().find(name);
  if (target == fuzz::targets().end()) {
    std::fprintf(stderr, "%s is not a target: start it by the name of one\n", name.c_str());
    std::exit(2);
  }
  run = target->second->run;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
