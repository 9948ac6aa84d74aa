// The analytic gradients of a check: cotangents, gradients from the tape, and how to compare them.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd::checker {

// Random cotangents, one per output, of its shape and dtype: elements of either sign, between 1/2 and 3/2 in size. All
// ones, which is a sum of the outputs, would hide many mistakes: the sum of softmax, for example, is constant.
std::vector<Tensor> random_cotangents(const std::vector<Tensor>& outputs, std::uint64_t seed);

std::vector<Tensor> scaled(const std::vector<Tensor>& cotangents, double factor);

// d(sum_i <cotangents[i], outputs[i]>)/d(variable) for each variable; undefined where none arrives.
std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& cotangents,
                              const std::vector<Tensor>& variables, bool create_graph = false);

// Those outputs that are floating point.
std::vector<Tensor> floating(const std::vector<Tensor>& outputs);

// Exactly the same bits?
bool same_bits(const std::vector<double>& a, const std::vector<double>& b);
bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b);

}  // namespace autograd::checker
