// The scores of additive attention (Bahdanau et al. 2015, appendix A.1.2): how well each query fits each key.
#include <fmt/core.h>

#include "autograd/ops/op.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

// query [batch, n] or [batch, queries, n], keys [batch, source, n]
kernels::AdditiveSizes additive_sizes(const Tensor& query, const Tensor& keys) {
  const std::int64_t queries = query.dim() == 3 ? query.shape()[1] : 1;
  return {keys.shape()[0], queries, keys.shape()[1], keys.shape()[2]};
}

// All sums x_ts = query_t + keys_s, [batch, queries, source, n].
Tensor all_pairs(const Tensor& query, const Tensor& keys) {
  const Tensor queries = query.dim() == 3 ? query : unsqueeze(query, 1);
  return unsqueeze(queries, 2) + unsqueeze(keys, 1);
}

}  // namespace

struct AdditiveScore final : Node {
  static constexpr OpText text{"additive_score", "y = v . h, h = tanh(query + key)",
                               "dx = dy * v * (1 - h^2), dquery = sum of dx over the keys, dkey = sum of dx over the "
                               "queries, dv = sum of dy * h"};
  Saved query, keys, v;

  Tensor forward(const Inputs& x) const override { return additive_score(x[0], x[1], x[2]); }
  Grads backward(const Tensor& dy) override {
    if (!grad_enabled()) return in_one_pass(dy);
    const Tensor query_ = use(query);
    const Tensor v_ = use(v);
    const Tensor h = tanh(all_pairs(query_, use(keys)));                   // [batch, queries, source, n]
    const Tensor dy_ = reshape(dy, {h.size(0), h.size(1), h.size(2), 1});  // [batch, queries, source, 1]
    const Tensor dx = dy_ * v_ * (1.0 - h * h);
    const Tensor dquery = reshape(sum(dx, 2), query_.shape());
    const Tensor dkeys = sum(dx, 1);
    const Tensor dv = reshape(sum(dy_ * h, {0, 1, 2}), v_.shape());
    return {dquery, dkeys, dv};
  }

  // The same without a tensor of all pairs.
  Grads in_one_pass(const Tensor& dy) const {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor query_ = contiguous_values(use(query));
    const Tensor keys_ = contiguous_values(use(keys));
    const Tensor v_ = contiguous_values(use(v));
    const kernels::AdditiveSizes size = additive_sizes(query_, keys_);
    Tensor dquery = make_tensor(query_.shape(), dtype);
    Tensor dkeys = make_tensor(keys_.shape(), dtype);
    Tensor dv_of_sentences = make_tensor({size.batch, size.n}, dtype);
    with_float_type(dtype, [&](auto t) {
      using T = decltype(t);
      kernels::additive_score_backward(pointer<T>(dquery), pointer<T>(dkeys), pointer<T>(dv_of_sentences),
                                       pointer<T>(dy_), pointer<T>(query_), pointer<T>(keys_), pointer<T>(v_), size);
    });
    return {dquery, dkeys, reshape(sum(dv_of_sentences, 0), v_.shape())};
  }
};

namespace {

void check_additive(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  check_floating("additive_score", query, where);
  check_same_dtype("additive_score", query, keys, where);
  check_same_dtype("additive_score", query, v, where);
  const bool has_dims = (query.dim() == 2 || query.dim() == 3) && keys.dim() == 3;
  if (!has_dims || query.shape()[0] != keys.shape()[0] || query.shape().back() != keys.shape()[2]) {
    fail_shapes("additive_score", query.shape(), keys.shape(), where, "each query is added to each key of its sentence",
                "give queries [batch, n] or [batch, queries, n], and keys [batch, source, n]");
  }
  const bool is_row = v.dim() == 1 || (v.dim() == 2 && v.shape()[0] == 1);
  if (is_row && v.shape().back() == keys.shape()[2]) return;
  fail_shapes("additive_score", keys.shape(), v.shape(), where, "v has one weight for each feature of a key",
              "give v [n], or [1, n] as a Linear with one output keeps it");
}

}  // namespace

Tensor additive_score(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  check_additive(query, keys, v, where);
  const Tensor query_ = contiguous_values(query);
  const Tensor keys_ = contiguous_values(keys);
  const Tensor v_ = contiguous_values(v);
  Shape shape = query.shape();
  shape[shape.dim() - 1] = keys.shape()[1];
  Tensor y = make_tensor(shape, query.dtype());
  with_float_type(query.dtype(), [&](auto t) {
    using T = decltype(t);
    kernels::additive_score(pointer<T>(y), pointer<T>(query_), pointer<T>(keys_), pointer<T>(v_),
                            additive_sizes(query, keys));
  });
  if (auto* node = record<AdditiveScore>(y, {&query, &keys, &v}, where)) {
    node->query = node->save(query);
    node->keys = node->save(keys);
    node->v = node->save(v);
  }
  return y;
}

}  // namespace autograd
