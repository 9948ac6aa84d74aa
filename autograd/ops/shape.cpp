// Other shapes for the same elements. The first half makes views: no element moves, only sizes and strides
// change. The second half copies.
#include <algorithm>

#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// The shape asked for, with its -1 worked out from the number of elements.
Shape resolved_shape(const char* op, const Tensor& x, const Shape& shape, Where where) {
  check_size(op, shape, where);
  Shape result = shape;
  int open = -1;  // the dim given as -1
  std::int64_t known = 1;
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] >= 0) {
      known *= shape[dim];
      continue;
    }
    if (shape[dim] != -1 || open >= 0) {
      fail(ErrorId::bad_argument, op, where,
           shape[dim] == -1 ? fmt::format("{} has more than one -1", shape)
                            : fmt::format("{} has the negative size {}", shape, shape[dim]),
           "give every size but at most one, which may be -1");
    }
    open = dim;
  }
  const std::int64_t count = x.numel();
  if (open >= 0 && known == 0) {
    fail(ErrorId::bad_argument, op, where,
         fmt::format("the -1 in {} could be any size, because another size is 0", shape), "give every size");
  }
  if (open >= 0) result[open] = count / known;
  if (result.numel() == count) return result;
  fail(ErrorId::shape_mismatch, op, where,
       fmt::format("the {} elements of {} do not fill {}, which takes {} {}", count, x.shape(), shape,
                   open >= 0 ? "a multiple of" : "exactly", known),
       open >= 0 ? "check the sizes that you gave" : "check the sizes, or let one of them be -1");
}

// The shape asked for, with each -1 replaced by x's own size there.
Shape expanded_shape(const Tensor& x, const Shape& shape, Where where) {
  const int added = shape.dim() - x.dim();
  if (added < 0) {
    fail_shapes("expand", x.shape(), shape, where, "the result would have fewer dims",
                "name a size, or -1, for every dim of the tensor");
  }
  Shape result = shape;
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] < -1 || (shape[dim] == -1 && dim < added)) {
      fail(ErrorId::bad_argument, "expand", where,
           fmt::format("size {} for dim {} of {} from {}", shape[dim], dim, shape, x.shape()),
           "-1 keeps the size of a dim that is there; a new one needs a size of its own");
    }
    if (dim < added) continue;
    const std::int64_t own = x.shape()[dim - added];
    if (shape[dim] == -1) result[dim] = own;
    if (own != 1 && own != result[dim]) {
      fail_shapes("expand", x.shape(), shape, where,
                  fmt::format("dim {} has size {}, and only a size of 1 can be repeated", dim - added, own),
                  "unsqueeze() where the new dim belongs; dims are aligned at the last");
    }
  }
  check_size("expand", result, where);
  return result;
}

}  // namespace

// ---- views ---------------------------------------------------------------------------------------------

struct Permute final : Node {
  static constexpr OpText text{"permute", "y's dim i is x's dim dims[i]", "dx = dy with its dims put back"};
  Dims dims;

  Tensor forward(const Inputs& x) const override { return permute(x[0], dims); }
  Grads backward(const Tensor& dy) override {
    Dims back = dims;
    for (int i = 0; i < dims.dim(); ++i) back[dims[i]] = i;
    return {permute(dy, back)};
  }
};
Tensor permute(const Tensor& x, const Dims& dims, Where where) {
  check_defined("permute", x, where);
  if (dims.dim() != x.dim()) {
    fail(ErrorId::bad_dim, "permute", where,
         fmt::format("{} names {} dims, but {} has {}", dims, dims.dim(), x.shape(), x.dim()), "name every dim once");
  }
  checked_dims("permute", dims, x, where);  // none twice
  Dims order;
  Shape shape;
  Strides strides;
  for (const std::int64_t asked : dims) {
    const int dim = checked_dim("permute", asked, x, where);
    order.push_back(dim);
    shape.push_back(x.shape()[dim]);
    strides.push_back(x.strides()[dim]);
  }
  Tensor y = make_view(x, shape, strides);
  if (auto* node = record<Permute>(y, {&x}, where)) node->dims = order;
  return y;
}

// Swaps two dims. A composite.
Tensor transpose(const Tensor& x, Int dim0, Int dim1, Where where) {
  const CompositeGuard composite("transpose", where);
  check_defined("transpose", x, where);
  const int first = checked_dim("transpose", dim0, x, where);
  const int second = checked_dim("transpose", dim1, x, where);
  Dims order;
  for (int dim = 0; dim < x.dim(); ++dim) order.push_back(dim == first ? second : dim == second ? first : dim);
  return permute(x, order);
}

