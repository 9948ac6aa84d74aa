// Running another program: its output caught, its time limited.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace learn {

struct Finished {
  int exit_code = 0;       // 128 + n when signal n ended it, as the shell has it
  bool timed_out = false;  // and was killed for it, with everything it had started
  std::string output;      // stdout and stderr, in the order in which they came
  double seconds = 0.0;
};

struct ProcessOptions {
  double seconds = 120.0;                     // then it is killed
  std::vector<std::string> environment = {};  // "NAME=value", added to ours
  std::size_t most_output = 1 << 20;          // bytes; the rest is thrown away
};

Finished run_process(const std::vector<std::string>& command, const ProcessOptions& options = {});

}  // namespace learn
