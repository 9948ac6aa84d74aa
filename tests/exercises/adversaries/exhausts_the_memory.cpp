#include <vector>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  std::vector<std::vector<char>> much;
  while (true) much.emplace_back(1 << 20, 'x');
  return x;
}
