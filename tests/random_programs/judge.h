// What must hold of every call, whatever it is given:
// - it ends in a result, or in an autograd::Error with a known id, a place and an advice; never in another exception;
// - after an error its tensors are as they were, and the same call again gives the same error;
// - a result has a sane shape and dtype; of finite numbers come finite ones, unless the table says otherwise; the same call
//   again gives the same bits, and the same numbers in another layout of memory and in float32;
// - its gradients can be had, have the shapes of the leaves, and are what differences say.
#pragma once

#include <cstdint>
#include <string>

#include "calls.h"

namespace random_programs {

struct Verdict {
  std::string wrong;  // empty if all is well
  std::string text;   // what was called with what
  bool is_error = false;
};
Verdict judge(const Word& word, std::uint64_t seed);

}  // namespace random_programs
