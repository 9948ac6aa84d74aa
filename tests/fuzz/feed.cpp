// Gives a target its seeds, or these inputs; in every build, with any compiler.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

int usage() {
  fmt::print(
      "fuzz_corpora TARGET                     runs the target on its seeds\n"
      "fuzz_corpora TARGET FILE or FOLDER ..   runs it on these\n"
      "fuzz_corpora --write TARGET FOLDER      writes the seeds, a file each\nTargets:");
  for (const auto& [name, target] : fuzz::targets()) fmt::print(" {}", name);
  fmt::print("\n");
  return 2;
}

fuzz::Seeds inputs_in(const std::vector<fs::path>& places) {
  fuzz::Seeds inputs;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      inputs[place] = fixtures::content_of(place);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(place)) inputs[entry.path()] = fixtures::content_of(entry.path());
  }
  return inputs;
}

}  // namespace

int main(int count, char** values) {
  std::vector<std::string> arguments(values + 1, values + count);
  const bool writes = !arguments.empty() && arguments[0] == "--write";
  if (writes) arguments.erase(arguments.begin());
  const auto found = arguments.empty() ? fuzz::targets().end() : fuzz::targets().find(arguments[0]);
  if (found == fuzz::targets().end() || (writes && arguments.size() != 2)) return usage();
  const fuzz::Target& target = *found->second;

  if (writes) {
    fs::create_directories(arguments[1]);
    for (const auto& [name, input] : target.seeds()) fixtures::write(fs::path(arguments[1]) / name, input);
    return 0;
  }
  const bool given = arguments.size() > 1;
  const fuzz::Seeds inputs = given ? inputs_in({arguments.begin() + 1, arguments.end()}) : target.seeds();
  for (const auto& [name, input] : inputs) {
    fmt::print("{}\n", name);
    std::fflush(stdout);  // before what may crash
    target.run(input);
  }
  fmt::print("{} inputs of {}: nothing found\n", inputs.size(), target.name);
  return inputs.empty() ? 1 : 0;
}
