// The list of all primitive ops. Each file that has some lists its own at its end.
#pragma once

#include <span>
#include <vector>

#include "autograd/tape/record.h"

namespace autograd {

// The ops of a file:  OpList slice_ops() { return list_of<Slice, Select>(); }
using OpList = std::span<const OpInfo* const>;
template <class... Ops> OpList list_of() {
  static constexpr const OpInfo* list[] = {&op_info<Ops>...};
  return list;
}

// In the order of the files. A test compares it with the cases in tests/autograd/ops.
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
