// Differentiation: backward() and grad().
#pragma once

#include <vector>

#include "autograd/tape/grad_mode.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/tensor.h"

namespace autograd {

// From several tensors at once: adds d(sum_i <gradients[i], tensors[i]>)/d(leaf) to every leaf's grad(). An undefined
// gradient stands for 1; its tensor must have one element.
void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& gradients = {},
              BackwardOptions options = {}, Where where = Where::current());

struct GradOptions {
  Tensor grad_output = Tensor();  // dL/d(output); may be left out for one element, where it is 1
  bool create_graph = false;      // record the derivatives themselves, so that they can be differentiated
  bool allow_unused = false;      // an input that output does not depend on: undefined instead of an error
};

// d(output)/d(input) for each input, leaf or not. Touches no grad(). No result shares memory with another tensor.
std::vector<Tensor> grad(const Tensor& output, const std::vector<Tensor>& inputs, const GradOptions& options = {},
                         Where where = Where::current());

}  // namespace autograd
