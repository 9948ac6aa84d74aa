#pragma once

#include <autograd/debug/step/view.h>
#include <nn/state_dict.h>

#include <algorithm>

namespace fuzz {

// The same names with the same shapes, dtypes and bits.
inline bool same_tensors(const nn::StateDict& a, const nn::StateDict& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& one, const auto& other) {
           return one.first == other.first && one.second.dtype() == other.second.dtype() &&
                  one.second.shape() == other.second.shape() && autograd::debug::same_bits(one.second, other.second);
         });
}

}  // namespace fuzz
