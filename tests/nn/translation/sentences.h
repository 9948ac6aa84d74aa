// Three sentences of different lengths and their translations: what the tests of all translators work on. The
// vocabularies have 11 and 13 words.
#pragma once

#include <autograd/autograd.h>

#include <vector>

namespace fixtures {

inline const std::vector<std::int64_t> lengths{3, 1, 5};
inline autograd::Tensor source() {
  return autograd::ids({{4, 7, 2, 0, 0}, {2, 0, 0, 0, 0}, {5, 8, 4, 9, 2}});
}
inline autograd::Tensor target() {
  return autograd::ids({{1, 6, 12, 3}, {1, 5, 2, 0}, {1, 7, 7, 2}});
}

}  // namespace fixtures
