// Views, slices, copies and joins.
#include <algorithm>
#include <numeric>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

std::vector<std::int64_t> sizes(const Shape& shape) {
  return {shape.begin(), shape.end()};
}

bool two_dims(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.numbers = {maker.dim_of(x), maker.dim_of(x)};
  return true;
}

bool a_matrix(Maker& maker, Step& step) {
  step.operands = {maker.with_dims(2, 2)};
  return true;
}

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
  step.operands = {x};
  step.list = sizes(maker[x].shape());
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

bool some_dims(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.list = maker.dims_of(x);
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
  step.numbers = {start, maker.between(start, size + 1), maker.between(1, 3)};
  return true;
}

bool the_last_ones(Maker& maker, Step& step) {
  step.operands = {to_be_sliced(maker)};
  return maker[step.operands[0]].size(-1) > 0;
}

// One of the pieces: numbers are the size or count, the dim, and which.
bool one_of_the_pieces(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t size = maker[x].size(-1);
  if (size == 0) return false;
  const std::int64_t each = maker.between(1, size);
  step.operands = {x};
  step.numbers = {each, -1, maker.below((size + each - 1) / each)};
  return true;
}

bool one_of_the_chunks(Maker& maker, Step& step) {
  const int x = to_be_sliced(maker);
  const std::int64_t size = maker[x].size(-1);
  if (size == 0) return false;
  const std::int64_t count = maker.between(1, size);
  const std::int64_t each = (size + count - 1) / count;
  step.operands = {x};
  step.numbers = {count, -1, maker.below((size + each - 1) / each)};
  return true;
}

Tensor piece(const std::vector<Tensor>& pieces, std::int64_t which) {
  return pieces.at(static_cast<std::size_t>(which));
}

}  // namespace

Words shape_words() {
  using namespace autograd;
  return {
      {"transpose", "transpose({0}, {n0}, {n1})", "{0}.transpose({n0}, {n1})", two_dims,
       [](In x) { return transpose(x[0], x.n(0), x.n(1)); }},
      {"t", "{0}.t()", "{0}.t()", a_matrix, [](In x) { return x[0].t(); }},
      {"permute", "permute({0}, {l})", "{0}.permute({l})", order, [](In x) { return permute(x[0], x.list()); }},
      {"squeeze", "squeeze({0}, {n0})", "{0}.squeeze({n0})", a_dim_of_size_one,
       [](In x) { return squeeze(x[0], x.n(0)); }},
      {"unsqueeze", "unsqueeze({0}, {n0})", "{0}.unsqueeze({n0})", a_new_dim,
       [](In x) { return unsqueeze(x[0], x.n(0)); }},
      {"expand", "expand({0}, {l})", "{0}.expand({l})", repeated, [](In x) { return expand(x[0], x.list()); }},
      {"expand_to_itself", "expand({0}, {l})", "{0}.expand({l})", its_own_shape,
       [](In x) { return expand(x[0], x.list()); }},
      {"view", "view({0}, {l})", "{0}.view({l})", another_view, [](In x) { return view(x[0], x.list()); }},
      {"reshape", "reshape({0}, {l})", "{0}.reshape({l})", another_shape, [](In x) { return reshape(x[0], x.list()); }},
      {"reshape_to_itself", "reshape({0}, {l})", "{0}.reshape({l})", its_own_shape,
       [](In x) { return reshape(x[0], x.list()); }},
      {"flatten", "flatten({0}, {n0}, {n1})", "{0}.flatten({n0}, {n1})", from_dim_to_dim,
       [](In x) { return flatten(x[0], x.n(0), x.n(1)); }},
      {"clone", "{0}.clone()", "{0}.clone()", one_operand, [](In x) { return x[0].clone(); }, Kind::adds},
      {"contiguous", "{0}.contiguous()", "{0}.contiguous()", one_operand, [](In x) { return x[0].contiguous(); }},
      {"detach", "{0}.detach()", "{0}.detach()", one_operand, [](In x) { return x[0].detach(); }},
      {"flip", "flip({0}, {l})", "torch.flip({0}, {l})", some_dims, [](In x) { return flip(x[0], x.list()); },
       Kind::adds},
      {"cat", "cat({all}, {n0})", "torch.cat({all}, {n0})", joined, [](In x) { return cat(x.operands, x.n(0)); },
       Kind::adds},
      {"stack", "stack({all}, {n0})", "torch.stack({all}, {n0})", stacked,
       [](In x) { return stack(x.operands, x.n(0)); }, Kind::adds},
      {"narrow", "narrow({0}, {n0}, {n1}, {n2})", "{0}.narrow({n0}, {n1}, {n2})", a_piece,
       [](In x) { return narrow(x[0], x.n(0), x.n(1), x.n(2)); }},
      {"select", "select({0}, {n0}, {n1})", "{0}.select({n0}, {n1})", a_place,
       [](In x) { return select(x[0], x.n(0), x.n(1)); }},
      {"slice", "slice({0}, 0, Slice{{{n0}, {n1}, {n2}}})", "{0}[{n0}:{n1}:{n2}]", a_slice,
       [](In x) {
         return slice(x[0], 0, Slice{x.n(0), x.n(1), x.n(2)});
       }},
      {"last", "{0}.index({{Index::ellipsis(), -1}})", "{0}[..., -1]", the_last_ones,
       [](In x) {
         return x[0].index({Index::ellipsis(), -1});
       }},
      {"new_axis", "{0}.index({{Index::all(), Index::new_axis()}})", "{0}[:, None]", the_last_ones,
       [](In x) {
         return x[0].index({Index::all(), Index::new_axis()});
       }},
      {"split", "split({0}, {n0}, {n1})[{n2}]", "{0}.split({n0}, {n1})[{n2}]", one_of_the_pieces,
       [](In x) { return piece(split(x[0], x.n(0), x.n(1)), x.n(2)); }},
      {"chunk", "chunk({0}, {n0}, {n1})[{n2}]", "{0}.chunk({n0}, {n1})[{n2}]", one_of_the_chunks,
       [](In x) { return piece(chunk(x[0], x.n(0), x.n(1)), x.n(2)); }},
  };
}

}  // namespace random_programs