Tensor t(const Tensor& x, Where where) {
  check_defined("t", x, where);
  if (x.dim() != 2) {
    fail(ErrorId::bad_dim, "t", where, fmt::format("{} is not a matrix", x.shape()),
         "name the two dims to swap: transpose(dim0, dim1)");
  }
  return transpose(x, 0, 1, where);
}

struct Squeeze final : Node {
  static constexpr OpText text{"squeeze", "y = x without a dim of size 1", "dx = unsqueeze(dy)"};
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return squeeze(x[0], dim); }
  Grads backward(const Tensor& dy) override { return {unsqueeze(dy, dim)}; }
};
Tensor squeeze(const Tensor& x, Int dim, Where where) {
  check_defined("squeeze", x, where);
  const int dropped = checked_dim("squeeze", dim, x, where);
  if (x.dim() == 0 || x.shape()[dropped] != 1) return reshape(x, x.shape(), where);
  Shape shape = x.shape();
  Strides strides = x.strides();
  shape.erase(dropped);
  strides.erase(dropped);
  Tensor y = make_view(x, shape, strides);
  if (auto* node = record<Squeeze>(y, {&x}, where)) node->dim = dropped;
  return y;
}

struct Unsqueeze final : Node {
  static constexpr OpText text{"unsqueeze", "y = x with a new dim of size 1", "dx = squeeze(dy)"};
  int dim = 0;

  Tensor forward(const Inputs& x) const override { return unsqueeze(x[0], dim); }
  Grads backward(const Tensor& dy) override { return {squeeze(dy, dim)}; }
};
Tensor unsqueeze(const Tensor& x, Int dim, Where where) {
  check_defined("unsqueeze", x, where);
  if (x.dim() == max_dims) {
    fail(ErrorId::bad_dim, "unsqueeze", where,
         fmt::format("{} has {} dims already, the most there can be", x.shape(), max_dims),
         "merge dims with flatten() first");
  }
  const int added = checked_dim("unsqueeze", dim, x.dim() + 1, x.shape(), where);
  Shape shape = x.shape();
  Strides strides = x.strides();
  const std::int64_t stride = added < x.dim() ? shape[added] * strides[added] : 1;  // never used: the size is 1
  shape.insert(added, 1);
  strides.insert(added, stride);
  Tensor y = make_view(x, shape, strides);
  if (auto* node = record<Unsqueeze>(y, {&x}, where)) node->dim = added;
  return y;
}

struct Expand final : Node {
  static constexpr OpText text{"expand", "y = x, repeated", "dx = sum of dy over the repeats"};
  static constexpr bool broadcasts = true;  // the engine sums over the repeats

  Tensor forward(const Inputs& x) const override { return expand(x[0], shape); }
  Grads backward(const Tensor& dy) override { return {dy}; }
};
Tensor expand(const Tensor& x, const Shape& shape, Where where) {
  check_defined("expand", x, where);
  const Shape target = expanded_shape(x, shape, where);
  // A stride of 0 reads the same element again and again.
  const Strides strides = expanded_strides(x.shape(), x.strides(), target);
  Tensor y = make_view(x, target, strides);
  record<Expand>(y, {&x}, where);
  return y;
}

// The node of view() and of reshape(), whose derivatives are the same.
struct View final : Node {
  static constexpr OpText text{"view", "y = x in another shape", "dx = dy in the shape of x"};
  Tensor forward(const Inputs& x) const override { return reshape(x[0], shape); }
  Grads backward(const Tensor& dy) override { return {reshape(dy, input_shape())}; }
};

Tensor view(const Tensor& x, const Shape& shape, Where where) {
  check_defined("view", x, where);
  const Shape target = resolved_shape("view", x, shape, where);
  if (!x.is_contiguous()) {
    fail(ErrorId::bad_argument, "view", where,
         fmt::format("the elements of {} do not lie in row-major order (strides {}), so {} is not a view of them",
                     x.shape(), x.strides(), target),
         "use reshape(), which copies where it must");
  }
  Tensor y = make_view(x, target, contiguous_strides(target));
  record<View>(y, {&x}, where);
  return y;
}

