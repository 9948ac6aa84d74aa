// Picking elements at positions that a tensor holds, and adding elements at such positions. Each of a pair is the
// other's derivative: gather and scatter_add, index_select and index_add.
#include "autograd/ops/all_ops.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

// The positions, contiguous. Throws unless each lies within that dim.
Tensor checked_positions(const char* op, const Tensor& index, const Shape& shape, int dim, Where where) {
  const Tensor positions = contiguous_values(index);
  const std::int64_t* values = pointer<std::int64_t>(positions);
  const std::int64_t size = size_along(shape, dim);
  const std::int64_t bad = kernels::first_out_of_range(values, positions.numel(), size);
  if (bad < 0) return positions;
  fail(ErrorId::index_out_of_range, op, where,
       fmt::format("the index {} at {} is outside the size {} of dim {} of {}", values[bad],
                   coordinates(positions.shape(), bad), size, dim, shape),
       size == 0 ? "this dim is empty" : fmt::format("use positions from 0 to {}", size - 1));
}

// Throws unless index has as many dims as x, and is no longer than x in all dims but `dim`.
void check_gather_shapes(const char* op, const Shape& x, const Shape& index, int dim, Where where) {
  if (x.dim() != index.dim()) {
    fail_shapes(op, x, index, where, "the index needs as many dims as the tensor that it points into",
                "unsqueeze() the index, or use index_select() for whole slices");
  }
  for (int other = 0; other < x.dim(); ++other) {
    if (other == dim || index[other] <= x[other]) continue;
    fail_shapes(op, x, index, where, fmt::format("the index is longer in dim {}", other),
                fmt::format("only in dim {}, along which it points, may the index be longer", dim));
  }
}

// Returns x's stride along dim, and makes it 0 in `strides`: along this dim, the index says where to go.
std::int64_t take_step(Strides& strides, int dim) {
  return strides.empty() ? 0 : std::exchange(strides[dim], 0);
}

// Throws unless index has one dim.
void check_list_index(const char* op, const Tensor& index, Where where) {
  check_dtype(op, index, int64, where);
  if (index.dim() == 1) return;
  fail(ErrorId::shape_mismatch, op, where, fmt::format("the index has shape {}, not one dim", index.shape()),
       "flatten() it, or use gather() for a position per element");
}

}  // namespace

// ---- one position per element ----------------------------------------------------------------------------

struct Gather final : Node {
  static constexpr OpText text{"gather", "y[i] = x[index[i]]", "dx[index[i]] += dy[i]"};
  int dim = 0;
  Saved index;

  Tensor forward(const Inputs& x) const override { return gather(x[0], dim, use(index)); }
  Grads backward(const Tensor& dy) override {
    const Tensor nothing = zeros(input_shape(), dy.dtype());
    return {scatter_add(nothing, dim, use(index), dy)};
  }
};
Tensor gather(const Tensor& x, Int dim, const Tensor& index, Where where) {
  check_defined("gather", x, where);
  check_dtype("gather", index, int64, where);
  const int along = checked_dim("gather", dim, x, where);
  check_gather_shapes("gather", x.shape(), index.shape(), along, where);
  const Tensor positions = checked_positions("gather", index, x.shape(), along, where);

  Tensor y = make_tensor(index.shape(), x.dtype());
  Strides strides = x.strides();
  const std::int64_t step = take_step(strides, along);
  const kernels::Walk walk = make_walk(index.shape(), strides);
  with_type(x.dtype(), [&]<class T>(T) {
    kernels::gather(pointer<T>(y), pointer<T>(x), pointer<std::int64_t>(positions), step, walk);
  });
  if (auto* node = record<Gather>(y, {&x}, where)) {
    node->dim = along;
    node->index = node->save(positions);
  }
  return y;
}

struct ScatterAdd final : Node {
  static constexpr OpText text{"scatter_add", "y = x, y[index[i]] += source[i]", "dx = dy, dsource[i] = dy[index[i]]"};
  int dim = 0;
  Saved index;

