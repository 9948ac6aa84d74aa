// Picks: the brackets of an expression, [1, 0:2], which choose elements of a tensor as in Python.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::debug {

struct Pick {
  bool is_range = false;
  std::int64_t start = 0;
  std::int64_t stop = INT64_MAX;
  std::int64_t step = 1;
};

std::string text_of(const std::vector<Pick>& picks);  // "[1, :2]", "" without picks
// The picked elements, a view; the whole tensor without picks.
Tensor pick_from(const Tensor& tensor, const std::vector<Pick>& picks);

}  // namespace autograd::debug
