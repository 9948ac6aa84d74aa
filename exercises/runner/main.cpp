#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "runner/builder.h"
#include "runner/dev_check.h"

namespace {

// dev check [--slow] [ID ...]
int dev(const std::vector<std::string>& arguments) {
  bool slow = false;
  std::vector<std::string> ids;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    if (arguments[i] == "--slow") {
      slow = true;
    } else {
      ids.push_back(learn::find_exercise(arguments[i]));
    }
  }
  return learn::dev_check(ids.empty() ? learn::exercise_ids() : ids, slow);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() >= 2 && arguments[0] == "dev" && arguments[1] == "check") return dev(arguments);
    fmt::print(stderr, "learn dev check [--slow] [ID ...]\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "learn: {}\n", error.what());
    return 1;
  }
}