  Tensor forward(const Inputs& x) const override { return scatter_add(x[0], dim, use(index), x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor dsource = needs(1) ? gather(dy, dim, use(index)) : Tensor();
    return {dy, dsource};
  }
};
Tensor scatter_add(const Tensor& x, Int dim, const Tensor& index, const Tensor& source, Where where) {
  check_takes("scatter_add", x, Takes::numbers, where);
  check_same_dtype("scatter_add", x, source, where);
  check_dtype("scatter_add", index, int64, where);
  const int along = checked_dim("scatter_add", dim, x, where);
  check_gather_shapes("scatter_add", x.shape(), index.shape(), along, where);
  check_same_shape("scatter_add", source.shape(), index.shape(), where, "the source and the index differ",
                   "give one index per element of the source; narrow() a source that is longer");
  const Tensor positions = checked_positions("scatter_add", index, x.shape(), along, where);

  Tensor y = contiguous_copy(x);
  const Tensor values = contiguous_values(source);
  Strides strides = y.strides();
  const std::int64_t step = take_step(strides, along);
  const kernels::Walk walk = make_walk(index.shape(), strides);
  with_number_type(x.dtype(), [&]<class T>(T) {
    kernels::scatter_add(pointer<T>(y), pointer<T>(values), pointer<std::int64_t>(positions), step, walk);
  });
  if (auto* node = record<ScatterAdd>(y, {&x, &source}, where)) {
    node->dim = along;
    node->index = node->save(positions);
  }
  return y;
}

// ---- one position per slice ------------------------------------------------------------------------------

struct IndexSelect final : Node {
  static constexpr OpText text{"index_select", "y[i] = x[index[i]]", "dx[index[i]] += dy[i]"};
  int dim = 0;
  Saved index;

  Tensor forward(const Inputs& x) const override { return index_select(x[0], dim, use(index)); }
  Grads backward(const Tensor& dy) override {
    const Tensor nothing = zeros(input_shape(), dy.dtype());
    return {index_add(nothing, dim, use(index), dy)};
  }
};
Tensor index_select(const Tensor& x, Int dim, const Tensor& index, Where where) {
  check_defined("index_select", x, where);
  if (x.dim() == 0) {
    const CompositeGuard composite("index_select", where);
    return index_select(x.unsqueeze(0), dim, index).squeeze(0);
  }
  check_list_index("index_select", index, where);
  const int along = checked_dim("index_select", dim, x, where);
  const Tensor positions = checked_positions("index_select", index, x.shape(), along, where);

  const Tensor values = contiguous_values(x);
  const AroundDim size = around_dim(x.shape(), along);
  const std::int64_t count = index.numel();
  Shape shape = x.shape();
  shape[along] = count;
  Tensor y = make_tensor(shape, x.dtype());
  with_type(x.dtype(), [&]<class T>(T) {
    kernels::index_select(pointer<T>(y), pointer<T>(values), pointer<std::int64_t>(positions), size.outer, size.n,
                          size.inner, count);
  });
  if (auto* node = record<IndexSelect>(y, {&x}, where)) {
    node->dim = along;
    node->index = node->save(positions);
  }
  return y;
}

struct IndexAdd final : Node {
  static constexpr OpText text{"index_add", "y = x, y[index[i]] += source[i]", "dx = dy, dsource[i] = dy[index[i]]"};
  int dim = 0;
  Saved index;

  Tensor forward(const Inputs& x) const override { return index_add(x[0], dim, use(index), x[1]); }
  Grads backward(const Tensor& dy) override {
    const Tensor dsource = needs(1) ? index_select(dy, dim, use(index)) : Tensor();
    return {dy, dsource};
  }
};
Tensor index_add(const Tensor& x, Int dim, const Tensor& index, const Tensor& source, Where where) {
  check_takes("index_add", x, Takes::numbers, where);
  if (x.dim() == 0) {
    const CompositeGuard composite("index_add", where);
    return index_add(x.unsqueeze(0), dim, index, source).squeeze(0);
  }
  check_same_dtype("index_add", x, source, where);
  check_list_index("index_add", index, where);
  const int along = checked_dim("index_add", dim, x, where);
  const std::int64_t count = index.numel();
  Shape expected = x.shape();
  expected[along] = count;
  if (!(source.shape() == expected)) {
    fail_shapes("index_add", x.shape(), source.shape(), where, fmt::format("the source should be {}", expected),
                fmt::format("give one slice along dim {} for each of the {} positions", along, count));
  }
  const Tensor positions = checked_positions("index_add", index, x.shape(), along, where);

  Tensor y = contiguous_copy(x);
  const Tensor values = contiguous_values(source);
  const AroundDim size = around_dim(x.shape(), along);
  with_number_type(x.dtype(), [&]<class T>(T) {
    kernels::index_add(pointer<T>(y), pointer<T>(values), pointer<std::int64_t>(positions), size.outer, size.n,
                       size.inner, count);
  });
  if (auto* node = record<IndexAdd>(y, {&x, &source}, where)) {
    node->dim = along;
    node->index = node->save(positions);
  }
  return y;
}

struct Embedding final : Node {
  static constexpr OpText text{"embedding", "y[i] = weight[ids[i]]",
                               "dweight[ids[i]] += dy[i], but not in the padding row"};
  Saved ids;  // [count]
  Shape ids_shape;
  std::optional<std::int64_t> padding_idx;

