// Copies of a program's tensors, for instruments: the program may overwrite its own.
#pragma once

#include <cstdint>

#include "autograd/tensor/tensor.h"

namespace autograd::debug {

// A detached copy with the same name; undefined for an undefined tensor.
Tensor copy_of(const Tensor& tensor);

// How often the tensor's memory has been changed in place. While this stays the same, a copy is up to date.
std::uint32_t version_of(const Tensor& tensor);

}  // namespace autograd::debug
