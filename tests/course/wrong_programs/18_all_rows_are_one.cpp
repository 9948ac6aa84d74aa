// wrong: add_ changes the rows in place, and all rows of the given list are handles on one tensor
#include "given.h"

Tensor lookup(const Tensor& weight, const Tensor& ids) {
  std::vector<Tensor> rows;
  for (const std::int64_t id : ids.to_vector<std::int64_t>()) rows.push_back(weight.select(0, id));
  return autograd::stack(rows).reshape({ids.size(0), ids.size(1), weight.size(1)});
}

Tensor lookup_backward(const Tensor& dy, const Tensor& ids, std::int64_t vocabulary, std::int64_t padding_idx) {
  // dw, row by row: one tensor [features] for each id.
  std::vector<Tensor> rows(static_cast<std::size_t>(vocabulary), autograd::zeros({dy.size(2)}, dy.dtype()));
  const auto list = ids.to_vector<std::int64_t>();
  const Tensor tokens = dy.reshape({ids.numel(), dy.size(2)});
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == padding_idx) continue;
    rows[list[i]].add_(tokens.select(0, i));
  }
  return autograd::stack(rows);
}
