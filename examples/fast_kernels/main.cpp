// fast_kernels: each kernel from the naive loop to the one that the engine has, every version with its speed, its share
// of what the machine can do, and its error. docs/fast-kernels.md is the course that goes with it.
//
//   fast_kernels                                all kernels
//   fast_kernels matmul --size 512 512 512      one of them, at another size
//   fast_kernels matmul --step 4                one version, for perf or a debugger
//   fast_kernels --check                        results only, at sizes that are awkward for vectors and tiles
//   fast_kernels matmul few-rows tanh gru adam --picture roofline.svg --of tables.txt
//
// It ends with a failure if a version computes something wrong.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/machine.h"
#include "examples/fast_kernels/roofline.h"
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
      {"few-rows", few_rows, {16000, 1024}, {{1, 1}, {3, 70}, {6, 16}, {41, 33}}},
      {"exp", exp, {1 << 20}, {{1}, {8}, {37}, {1000}}},
      {"tanh", tanh, {1 << 20}, {{1}, {8}, {37}, {1000}}},
      {"softmax", softmax, {1024, 1024}, {{1, 1}, {3, 5}, {2, 16}, {4, 37}}},
      {"cross-entropy", cross_entropy, {960, 8000}, {{1, 2}, {3, 5}, {2, 16}, {4, 37}}},
      {"gru", gru, {20, 32, 256, 256}, {{1, 1, 1, 1}, {3, 2, 5, 4}, {4, 3, 17, 16}}},
      {"attention", attention, {32, 20, 20, 256}, {{1, 1, 1, 1}, {2, 3, 4, 5}, {2, 1, 3, 37}}},
      {"adam", adam, {14'200'000}, {{1}, {5}, {37}}},
      {"ops", ops, {4}, {{1}, {5}}},
      {"memory", memory, {64}, {}},
  };
  return list;
}

const Kernel& kernel_called(const std::string& name) {
  return *std::find_if(kernels().begin(), kernels().end(), [&](const Kernel& one) { return one.name == name; });
}

struct Command {
  std::vector<std::string> names;
  Options options;
  std::string vectors;
  std::string picture;
  std::string of;
};

// Exits where there is nothing to run.
void parse(Command& command, int argc, char** argv) {
  CLI::App app("Each kernel from the naive loop to the one that the engine has");
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) names.push_back(kernel.name);
  app.add_option("kernels", command.names, "which ones; all if none is named")->check(CLI::IsMember(names));
  app.add_option("--step", command.options.step, "this version only, counted from 1")->check(CLI::PositiveNumber);
  app.add_option("--size", command.options.size, "of each dim, for a single kernel")->check(CLI::PositiveNumber);
  app.add_option("--seconds", command.options.seconds, "for the samples of one version")->check(CLI::PositiveNumber);
  app.add_flag("--check", command.options.check, "results only, at small sizes; nothing is timed");
  app.add_option("--vectors", command.vectors, "baseline, avx2 or avx512; the widest if not given");
  auto* const of = app.add_option("--of", command.of, "a file with tables that this program printed before")
                       ->check(CLI::ExistingFile);
  app.add_option("--picture", command.picture, "draw the roofline of these tables into this file; runs nothing")
      ->needs(of);
  try {
    app.parse(argc, argv);
    if (command.names.empty()) command.names = names;
    if (!command.options.size.empty()) {
      if (command.names.size() != 1) throw CLI::ValidationError("--size", "name one kernel");
      const std::size_t dims = kernel_called(command.names[0]).size.size();
      if (command.options.size.size() == 1) command.options.size.resize(dims, command.options.size[0]);
      if (command.options.size.size() != dims) {
        throw CLI::ValidationError("--size", fmt::format("{} has {} sizes", command.names[0], dims));
      }
    }
    if (!command.vectors.empty() && !choose_vectors(command.vectors)) {
      throw CLI::ValidationError("--vectors", "this processor has no " + command.vectors);
    }
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
}

bool run(const Kernel& kernel, const Options& given) {
  Options options = given;
  std::vector<Size> sizes = {kernel.size};
  if (!given.size.empty()) sizes = {given.size};
  if (given.size.empty() && given.check) sizes = kernel.check_sizes;
  bool right = true;
  for (const Size& size : sizes) {
    autograd::manual_seed(15);
    options.size = size;
    right = kernel.run(options) && right;
    fmt::print("\n");
  }
  return right;
}

bool run_all(const Command& command) {
  bool right = true;
  for (const std::string& name : command.names) right = run(kernel_called(name), command.options) && right;
  return right;
}

bool check_all_widths(const Command& command) {
  bool right = true;
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    if (!choose_vectors(name)) continue;
    fmt::print("---- {} ----\n\n", name);
    right = run_all(command) && right;
  }
  return right;
}

int draw(const Command& command) try {
  write_roofline(command.picture, command.of, command.names);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Command command;
  parse(command, argc, argv);
  if (!command.picture.empty()) return draw(command);
  if (!command.options.check) print_machine();
  const bool right = command.options.check && command.vectors.empty() ? check_all_widths(command) : run_all(command);
  if (!right) fmt::print(stderr, "A version is wrong.\n");
  return right ? 0 : 1;
}
