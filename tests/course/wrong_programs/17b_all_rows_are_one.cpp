// wrong: add_ changes the rows in place, and all rows of the given list are handles on one tensor
#include "given.h"

std::vector<Tensor> cat_backward(const Tensor& dy, const std::vector<std::int64_t>& sizes, int dim) {
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < sizes.size(); i++) {
    parts.push_back(dy.narrow(dim, start, sizes[i]));
    start += sizes[i];
  }
  return parts;
}

std::vector<Tensor> stack_backward(const Tensor& dy, int dim) {
  std::vector<Tensor> parts;
  for (int i = 0; i < dy.size(dim); i++) parts.push_back(dy.select(dim, i));
  return parts;
}

Tensor narrow_backward(const Tensor& dy, const Shape& shape, int dim, std::int64_t start) {
  Tensor dx = autograd::zeros(shape, dy.dtype());
  dx.narrow(dim, start, dy.size(dim)).add_(dy);
  return dx;
}

Tensor windows_backward(const Tensor& dy, const Shape& shape, std::int64_t step) {
  // dx, row by row: one tensor [features] for each element of x.
  std::vector<Tensor> rows(static_cast<std::size_t>(shape[0]), autograd::zeros({shape[1]}, dy.dtype()));
  for (int w = 0; w < dy.size(0); w++) {
    for (int j = 0; j < dy.size(1); j++) {
      rows[w * step + j].add_(dy.select(0, w).select(0, j));
    }
  }
  return autograd::stack(rows);
}
