// A random call: mostly with what fits, sometimes with anything at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace random_programs {

bool shares_memory(const Tensor& a, const Tensor& b);

struct Call {
  const Word& word;
  Step step = {};
  std::vector<Tensor> tensors = {};
  bool is_ordinary = true;  // no NaN, nothing infinite or huge among the numbers

  struct State {  // of a tensor, before the call
    std::vector<double> values;
    std::uint32_t version;
  };
  std::vector<State> before = {};
};

Call random_call(const Word& word, std::uint64_t seed);
// v0: float64 [2, 3] leaf
// exp(v0)
std::string as_text(const Call& call);

}  // namespace random_programs
