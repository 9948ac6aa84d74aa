// Views, slices, copies and joins.
#include <algorithm>
#include <numeric>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool order(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.list.resize(static_cast<std::size_t>(maker[x].dim()));
  std::iota(step.list.begin(), step.list.end(), 0);
  for (std::size_t i = step.list.size(); i > 1; --i) {
    std::swap(step.list[i - 1], step.list[static_cast<std::size_t>(maker.below(static_cast<std::int64_t>(i)))]);
  }
  return true;
}

bool a_dim_of_size_one(Maker& maker, Step& step) {
  const auto has_one = [](const Tensor& x) { return std::count(x.shape().begin(), x.shape().end(), 1) > 0; };
  const auto x = maker.find(has_one);
  if (!x) return false;
  const Shape& shape = maker[*x].shape();
  step.operands = {*x};
  step.numbers = {std::find(shape.begin(), shape.end(), 1) - shape.begin()};
  return true;
}

bool a_new_dim(Maker& maker, Step& step) {
  const int x = maker.with_dims(0, 4);
  step.operands = {x};
  step.numbers = {maker.between(-maker[x].dim() - 1, maker[x].dim())};
  return true;
}

bool repeated(Maker& maker, Step& step) {
  const int x = maker.with_dims(0, 3);
  step.operands = {x};
  for (const std::int64_t size : maker[x].shape()) {
    step.list.push_back(size == 1 ? maker.size() : maker.chance(30) ? -1 : size);
  }
  if (maker.chance(60)) step.list.insert(step.list.begin(), maker.between(1, 3));
  return true;
}

// Another shape for so many elements, sometimes with one size left to be worked out.
bool another_shape(Maker& maker, Step& step) {
  const int x = maker.some();
  step.operands = {x};
  std::int64_t left = maker[x].numel();
  if (left == 0) return false;
  while (left > 1) {
    std::int64_t size = maker.between(1, left);
    while (left % size != 0) --size;
    if (size == 1 && maker.chance(70)) continue;
    step.list.push_back(size);
    left /= size;
    if (step.list.size() == 5) break;
  }
  if (left > 1) step.list.push_back(left);
  if (step.list.empty() && maker.chance(50)) step.list = {1};
  if (!step.list.empty() && maker.chance(30)) {
    step.list[static_cast<std::size_t>(maker.below(static_cast<std::int64_t>(step.list.size())))] = -1;
  }
  return true;
}

bool its_own_shape(Maker& maker, Step& step) {
  const int x = maker.some();
  const Shape& shape = maker[x].shape();
  step.operands = {x};
  step.list.assign(shape.begin(), shape.end());
  return true;
}

bool another_view(Maker& maker, Step& step) {
  return another_shape(maker, step) && maker[step.operands[0]].is_contiguous();
}

bool from_dim_to_dim(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const std::int64_t start = maker.below(maker[x].dim());
  step.operands = {x};
  step.numbers = {start, maker.between(start, maker[x].dim() - 1)};
  return true;
}

bool joined(Maker& maker, Step& step) {
  const int first = maker.with_dims(1);
  const std::int64_t dim = maker.dim_of(first);
  step.operands = {first};
  step.numbers = {dim};
  for (std::int64_t i = maker.below(3); i > 0; --i) {
    Shape shape = maker[first].shape();
    if (maker.chance(40)) shape[dim < 0 ? dim + shape.dim() : dim] = maker.size();
    step.operands.push_back(maker.chance(20) && shape == maker[first].shape() ? first : maker.shaped(shape));
  }
  return true;
}

bool stacked(Maker& maker, Step& step) {
  const int first = maker.with_dims(0, 3);
  step.operands = {first};
  for (std::int64_t i = maker.below(3); i > 0; --i) step.operands.push_back(maker.shaped(maker[first].shape()));
  step.numbers = {maker.between(-maker[first].dim() - 1, maker[first].dim())};
  return true;
}

// A leaf rather than others: slices of the same one are added up in a way of their own.
int to_be_sliced(Maker& maker) {
  const auto fits = [](const Tensor& x) { return x.dim() > 0 && x.is_leaf() && x.requires_grad(); };
  const auto leaf = maker.find(fits);
  return leaf && maker.chance(50) ? *leaf : maker.with_dims(1);
}

bool a_piece(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t dim = maker.dim_of(x);
  const std::int64_t size = maker[x].size(dim);
  const std::int64_t start = maker.between(0, size);
  step.operands = {x};
  step.numbers = {dim, start, maker.between(start < size ? 1 : 0, size - start)};
  return true;
}

