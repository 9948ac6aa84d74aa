// The scores of additive attention (Bahdanau et al. 2015, appendix A.1.2): how well each query fits each key.
#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"

namespace autograd {
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

// All sums x_ts = query_t + keys_s, [batch, queries, source, n].
Tensor all_pairs(const Tensor& query, const Tensor& keys) {
  const Tensor queries = query.dim() == 3 ? query : unsqueeze(query, 1);
  const Tensor of_each_query = unsqueeze(queries, 2);  // [batch, queries, 1, n]
  const Tensor of_each_key = unsqueeze(keys, 1);       // [batch, 1, source, n]
  return of_each_query + of_each_key;
}

// ---- as one op, which never makes the tensor of all pairs of a query and a key --------------------------------------

// query [batch, n] or [batch, queries, n], keys [batch, source, n]
kernels::AdditiveSizes additive_sizes(const Tensor& query, const Tensor& keys) {
  const std::int64_t queries = query.dim() == 3 ? query.shape()[1] : 1;
  return {keys.shape()[0], queries, keys.shape()[1], keys.shape()[2]};
}

struct AdditiveScore final : Fused {
  static constexpr OpText text{"additive_score", "y = v . h, h = tanh(query + key)",
                               "dx = dy * v * (1 - h^2), dquery = sum of dx over the keys, dkey = sum of dx over the "
                               "queries, dv = sum of dy * h"};
  Tensor composite(const Inputs& x) const override { return autograd::additive_score(x[0], x[1], x[2]); }
  bool keeps(std::size_t i) const override { return i == 2 && (needs(0) || needs(1)); }
  Grads run_kernel(const Tensor& dy) override {
    const Tensor dy_ = contiguous_values(dy);
    const Tensor query = input(0);
    const Tensor keys = input(1);
    const Tensor v = input(2);
    const kernels::AdditiveSizes size = additive_sizes(query, keys);
    const Tensor dquery = make_tensor(query.shape(), dtype);
    const Tensor dkeys = make_tensor(keys.shape(), dtype);
    const Tensor dv_of_sentences = make_tensor({size.batch, size.n}, dtype);
    with_float_type(dtype, [&]<class T>(T) {
      kernels::additive_score_backward(pointer<T>(dquery), pointer<T>(dkeys), pointer<T>(dv_of_sentences),
                                       pointer<T>(dy_), pointer<T>(query), pointer<T>(keys), pointer<T>(v), size);
    });
    return {dquery, dkeys, reshape(sum(dv_of_sentences, 0), v.shape())};
  }
};

Tensor fused_additive_score(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  const Tensor query_ = contiguous_values(query);
  const Tensor keys_ = contiguous_values(keys);
  const Tensor v_ = contiguous_values(v);
  Shape shape = query.shape();
  shape[shape.dim() - 1] = keys.shape()[1];
  Tensor y = make_tensor(shape, query.dtype());
  with_float_type(query.dtype(), [&]<class T>(T) {
    kernels::additive_score(pointer<T>(y), pointer<T>(query_), pointer<T>(keys_), pointer<T>(v_),
                            additive_sizes(query, keys));
  });
  record_fused<AdditiveScore>(y, {&query, &keys, &v}, where);
  return y;
}

}  // namespace

Tensor additive_score(const Tensor& query, const Tensor& keys, const Tensor& v, Where where) {
  check_additive(query, keys, v, where);
  if (!runs_formulas()) return fused_additive_score(query, keys, v, where);

  const CompositeGuard composite("additive_score", where);
  const Tensor hidden = tanh(all_pairs(query, keys));  // [batch, queries, source, n]
  const Tensor scores = matmul(hidden, flatten(v));    // [batch, queries, source]
  return query.dim() == 3 ? scores : squeeze(scores, 1);
}

}  // namespace autograd
