// Checks attention weights and returns them as plain numbers. Private to nn.
#pragma once

#include <autograd/autograd.h>

#include <string_view>
#include <vector>

namespace nn {

using autograd::Tensor;
using autograd::Where;

// [T, S] -> T rows of S. Throws undefined-tensor, shape-mismatch, and bad-argument for a weight that is negative or not
// finite; `asked` is the function that the user called.
std::vector<std::vector<double>> weight_rows(std::string_view asked, const Tensor& weights, Where where);

// The position of the largest weight of a row, the first one at a tie; -1 if all are 0.
std::int64_t strongest(const std::vector<double>& row);

}  // namespace nn
