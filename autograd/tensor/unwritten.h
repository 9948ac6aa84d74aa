// What autograd::empty() holds. Usually what was in that memory before, so that a program which forgets to write to it
// may be right by chance. The course's answers are checked with something that shows.
#pragma once

namespace autograd {

inline constinit bool empty_is_nan = false;  // NaN in floating-point tensors, -10^18 in those of integers

}  // namespace autograd
