// Slices: views of a part of the elements. Their derivative is zero around that part.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/pass.h"

namespace autograd {
namespace {

// The slice with both ends counted from the front and cut off at the size.
Slice cut_off(Slice slice, std::int64_t size) {
  if (slice.start < 0) slice.start += size;
  if (slice.stop < 0) slice.stop += size;
  slice.start = std::clamp<std::int64_t>(slice.start, 0, size);
  slice.stop = std::clamp<std::int64_t>(slice.stop, slice.start, size);
  slice.step = std::min(slice.step, std::max<std::int64_t>(size, 1));  // a longer step takes the first element too
  return slice;
}

// How many elements the slice takes, once cut_off() has been applied to it.
std::int64_t length_of(Slice slice) {
  if (slice.stop <= slice.start) return 0;
  return (slice.stop - slice.start - 1) / slice.step + 1;
}

// The gradient of a slice's input so far, to which the slice adds in place: so a loop that takes a slice per step does
// not write the whole sequence at each step. Undefined where the whole gradient is wanted: by somebody who watches, or
// to be differentiated.
Tensor gradient_to_add_to(const Node& slice) {
  if (running_node() != &slice || grad_enabled() || observer() || !slice.needs(0)) return Tensor();
  Node& input = *slice.inputs[0];
  slice.pass->enqueue(input);
  input.gradient = input.gradient.defined() ? own_memory(input.gradient) : zeros(input.shape, input.dtype);
  lend(input.gradient);
  return input.gradient;
}

// part += dy, where `part` is a view of that gradient. Nothing is left to be handed on.
Grads added(const Tensor& part, const Tensor& dy) {
  add_into(part, dy);
  return {Tensor()};
}

}  // namespace

struct SliceOp final : Node {
  static constexpr OpText text{"slice", "y = x[start:stop:step]", "dx[start:stop:step] = dy, 0 elsewhere"};
  int dim = 0;
  Slice part;

  Tensor forward(const Inputs& x) const override { return slice(x[0], dim, part); }
  Grads backward(const Tensor& dy) override {
    if (const Tensor dx = gradient_to_add_to(*this); dx.defined()) return added(slice(dx, dim, part), dy);
    return {slice_backward(dy, input_shape(), dim, part.start, part.step)};
  }
};
Tensor slice(const Tensor& x, Int dim, Slice slice, Where where) {
  check_defined("slice", x, where);
  const int along = checked_dim_of_list("slice", dim, x, where);
  if (slice.step < 1) {
    fail(ErrorId::bad_argument, "slice", where,
         fmt::format("the step along dim {} of {} is {}", along, x.shape(), slice.step),
         "use a step of 1 or more; flip() reverses a dim");
  }
  const Slice part = cut_off(slice, x.shape()[along]);
  Shape shape = x.shape();
  Strides strides = x.strides();
  const std::int64_t skipped = part.start * strides[along];
  shape[along] = length_of(part);
  strides[along] *= part.step;
  Tensor y = make_view(x, shape, strides, skipped);
  if (auto* node = record<SliceOp>(y, {&x}, where)) {
    node->dim = along;
    node->part = part;
  }
  return y;
}

// Unlike slice(), narrow() does not cut off what lies outside x: that is an error.
Tensor narrow(const Tensor& x, Int dim, Int start, Int length, Where where) {
  check_defined("narrow", x, where);
  const int along = checked_dim_of_list("narrow", dim, x, where);
  const std::int64_t size = x.shape()[along];
  const std::int64_t from = start < 0 ? start + size : std::int64_t{start};
  if (from < 0 || from > size) {
    fail(ErrorId::index_out_of_range, "narrow", where,
         fmt::format("start {} is outside the size {} of dim {} of {}", start, size, along, x.shape()),
         fmt::format("use a start from {} to {}", -size, size));
  }
  if (length < 0 || length > size - from) {
    fail(length < 0 ? ErrorId::bad_argument : ErrorId::index_out_of_range, "narrow", where,
         length < 0 ? fmt::format("length {} along dim {} of {} is negative", length, along, x.shape())
                    : fmt::format("start {} with length {} runs past the size {} of dim {} of {}", start, length, size,
                                  along, x.shape()),
         fmt::format("from start {} there are {} left", start, size - from));
  }
  return slice(x, along, Slice{from, from + length, 1}, where);
}

struct SliceBackward final : Node {
  static constexpr OpText text{"slice_backward", "y[start::step] = source, 0 elsewhere", "dsource = dy[start::step]"};
  int dim = 0;
  Slice part;

