// Forward alone, and forward with backward, of anything that returns tensors.
#pragma once

#include <autograd/autograd.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {

// Records `forward` (the graph is built and dropped) and `forward_backward` (the leaves' gradients are dropped, and all
// outputs differentiated with gradients of ones). `per`: operations in one call.
void record_forward_backward(const Run& run, const std::string& unit, double per,
                             const std::vector<autograd::Tensor>& leaves,
                             const std::function<std::vector<autograd::Tensor>()>& forward);

}  // namespace bench
