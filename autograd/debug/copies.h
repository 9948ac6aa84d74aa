// What an instrument keeps of a program's tensors: copies, since the program may overwrite its own.
#pragma once

#include <cstdint>

#include "autograd/tensor/tensor.h"

namespace autograd::debug {

// Detached, with the same name; undefined for an undefined tensor.
Tensor copy_of(const Tensor& tensor);

// How often its memory has been changed in place: a copy is good as long as this is what it was.
std::uint32_t version_of(const Tensor& tensor);

}  // namespace autograd::debug
