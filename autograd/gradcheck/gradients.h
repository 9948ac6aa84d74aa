// The analytic side: gradients from the tape, for several outputs at once.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::checker {

// Random and signed, one per output, of its shape and dtype: each element is between 1/2 and 3/2 in size. A sum of
// outputs instead (all ones) would hide many mistakes; that of softmax, for one, is constant.
std::vector<Tensor> random_cotangents(const std::vector<Tensor>& outputs, std::uint64_t seed);

std::vector<Tensor> scaled(const std::vector<Tensor>& cotangents, double factor);

// d(sum_i <cotangents[i], outputs[i]>)/d(variable) for each variable; undefined where none arrives.
std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& cotangents,
                              const std::vector<Tensor>& variables, bool create_graph = false);

// Only the floating ones.
std::vector<Tensor> floating(const std::vector<Tensor>& outputs);

// Exactly the same bits?
bool same_bits(const std::vector<double>& a, const std::vector<double>& b);
bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b);
// Equal but for the order in which sums were added up: to 1e-12 of the largest number.
bool equal_to_rounding(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace autograd::checker
