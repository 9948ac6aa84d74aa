// The list of all primitive ops. Each file that has some lists its own at its end.
#pragma once

#include <vector>

#include "autograd/tape/record.h"

namespace autograd {

// In the order of the files. A test compares it with the table of cases.
std::vector<const OpInfo*> all_ops();

OpList arithmetic_ops();
OpList compare_ops();
OpList dropout_ops();
OpList elementwise_ops();
OpList gather_ops();
OpList loss_ops();
OpList matmul_ops();
OpList reduce_ops();
OpList shape_ops();
OpList slice_ops();
OpList softmax_ops();

}  // namespace autograd
