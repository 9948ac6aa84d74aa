// What the shapes of an op's tensors do not tell about their elements: which dims a softmax or a sum runs along, and
// which element of an input a copying op takes. Found by running the op's forward on numbers that can be told apart.
// Private to the trace; what the shapes do tell is in page/cells.js.
#pragma once

#include <cstdint>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd::debug {

// Is there anything to say of this op?
bool has_origins(const Node& node);

// Of an op that copies elements (transpose, slice, cat, where, ...): an int64 tensor in the shape of the output, which
// holds the position of each element in the inputs, laid one after the other; -1 for an element that is no copy.
// Undefined for any other op.
Tensor copied_from(const Node& node, const Inputs& inputs);

// Of an op along dims (softmax, sum, cumsum, ...): which ones. Empty for any other op.
std::vector<std::int64_t> along_dims(const Node& node, const Inputs& inputs);

// Of nll_loss, whose targets and weights are no tensors of the tape: the factor of every element of its input in every
// element of its output, [elements of the output, elements of the input]. Undefined for any other op, and if that is
// large.
Tensor factors(const Node& node, const Inputs& inputs);

}  // namespace autograd::debug
