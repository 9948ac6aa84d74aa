// fast_kernels: each kernel from the naive loop to the one that the engine has, every version with its speed, its share
// of what the machine can do, and its error. docs/fast-kernels.md is the course that goes with it.
//
//   fast_kernels                                all kernels
//   fast_kernels matmul --size 512              one of them, at another size
//   fast_kernels matmul --step 4                one version, for perf or a debugger
//   fast_kernels --check                        results only, at sizes that are awkward for vectors and tiles
//
// It ends with a failure if a version computes something wrong.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/machine.h"
#include "examples/fast_kernels/vectors.h"

using namespace fast_kernels;

namespace {

using Size = std::vector<int64_t>;

struct Kernel {
  std::string name;
  bool (*run)(const Options& options);
  Size size;
  std::vector<Size> check_sizes;
};

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> list = {
      {"matmul", matmul, {1024, 1024, 1024}, {{1, 1, 1}, {3, 5, 7}, {13, 33, 70}, {64, 64, 64}, {50, 40, 400}}},
      {"tanh", tanh, {1 << 20}, {{1}, {8}, {37}, {1000}}},
      {"softmax", softmax, {1024, 1024}, {{1, 1}, {3, 5}, {2, 16}, {4, 37}}},
  };
  return list;
}

bool run(const Kernel& kernel, Options options) {
  std::vector<Size> sizes = options.check ? kernel.check_sizes : std::vector<Size>{kernel.size};
  if (!options.size.empty()) sizes = {Size(kernel.size.size(), options.size[0])};
  bool right = true;
  for (const Size& size : sizes) {
    autograd::manual_seed(15);
    options.size = size;
    right = kernel.run(options) && right;
    fmt::print("\n");
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names, widths;
  for (const Kernel& kernel : kernels()) names.push_back(kernel.name);
  for (const Vectors* width : supported_vectors()) widths.emplace_back(width->name);
  std::string name;
  std::string only_width;
  Options options;
  CLI::App app("Each kernel from the naive loop to the one that the engine has");
  app.add_option("kernel", name, "which one; all if none is named")->check(CLI::IsMember(names));
  app.add_option("--step", options.step, "this version only, counted from 1")->check(CLI::PositiveNumber);
  app.add_option("--size", options.size, "of every dim")->check(CLI::PositiveNumber)->expected(1);
  app.add_flag("--check", options.check, "results only, at small sizes and with all vectors; nothing is timed");
  app.add_option("--vectors", only_width, "the widest if not given")->check(CLI::IsMember(widths));
  CLI11_PARSE(app, argc, argv);

  if (only_width.empty() && !options.check) only_width = widths.back();
  bool right = true;
  for (const Vectors* width : supported_vectors()) {
    if (!only_width.empty() && only_width != width->name) continue;
    choose_vectors(*width);
    if (options.check) fmt::print("---- {} ----\n\n", width->name);
    if (!options.check) print_machine();
    for (const Kernel& kernel : kernels()) {
      if (name.empty() || name == kernel.name) right = run(kernel, options) && right;
    }
  }
  if (!right) fmt::print(stderr, "A version is wrong.\n");
  return right ? 0 : 1;
}