Tensor reshape(const Tensor& x, const Shape& shape, Where where) {
  check_defined("reshape", x, where);
  const Shape target = resolved_shape("reshape", x, shape, where);
  // Where the shape stays, any strides will do. Not x itself, so that a hook on the result is not a hook on x.
  Tensor y = target == x.shape() ? make_view(x, target, x.strides())
                                 : make_view(contiguous_values(x), target, contiguous_strides(target));
  record<View>(y, {&x}, where);
  return y;
}

// Merges the dims from start_dim to end_dim. A composite.
Tensor flatten(const Tensor& x, Int start_dim, Int end_dim, Where where) {
  const CompositeGuard composite("flatten", where);
  check_defined("flatten", x, where);
  const int first = checked_dim("flatten", start_dim, x, where);
  const int last = checked_dim("flatten", end_dim, x, where);
  if (x.dim() == 0) return reshape(x, 1);
  if (first > last) {
    fail(ErrorId::bad_dim, "flatten", where, fmt::format("dim {} of {} comes after dim {}", first, x.shape(), last),
         "start_dim must not be greater than end_dim");
  }
  Shape shape;
  std::int64_t merged = 1;
  for (int dim = 0; dim < x.dim(); ++dim) {
    const std::int64_t size = x.shape()[dim];
    if (dim < first || dim > last) {
      shape.push_back(size);
      continue;
    }
    merged *= size;
    if (dim == last) shape.push_back(merged);
  }
  return reshape(x, shape);
}

// ---- copies --------------------------------------------------------------------------------------------

struct Clone final : Node {
  static constexpr OpText text{"clone", "y = x", "dx = dy"};
  static constexpr OpKind kind = OpKind::elementwise;

  Tensor forward(const Inputs& x) const override { return clone(x[0]); }
  Grads backward(const Tensor& dy) override { return {dy}; }
};
Tensor clone(const Tensor& x, Where where) {
  check_defined("clone", x, where);
  Tensor y = copied(x, x.dtype());
  record<Clone>(y, {&x}, where);
  return y;
}

Tensor contiguous(const Tensor& x, Where where) {
  check_defined("contiguous", x, where);
  return x.is_contiguous() ? x : clone(x, where);
}

struct To final : Node {
  static constexpr OpText text{"to", "y = x in another dtype", "dx = dy in the dtype of x"};
  Tensor forward(const Inputs& x) const override { return to(x[0], dtype); }
  Grads backward(const Tensor& dy) override { return {to(dy, inputs[0]->dtype)}; }
};
Tensor to(const Tensor& x, DType dtype, Where where) {
  check_defined("to", x, where);
  if (dtype == x.dtype()) return x;
  Tensor y = copied(x, dtype);
  if (is_floating(dtype)) {
    record<To>(y, {&x}, where);
  } else {
    no_derivative("to", {&x}, where);  // integers carry no gradient
  }
  return y;
}

struct Flip final : Node {
  static constexpr OpText text{"flip", "y[i] = x[n-1-i]", "dx[i] = dy[n-1-i]"};
  Dims dims;