  Tensor forward(const Inputs& x) const override { return slice_backward(x[0], shape, dim, part.start, part.step); }
  Grads backward(const Tensor& dy) override { return {slice(dy, dim, part)}; }
};
Tensor slice_backward(const Tensor& source, const Shape& shape, Int dim, Int start, Int step, Where where) {
  check_defined("slice_backward", source, where);
  const int along = checked_dim_of_list("slice_backward", dim, source, where);
  const std::int64_t count = source.shape()[along];
  Shape expected = shape;
  if (expected.dim() == source.dim()) expected[along] = count;
  if (!(expected == source.shape())) {
    fail_shapes("slice_backward", source.shape(), shape, where,
                fmt::format("the shapes differ beyond dim {}, along which the slice was taken", along),
                "give the shape of the tensor that was sliced");
  }
  const std::int64_t size = shape[along];
  const bool starts_inside = start >= 0 && start < size;
  const bool fits =
      step >= 1 && (count == 0 || (starts_inside && (count == 1 || count - 1 <= (size - 1 - start) / step)));
  if (!fits) {
    fail(ErrorId::index_out_of_range, "slice_backward", where,
         fmt::format("{} elements from {} on in steps of {} do not fit into dim {} of {}", count, start, step, along,
                     shape),
         "give the start and the step with which the slice was taken");
  }

  const std::int64_t stop = start + (count == 0 ? 0 : (count - 1) * step + 1);
  const Slice part{start, stop, step};
  Tensor y = zeros(shape, source.dtype(), where);
  write_into(slice(y, along, part), source);
  if (auto* node = record<SliceBackward>(y, {&source}, where)) {
    node->dim = along;
    node->part = part;
  }
  return y;
}

struct Select final : Node {
  static constexpr OpText text{"select", "y = x[position]", "dx[position] = dy, 0 elsewhere"};
  int dim = 0;
  std::int64_t position = 0;

  Tensor forward(const Inputs& x) const override { return select(x[0], dim, position); }
  Grads backward(const Tensor& dy) override {
    if (const Tensor dx = gradient_to_add_to(*this); dx.defined()) return added(select(dx, dim, position), dy);
    const Tensor dy_ = unsqueeze(dy, dim);  // a slice of length 1
    return {slice_backward(dy_, input_shape(), dim, position, 1)};
  }
};
Tensor select(const Tensor& x, Int dim, Int index, Where where) {
  check_defined("select", x, where);
  const int along = checked_dim_of_list("select", dim, x, where);
  const std::int64_t position = checked_position("select", index, x.shape(), along, where);
  Shape shape = x.shape();
  Strides strides = x.strides();
  const std::int64_t skipped = position * strides[along];
  shape.erase(along);
  strides.erase(along);
  Tensor y = make_view(x, shape, strides, skipped);
  if (auto* node = record<Select>(y, {&x}, where)) {
    node->dim = along;
    node->position = position;
  }
  return y;
}

// ---- several slices at once: composed --------------------------------------------------------------------

std::vector<Tensor> split(const Tensor& x, Int split_size, Int dim, Where where) {
  check_defined("split", x, where);
  const int along = checked_dim_of_list("split", dim, x, where);
  if (split_size < 1) {
    fail(ErrorId::bad_argument, "split", where,
         fmt::format("pieces of size {} along dim {} of {}", split_size, along, x.shape()),
         "use a split_size of 1 or more");
  }
  std::int64_t left = x.shape()[along];
  if (left / split_size > INT32_MAX) {
    fail(ErrorId::out_of_memory, "split", where,
         fmt::format("{} pieces are more than memory can hold", left / split_size), "use a larger split_size");
  }
  std::vector<std::int64_t> sizes;
  do {  // an empty dim is one empty piece
    sizes.push_back(std::min<std::int64_t>(split_size, left));
    left -= sizes.back();
  } while (left > 0);
  return split(x, sizes, along, where);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, Int dim, Where where) {
  check_defined("split", x, where);
  const int along = checked_dim_of_list("split", dim, x, where);
  const std::int64_t size = x.shape()[along];
  std::int64_t left = size;
  bool fits = true;
  for (const std::int64_t length : sizes) {
    fits = fits && length >= 0 && length <= left;
    if (fits) left -= length;
  }
  if (!fits || left != 0) {
    fail(ErrorId::bad_argument, "split", where,
         fmt::format("the sizes [{}] do not add up to the size {} of dim {} of {}", fmt::join(sizes, ", "), size, along,
                     x.shape()),
         "give sizes of 0 or more that fill the dim exactly");
  }
  std::vector<Tensor> pieces;
  std::int64_t start = 0;
  for (const std::int64_t length : sizes) {
    pieces.push_back(narrow(x, along, start, length, where));
    start += length;
  }
  return pieces;
}

std::vector<Tensor> chunk(const Tensor& x, Int chunks, Int dim, Where where) {
  const CompositeGuard composite("chunk", where);
  check_defined("chunk", x, where);
  const int along = checked_dim_of_list("chunk", dim, x, where);
  if (chunks < 1) {
    fail(ErrorId::bad_argument, "chunk", where, fmt::format("{} pieces along dim {} of {}", chunks, along, x.shape()),
         "ask for 1 piece or more");
  }
  const std::int64_t size = x.shape()[along];
  if (size > 0) return split(x, (size - 1) / chunks + 1, along);
  try {
    return std::vector<Tensor>(static_cast<std::size_t>(chunks), narrow(x, along, 0, 0));
  } catch (const std::exception&) {  // bad_alloc or length_error
    fail(ErrorId::out_of_memory, "chunk", where, fmt::format("{} pieces are more than memory can hold", chunks),
         "ask for fewer pieces");
  }
}

OpList slice_ops() {
  return list_of<SliceOp, SliceBackward, Select>();
}

}  // namespace autograd
