// Gives a target its seeds, or these inputs; in every build, with any compiler.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

int usage() {
  fmt::print(
      "{0}                     runs the target on its seeds\n"
      "{0} FILE or FOLDER ..   runs it on these\n"
      "{0} --write FOLDER      writes the seeds, a file each\n",
      "feed_" + fuzz::target.name);
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
  const fuzz::Target& target = fuzz::target;
  if (!arguments.empty() && arguments[0] == "--write") {
    if (arguments.size() != 2) return usage();
    fs::create_directories(arguments[1]);
    for (const auto& [name, input] : target.seeds()) fixtures::write(fs::path(arguments[1]) / name, input);
    return 0;
  }
  for (const std::string& place : arguments) {
    if (!fs::exists(place)) return fmt::print(stderr, "there is no {}\n", place), usage();
  }
  const fuzz::Seeds inputs = arguments.empty() ? target.seeds() : inputs_in({arguments.begin(), arguments.end()});
  for (const auto& [name, input] : inputs) {
    fmt::print("{}\n", name);
    std::fflush(stdout);  // before what may crash
    target.run(input);
  }
  fmt::print("{} inputs of {}: nothing found\n", inputs.size(), target.name);
  return inputs.empty() ? 1 : 0;
}