  Tensor forward(const Inputs& x) const override { return embedding(x[0], reshape(use(ids), ids_shape), padding_idx); }
  Grads backward(const Tensor& dy) override {
    const Tensor nothing = zeros(input_shape(), dy.dtype());
    return {index_add(nothing, 0, use(ids), rows_without_padding(dy))};
  }
  // The padding row.
  std::pair<std::int64_t, std::int64_t> without_gradient(std::size_t) const override {
    if (!padding_idx) return {0, 0};
    const std::int64_t features = input_shape()[1];
    return {*padding_idx * features, (*padding_idx + 1) * features};
  }

  // dy with one row per id, [count, features]; rows of the padding id are 0.
  Tensor rows_without_padding(const Tensor& dy) const {
    const Tensor ids_ = use(ids);
    const Tensor rows = reshape(dy, {ids_.numel(), input_shape()[1]});
    if (!padding_idx) return rows;
    const double padding_id = static_cast<double>(*padding_idx);
    const Tensor is_padding = unsqueeze(ids_ == padding_id, 1);  // [count, 1]
    return masked_fill(rows, is_padding, 0.0);
  }
};
Tensor embedding(const Tensor& weight, const Tensor& ids, std::optional<Int> padding_idx, Where where) {
  check_order("embedding", weight, ids, "embedding(weight, ids)", where);
  check_floating("embedding", weight, where);
  check_dtype("embedding", ids, int64, where);
  if (weight.dim() != 2) {
    fail(ErrorId::shape_mismatch, "embedding", where, fmt::format("the weight has shape {}", weight.shape()),
         "the weight is a matrix [vocabulary, features]; the ids come second");
  }
  const std::int64_t vocabulary = weight.shape()[0];
  if (padding_idx && (*padding_idx < -vocabulary || *padding_idx >= vocabulary)) {
    fail(ErrorId::bad_argument, "embedding", where,
         fmt::format("the padding_idx {} is not in the vocabulary of {}", *padding_idx, vocabulary),
         "give the id of the padding token, or none");
  }
  if (padding_idx && *padding_idx < 0) *padding_idx = *padding_idx + vocabulary;  // counted from the end
  const Tensor flat = reshape(contiguous_values(ids), ids.numel());
  const std::int64_t* id = pointer<std::int64_t>(flat);
  const std::int64_t bad = kernels::first_out_of_range(id, flat.numel(), vocabulary);
  if (bad >= 0) {
    fail(ErrorId::token_out_of_range, "embedding", where,
         fmt::format("the id {} at {} is not in the vocabulary of {} (weight {})", id[bad],
                     coordinates(ids.shape(), bad), vocabulary, weight.shape()),
         fmt::format("use ids from 0 to {}, with one for unknown words, or a larger vocabulary", vocabulary - 1));
  }

  Shape shape = ids.shape();
  shape.push_back(weight.shape()[1], where);
  Tensor y = reshape(index_select(weight.detach(), 0, flat), shape);
  if (auto* node = record<Embedding>(y, {&weight}, where)) {
    node->ids = node->save(flat);
    node->ids_shape = ids.shape();
    node->padding_idx = padding_idx;
  }
  return y;
}

Tensor one_hot(const Tensor& ids, Int num_classes, Where where) {
  const CompositeGuard composite("one_hot", where);
  check_dtype("one_hot", ids, int64, where);
  if (num_classes < -1 || (num_classes == -1 && ids.numel() == 0)) {
    fail(ErrorId::bad_argument, "one_hot", where, fmt::format("num_classes is {} for ids {}", num_classes, ids.shape()),
         "say how many classes there are");
  }
  const std::int64_t classes = num_classes == -1 ? amax(ids).item<std::int64_t>() + 1 : std::int64_t{num_classes};
  const Tensor ids_ = contiguous_values(ids);
  const std::int64_t* values = pointer<std::int64_t>(ids_);
  const std::int64_t bad = kernels::first_out_of_range(values, ids_.numel(), classes);
  if (bad >= 0) {
    fail(ErrorId::token_out_of_range, "one_hot", where,
         fmt::format("the id {} is none of the {} classes", values[bad], classes),
         fmt::format("use ids from 0 to {}", classes - 1));
  }
  const Tensor is_id = unsqueeze(ids, -1) == arange(classes, int64);
  return to(is_id, int64);
}

OpList gather_ops() {
  return list_of<Gather, ScatterAdd, IndexSelect, IndexAdd, Embedding>();
}

}  // namespace autograd
