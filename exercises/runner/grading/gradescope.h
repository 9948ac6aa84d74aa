// The zip that Gradescope builds an autograder from: Backstep's source, setup.sh, which builds it there once, and
// run_autograder, which grades a submission.
#pragma once

#include <string>
#include <vector>

namespace learn {

struct GradescopeOptions {
  std::string zip;
  std::vector<std::string> exercises;  // "19=4", as for `learn grade`
  double points = 1.0;
  int seconds = 0;
  int seed = 0;
  bool by_parts = false;
};

// Throws std::runtime_error where it cannot be made.
void make_gradescope_zip(const GradescopeOptions& options);

std::string gradescope_setup(const GradescopeOptions& options);
std::string gradescope_run(const GradescopeOptions& options);

}  // namespace learn