  Tensor forward(const Inputs& x) const override { return flip(x[0], dims); }
  Grads backward(const Tensor& dy) override { return {flip(dy, dims)}; }
};
Tensor flip(const Tensor& x, const Dims& dims, Where where) {
  check_defined("flip", x, where);
  const Dims over = dims.empty() ? Dims() : checked_dims("flip", dims, x, where);
  Tensor y = make_tensor(x.shape(), x.dtype());
  // Read from the last element backwards: negative strides.
  Strides strides = x.strides();
  std::int64_t last = 0;
  for (const std::int64_t dim : over) {
    last += (x.shape()[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  if (x.numel() > 0) {
    const kernels::Walk walk = make_walk(x.shape(), strides);
    with_type(x.dtype(), [&]<class T>(T) { kernels::copy(pointer<T>(y), pointer<T>(x) + last, walk); });
  }
  if (auto* node = record<Flip>(y, {&x}, where)) node->dims = over;
  return y;
}

namespace {

void check_list(const char* op, const std::vector<Tensor>& tensors, Where where) {
  if (tensors.empty()) {
    fail(ErrorId::bad_argument, op, where, "the list of tensors is empty", "give at least one tensor");
  }
  for (const Tensor& tensor : tensors) check_same_dtype(op, tensors[0], tensor, where);
}

// An empty list, [0], may be joined to anything, as in PyTorch, so that a loop can start with one.
bool is_empty_list(const Tensor& x) {
  return x.dim() == 1 && x.numel() == 0;
}

// The first tensor that is not an empty list: the others must fit it.
const Tensor& first_nonempty(const std::vector<Tensor>& tensors) {
  const auto found = std::find_if_not(tensors.begin(), tensors.end(), is_empty_list);
  return found == tensors.end() ? tensors[0] : *found;
}

// Throws unless all shapes equal `first`, except along dim.
void check_cat_shapes(const std::vector<Tensor>& tensors, const Shape& first, int dim, Where where) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (is_empty_list(tensors[i])) continue;
    const Shape& shape = tensors[i].shape();
    if (shape.dim() != first.dim()) {
      fail_shapes("cat", first, shape, where,
                  fmt::format("tensor {} of the list does not have as many dims as the first, {} instead of {}", i,
                              shape.dim(), first.dim()),
                  "unsqueeze() the missing dim, or stack() tensors of equal shape");
    }
    for (int other = 0; other < first.dim(); ++other) {
      if (other == dim || shape[other] == first[other]) continue;
      fail_shapes("cat", first, shape, where,
                  fmt::format("tensor {} of the list has size {} in dim {}, not {}; only dim {} may differ", i,
                              shape[other], other, first[other], dim),
                  "check the dim to join along, and the sizes of the others");
    }
  }
}

// The part of the result's dim that comes from x.
std::int64_t length_in_cat(const Tensor& x, int dim) {
  return is_empty_list(x) ? 0 : x.shape()[dim];
}

}  // namespace

struct Cat final : Node {
  static constexpr OpText text{"cat", "y = the inputs one after the other", "each dx = its own part of dy"};
  int dim = 0;
  std::vector<std::int64_t> sizes;  // of each input, along dim

  Tensor forward(const Inputs& x) const override { return cat(std::vector<Tensor>(x.begin(), x.end()), dim); }
  Grads backward(const Tensor& dy) override {
    Grads grads(sizes.size());
    std::int64_t start = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (needs(i)) grads[i] = part_of(dy, i, start);
      start += sizes[i];
    }
    return grads;
  }

  Tensor part_of(const Tensor& dy, std::size_t i, std::int64_t start) const {
    const bool is_of_nothing = input_shape(i).dim() != dy.dim();  // [0] beside [2, 3]
    return is_of_nothing ? zeros(input_shape(i), dy.dtype()) : narrow(dy, dim, start, sizes[i]);
  }
};
Tensor cat(const std::vector<Tensor>& tensors, Int dim, Where where) {
  check_list("cat", tensors, where);
  const Tensor& first = first_nonempty(tensors);
  if (first.dim() == 0) {
    fail(ErrorId::bad_dim, "cat", where, "a tensor without dims has none to join along", "use stack()");
  }
  const int along = checked_dim("cat", dim, first, where);
  check_cat_shapes(tensors, first.shape(), along, where);

  Shape shape = first.shape();
  shape[along] = 0;
  for (const Tensor& tensor : tensors) shape[along] += length_in_cat(tensor, along);
  Tensor y = make_tensor(shape, first.dtype());

  std::int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    const std::int64_t length = length_in_cat(tensor, along);
    if (length == 0) continue;
    write_into(narrow(y, along, start, length), tensor);
    start += length;
  }
  if (auto* node = record<Cat>(y, tensors, where)) {
    node->dim = along;
    for (const Tensor& tensor : tensors) node->sizes.push_back(length_in_cat(tensor, along));
  }
  return y;
}

// Joins along a new dim. A composite.
Tensor stack(const std::vector<Tensor>& tensors, Int dim, Where where) {
  const CompositeGuard composite("stack", where);
  check_list("stack", tensors, where);
  const Shape& first = tensors[0].shape();
  const int along = checked_dim("stack", dim, first.dim() + 1, first, where);
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!(tensors[i].shape() == first)) {
      fail_shapes("stack", first, tensors[i].shape(), where, fmt::format("tensor {} of the list has another shape", i),
                  "stack() needs equal shapes; cat() joins along a dim that is there already");
    }
    rows.push_back(unsqueeze(tensors[i], along));
  }
  return cat(rows, along);
}

OpList shape_ops() {
  return list_of<Permute, Squeeze, Unsqueeze, Expand, View, Clone, To, Flip, Cat>();
}

}  // namespace autograd