bool a_place(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t dim = maker.dim_of(x);
  const std::int64_t size = maker[x].size(dim);
  if (size == 0) return false;
  step.operands = {x};
  step.numbers = {dim, maker.between(-size, size - 1)};
  return true;
}

bool a_slice(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t size = maker[x].size(0);
  const std::int64_t start = maker.between(0, size);
  step.operands = {x};
  step.numbers = {0, start, maker.between(start, size + 1), maker.between(1, 3)};
  return true;
}

bool the_last_ones(Maker& maker, Step& step) {
  step.operands = {to_be_sliced(maker)};
  return maker[step.operands[0]].size(-1) > 0;
}

// Pieces of some size, or so many of them.
bool in_pieces(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t size = maker[x].size(-1);
  if (size == 0) return false;
  step.operands = {x};
  step.numbers = {maker.between(1, size), -1};
  return true;
}

}  // namespace

Words shape_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  return {
      {"transpose", "nonscalar dim dim", [](In x) { return transpose(x[0], x.n(0), x.n(1)); }, keeps_out},
      {"t", "[mn]", [](In x) { return t(x[0]); }, keeps_out},
      {"permute", "nonscalar dims", [](In x) { return permute(x[0], x.shape()); }, keeps_out, order},
      {"squeeze", "value dim", [](In x) { return squeeze(x[0], x.n(0)); }, keeps_out, a_dim_of_size_one},
      {"unsqueeze", "value dim", [](In x) { return unsqueeze(x[0], x.n(0)); }, keeps_out, a_new_dim},
      {"expand", "operand shape[*]", [](In x) { return expand(x[0], x.shape()); }, keeps_out, repeated},
      {"expand_anyhow", "value shape", [](In x) { return expand(x[0], x.shape()); }, keeps_out, its_own_shape},
      {"view", "value shape", [](In x) { return view(x[0], x.shape()); }, keeps_out, another_view},
      {"reshape", "value shape", [](In x) { return reshape(x[0], x.shape()); }, keeps_out, another_shape},
      {"reshape_to_itself", "value shape[*]", [](In x) { return reshape(x[0], x.shape()); }, keeps_out, its_own_shape},
      {"reshape_to_one_dim", "value", [](In x) { return reshape(x[0], -1); }},
      {"flatten", "nonscalar dim dim", [](In x) { return flatten(x[0], x.n(0), x.n(1)); }, keeps_out, from_dim_to_dim},
      {"clone", "value", [](In x) { return clone(x[0]); }, adds},
      {"contiguous", "value", [](In x) { return contiguous(x[0]); }, keeps_out},
      {"detach", "value", [](In x) { return x[0].detach(); }, keeps_out},
      {"to", "value dtype", [](In x) { return to(x[0], x.dtype(0)); }},
      {"flip", "nonscalar dims", [](In x) { return flip(x[0], x.shape()); }, adds},
      {"cat", "tensors dim", [](In x) { return cat(x.operands, x.n(0)); }, adds, joined},
      {"stack", "tensors dim", [](In x) { return stack(x.operands, x.n(0)); }, adds, stacked},
      {"narrow", "nonscalar dim int(-1,3) int(0,3)", [](In x) { return narrow(x[0], x.n(0), x.n(1), x.n(2)); },
       keeps_out, a_piece},
      {"select", "nonscalar dim int(-3,3)", [](In x) { return select(x[0], x.n(0), x.n(1)); }, keeps_out, a_place},
      {"slice", "value dim int(-3,3) int(-3,3) int(1,3)",
       [](In x) {
         return slice(x[0], x.n(0), Slice{x.n(1), x.n(2), x.n(3)});
       },
       keeps_out, a_slice},
      {"last", "nonscalar",
       [](In x) {
         return index(x[0], {Index::ellipsis(), -1});
       },
       keeps_out, the_last_ones},
      {"new_axis", "nonscalar",
       [](In x) {
         return index(x[0], {Index::all(), Index::new_axis()});
       },
       keeps_out, the_last_ones},
      {"split", "value int(1,3) dim", [](In x) { return split(x[0], x.n(0), x.n(1)); }, keeps_out, in_pieces},
      {"split_by_sizes", "value list(0,2) dim", [](In x) { return split(x[0], x.list(), x.n(0)); }},
      {"chunk", "value int(1,3) dim", [](In x) { return chunk(x[0], x.n(0), x.n(1)); }, keeps_out, in_pieces},
      {"slice_backward", "value shape[*] dim int(0,1) int(1,2)",
       [](In x) { return slice_backward(x[0], x.shape(), x.n(0), x.n(1), x.n(2)); }},
  };
}

}  // namespace random_programs
