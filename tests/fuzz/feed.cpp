// fuzz_corpora TARGET [FILE or FOLDER ..]: gives a target these inputs, or else its seeds in corpus/TARGET; in every
// build, with any compiler.
#include <fmt/core.h>

#include <filesystem>

#include "tests/fuzz/fuzz.h"

namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) return {place};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(place)) files.push_back(entry.path());
  return files;
}

}  // namespace

int main(int count, char** arguments) {
  const auto target = count > 1 ? fuzz::targets().find(arguments[1]) : fuzz::targets().end();
  if (target == fuzz::targets().end()) {
    fmt::print("fuzz_corpora TARGET [FILE or FOLDER ..]\nTargets:");
    for (const auto& [name, run] : fuzz::targets()) fmt::print(" {}", name);
    fmt::print("\n");
    return 2;
  }
  std::vector<std::filesystem::path> places(arguments + 2, arguments + count);
  if (places.empty()) places = {std::filesystem::path(BACKSTEP_SOURCE) / "tests/fuzz/corpus" / target->first};
  std::size_t inputs = 0;
  for (const auto& place : places) {
    for (const auto& file : files_in(place)) {
      fmt::print("{}\n", file.string());
      std::fflush(stdout);  // before what may crash
      target->second(fixtures::content_of(file));
      ++inputs;
    }
  }
  fmt::print("{} inputs of {}: nothing found\n", inputs, target->first);
  return inputs == 0 ? 1 : 0;
}
